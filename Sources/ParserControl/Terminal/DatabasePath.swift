import Glibc

/// The database file of a ledger, before it is opened.
struct DatabasePath {
    let path: String

    init(_ path: String) { self.path = path }

    /// True if the file has no bytes, nor its write-ahead log: it was made at the installation.
    var isEmpty: Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size == 0 else { return false }
        return stat(path + "-wal", &status) != 0 || status.st_size == 0
    }
}
