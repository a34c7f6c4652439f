import Glibc

/// The files of a ledger: the database, and what SQLite keeps beside it ("Temporary Files Used By SQLite", section 2).
public enum LedgerFiles {
    /// The ends of the names: write-ahead log, its index, and the rollback journal of a ledger that is being made.
    public static let companions = ["-wal", "-shm", "-journal"]

    /// Removes a ledger that no connection has open. It need not exist.
    public static func remove(_ path: String) { for suffix in [""] + companions { unlink(path + suffix) } }
}
