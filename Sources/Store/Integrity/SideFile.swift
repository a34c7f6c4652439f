import Codecs
import DurableFiles
import Glibc

/// A small JSON file beside the ledger, for what must be known without the ledger or must not be written into it.
struct SideFile {
    let path: String

    /// Bytes that are read at most: 20 lines of SQLite.
    private static let limit = 64 << 10

    init(_ ledger: String, suffix: String) { path = ledger + "." + suffix }

    /// The content; `nil` if the file does not exist or is not JSON.
    func read() -> JSON? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.limit)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? try? JSON(parsing: Array(bytes.prefix(count))) : nil
    }

    /// Replaces the file. It holds no value of the ledger, so other users may read it.
    func write(_ content: JSON) throws(StoreError) {
        do { try FileReplacement(path, mode: .exactly(0o644)).write(Array((content.text + "\n").utf8)) } catch {
            throw StoreError(
                kind: error.code == ENOSPC ? .diskFull : .cannotOpen, path: path,
                message: "cannot be written: \(error.description)")
        }
    }

    func remove() { unlink(path) }

    /// Changes with each replacement of the file; `nil` if there is none.
    var stamp: FileStamp? { FileStamp(of: path) }
}
