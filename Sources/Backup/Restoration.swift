import Chronology
import DurableFiles
import Glibc
public import Store

/// The replacement of a ledger by the ledger of a backup, or by a salvaged one.
public enum Restoration {
    public enum Result: Hashable, Sendable {
        /// There was no ledger before.
        case created
        /// The content was replaced in one transaction.
        case replaced
        /// The former file is damaged. It has this name now.
        case replacedDamaged(keptAs: String)
    }

    /// Replaces the ledger at `path`. After an error, or a crash at any time, the ledger is the old one or the new one.
    ///
    /// - Parameter isDamaged: true if the present file is known to be damaged. It is kept under another name then, and
    ///   otherwise only if SQLite cannot write it.
    /// - Throws: ``BackupError``, `StoreError`: `busy` if another program has the ledger open.
    public static func run(_ ledger: Store, over path: String, isDamaged: Bool = false) throws -> Result {
        let result = try replace(path, with: ledger, isDamaged)
        var record = CheckRecord()
        // The new one was checked before.
        record.checkedAt = .now
        try record.write(of: path)
        return result
    }

    private static func replace(_ path: String, with ledger: Store, _ isDamaged: Bool) throws -> Result {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else {
            try move(ledger, to: path)
            return .created
        }
        guard !isDamaged else { return try exchange(path, for: ledger, status) }
        do throws(StoreError) {
            try LedgerReplacement.replace(path, with: ledger)
            return .replaced
        } catch {
            guard error.kind == .notADatabase || error.kind == .corrupt else { throw error }
            return try exchange(path, for: ledger, status)
        }
    }

    /// Gives the file another name and installs a whole new one in its place.
    private static func exchange(_ path: String, for ledger: Store, _ status: stat) throws -> Result {
        try LedgerReplacement.refuseIfOpen(path)
        let part = FileReplacement.unusedPath(beside: path, "part-")
        let damaged = FileReplacement.unusedPath(beside: path, "damaged-")
        defer { LedgerFiles.remove(part) }
        try move(ledger, to: part)
        // Only root may give files away, and only root may restore a ledger of another user.
        guard chmod(part, status.st_mode & 0o7777) == 0,
            chown(part, status.st_uid, status.st_gid) == 0 || geteuid() != 0
        else { throw BackupError(part, "cannot get the owner of the ledger: \(String(cString: strerror(errno)))") }
        // The ledger has both names until the new one has replaced it.
        guard link(path, damaged) == 0 else {
            throw BackupError(path, "cannot get a second name: \(String(cString: strerror(errno)))")
        }
        // They belong to the damaged file and must not be applied to the new one.
        for suffix in LedgerFiles.companions { rename(path + suffix, damaged + suffix) }
        do throws(FileWriteError) { try FileReplacement.install(part, as: path) } catch {
            throw BackupError(path, "cannot be replaced: \(error)")
        }
        return .replacedDamaged(keptAs: damaged)
    }

    private static func move(_ ledger: Store, to path: String) throws {
        try Store(path: path).checkpoint()
        try LedgerReplacement.replace(path, with: ledger)
    }
}
