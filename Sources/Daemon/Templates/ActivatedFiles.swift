import DurableFiles
import Glibc

/// The folder of activated templates: a folder for each bank, and in it a file for each template.
struct ActivatedFiles: Sendable {
    let folder: String

    init(_ folder: String) { self.folder = folder }

    /// Owner writes, group reads: the web role belongs to the group.
    private static let (folderMode, fileMode): (mode_t, UInt32) = (0o750, 0o640)

    /// - Parameter template: a valid name, such as `hdfc/card-spend`.
    func path(of template: String) -> String { "\(folder)/\(template).yaml" }

    /// Replaces the file of a template.
    func write(_ yaml: String, as template: String) throws(FileWriteError) {
        let path = path(of: template)
        for folder in [folder, FilePlace.folder(of: path)] where mkdir(folder, Self.folderMode) == 0 {
            // The umask of the unit is narrower.
            chmod(folder, Self.folderMode)
        }
        try FileReplacement(path, mode: .exactly(Self.fileMode)).write(Array(yaml.utf8))
    }

    /// Removes the file of a template.
    ///
    /// - Throws: the system's error; none if there is no file.
    func remove(_ template: String) throws(Refused) {
        guard unlink(path(of: template)) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        throw Refused(reason: String(cString: strerror(errno)))
    }

    struct Refused: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    func has(_ template: String) -> Bool { access(path(of: template), F_OK) == 0 }
}
