internal import GRDB
import Glibc

/// Replacement of the whole content of a ledger.
public enum LedgerReplacement {
    /// Makes the ledger at `path` equal to `source`, in one transaction of SQLite: after a crash at any time the ledger
    /// is the old one or the new one.
    ///
    /// No program may have the ledger open. It is locked meanwhile, so a program that starts waits.
    ///
    /// - Throws: `busy` if another program has it open; `diskFull`, `readOnly`, `cannotOpen`, `corrupt`. The ledger is
    ///   unchanged then.
    public static func replace(_ path: String, with source: Store) throws(StoreError) {
        do {
            var configuration = Connection.plain()
            configuration.label = "store.replacement"
            let ledger = try DatabaseQueue(path: path, configuration: configuration)
            try ledger.writeWithoutTransaction { ledger in
                try lockExclusively(ledger)
                try source.reader.read { try $0.backup(to: ledger) }
            }
            try ledger.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Checks for the lock that every connection in WAL mode holds, without opening a damaged database.
    ///
    /// This process must not have the ledger open: closing the descriptor would release its locks.
    /// - Throws: `busy` if another program has the ledger open.
    public static func refuseIfOpen(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // The bytes of SQLite's shared lock (SHARED_FIRST and SHARED_SIZE of os.h).
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0002, l_len: 510, l_pid: 0)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return }
        throw StoreError(inUse, path: path)
    }

    /// Leaves WAL mode, which SQLite allows only to the sole connection of a database, and keeps the lock.
    private static func lockExclusively(_ ledger: Database) throws {
        try ledger.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        do {
            guard try String.fetchOne(ledger, sql: "PRAGMA journal_mode = DELETE") == "delete" else { throw inUse }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw inUse
        }
        try ledger.execute(sql: "PRAGMA synchronous = FULL")
        // Acquires the lock now: leaving a mode that the file does not have acquires none.
        try ledger.execute(sql: "BEGIN EXCLUSIVE; COMMIT")
    }

    private static let inUse = StoreError(
        kind: .busy, path: "",
        message:
            "is in use by another program: stop spendwised first, such as with 'systemctl stop spendwise-ingest spendwise-web'"
    )
}
