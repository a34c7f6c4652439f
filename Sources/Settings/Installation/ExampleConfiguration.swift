import Glibc
public import YAMLSource

/// The example configuration, from which `parserctl setup` makes the first one.
public enum ExampleConfiguration {
    /// The user of its mailbox, which shows that a configuration was not edited yet.
    public static let user = "someone@example.com"

    /// The installed example, whose paths are those of the installation, or else the one in the program.
    ///
    /// - Parameter path: the path of the file that will be made of it.
    public static func file(for path: String) throws(SourceError) -> YAMLFile {
        let installed = InstalledFiles.shared + "/spendwise.example.yaml"
        guard access(installed, R_OK) == 0 else {
            return YAMLFile(path: path, bytes: PackageResources.spendwise_yaml)
        }
        return YAMLFile(path: path, bytes: try YAMLFile(path: installed).bytes)
    }
}
