import DurableFiles
import Glibc

/// A place for a temporary copy of a ledger: a folder that only its owner can enter, removed with its files with this
/// value.
public final class Scratch: Sendable {
    /// The file of the copy. It does not exist yet.
    public let path: String
    private let folder: String

    /// - Parameter parent: the folder in which the temporary one is made.
    /// - Throws: ``BackupError`` if it cannot be written.
    public init(in parent: String) throws(BackupError) {
        var template = Array("\(parent)/scratch-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BackupError(
                parent, "cannot be written: \(String(cString: strerror(errno))); name a folder that this user may write"
            )
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = folder + "/ledger.db"
    }

    /// Makes a file in the folder, for reading and writing.
    func open(_ file: String) throws(BackupError) -> Int32 {
        let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BackupError(file, "cannot be made: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    deinit {
        for name in FolderEntries.names(folder) ?? [] { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
