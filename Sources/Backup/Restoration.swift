import Glibc
public import Store

/// The replacement of a ledger by that of a backup.
public enum Restoration {
    public enum Result: Hashable, Sendable {
        /// There was no ledger before.
        case created
        /// The content was replaced in one transaction.
        case replaced
        /// The former file was not a database any more. It has this name now.
        case replacedDamaged(keptAs: String)
    }

    /// Replaces the ledger at `path`. On an error, and after a crash at any time, it is the old one.
    ///
    /// - Throws: ``BackupError``, `StoreError`: `busy` if another program has the ledger open.
    public static func run(_ backup: ProvenBackup, over path: String) throws -> Result {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else {
            try move(backup.ledger, to: path)
            return .created
        }
        do throws(StoreError) {
            try LedgerReplacement.replace(path, with: backup.ledger)
            return .replaced
        } catch {
            guard error.kind == .notADatabase || error.kind == .corrupt else { throw error }
            let damaged = path + ".damaged-" + String(UInt64.random(in: .min ... .max), radix: 36)
            guard rename(path, damaged) == 0 else {
                throw BackupError(path, "cannot be renamed: \(String(cString: strerror(errno)))")
            }
            // They belong to the damaged file and must not be applied to the new one.
            for suffix in ["-wal", "-shm", "-journal"] { rename(path + suffix, damaged + suffix) }
            try move(backup.ledger, to: path)
            return .replacedDamaged(keptAs: damaged)
        }
    }

    private static func move(_ ledger: Store, to path: String) throws {
        try Store(path: path).checkpoint()
        try LedgerReplacement.replace(path, with: ledger)
    }
}
