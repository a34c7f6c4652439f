import Glibc

/// The path of a temporary database file. It and the files that SQLite makes beside it are removed with this value.
public final class Scratch {
    public let path: String

    /// - Parameter file: the temporary file is in the same folder. It does not exist yet.
    /// - Throws: ``BackupError`` if the folder cannot be written.
    public init(beside file: String) throws(BackupError) {
        let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else {
            throw BackupError(
                folder, "cannot be written: \(String(cString: strerror(errno))); name a folder that this user may write"
            )
        }
        path = file + ".part-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    deinit { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) } }
}
