import DurableFiles
import Glibc
package import YAMLSource

/// Listing folders without Foundation.
package enum Folder {
    /// The names in a folder, sorted.
    package static func names(in path: String) throws(SourceError) -> [String] {
        guard let names = FolderEntries.names(path) else {
            throw SourceError(
                file: path, message: "cannot be read: \(String(cString: strerror(errno)))",
                remedy: "Check the path, and that this user may read the folder.")
        }
        return names
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
