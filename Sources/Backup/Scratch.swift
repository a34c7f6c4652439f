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

    deinit {
        for name in (try? FolderEntries.names(folder)) ?? [] { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
