import Chronology
internal import GRDB
import Ledger

/// Schedule of retries for mail that could not be processed.
enum RetrySchedule {
    /// Seconds after the first, second, … attempt: temporary server faults end within minutes, repairs of a mail store
    /// within a day. After the last one a person decides.
    static let pauses: [Int64] = [60, 600, 3600, 21_600, 86_400]

    /// True if `next_attempt_at` is due, by two instants from ``instants(at:)``. A time further ahead than any pause
    /// was written with a wrong clock, and is due.
    static let isDue = "next_attempt_at IS NOT NULL AND (next_attempt_at <= ? OR next_attempt_at > ?)"
    static func instants(at now: UnixTime) -> StatementArguments { [now, now + 2 * 86_400] }

    /// - Parameter attempts: number of attempts, including this one.
    static func next(_ decision: Decision, attempts: Int, now: UnixTime) -> UnixTime? {
        guard let failure = decision.failure, !failure.isPermanent, attempts >= 1, attempts <= pauses.count else {
            return nil
        }
        return now + pauses[attempts - 1]
    }
}

/// Work for the process that reads the folders.
public struct PendingWork: Sendable {
    /// Folders with failed mails that are due.
    public var retries: Set<FolderKey> = []
    /// Until another failed mail is due; `nil` if none waits.
    public var secondsToNextRetry: Int64?
    public var rescans: [(id: Int64, key: FolderKey)] = []
}

extension MailboxRepository {
    /// UIDs of due failed mails of one folder, ascending.
    public func dueRetries(of key: FolderKey, uidValidity: UInt32) throws(StoreError) -> [UInt32] {
        let instants = RetrySchedule.instants(at: now())
        return try read { db in
            try UInt32.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT uid FROM processed_emails INDEXED BY processed_emails_due
                        WHERE status = 'failed' AND \(RetrySchedule.isDue) AND mailbox = ? AND folder = ? AND uid_validity = ?
                        ORDER BY uid
                        """), arguments: instants + [key.mailbox, key.folder, uidValidity])
        }
    }

    /// Due failed mails of a Maildir folder, by their recorded numbers.
    public func dueRetries(of key: FolderKey) throws(StoreError) -> [(uidValidity: UInt32, uid: UInt32)] {
        let instants = RetrySchedule.instants(at: now())
        return try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT uid_validity, uid FROM processed_emails INDEXED BY processed_emails_due
                    WHERE status = 'failed' AND \(RetrySchedule.isDue) AND mailbox = ? AND folder = ?
                    """, arguments: instants + [key.mailbox, key.folder]
            ).map { (uidValidity: $0[0] as UInt32, uid: $0[1] as UInt32) }
        }
    }

    /// IDs of due failed mails of a mailbox that no server has.
    public func dueRetries(ofMailbox mailbox: String) throws(StoreError) -> [String] {
        let instants = RetrySchedule.instants(at: now())
        return try read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM processed_emails INDEXED BY processed_emails_due
                        WHERE status = 'failed' AND \(RetrySchedule.isDue) AND mailbox = ?
                        """), arguments: instants + [mailbox])
        }
    }

    /// Ends the retries of mails that are no longer in the folder.
    public func giveUp(_ uids: [UInt32], of key: FolderKey, uidValidity: UInt32, reason: String) throws(StoreError)
    where Scope: WriteScope {
        if uids.isEmpty { return }
        try write { db in
            for uid in uids {
                try db.execute(
                    sql: """
                        UPDATE main.processed_emails SET next_attempt_at = NULL, error_message = ?
                        WHERE mailbox = ? AND folder = ? AND uid_validity = ? AND uid = ? AND status = 'failed'
                        """, arguments: [reason, key.mailbox, key.folder, uidValidity, uid])
            }
        }
    }

    /// Makes failed mails due now.
    /// - Parameter ids: `nil` for all.
    /// - Returns: number of failed mails that are now due.
    public func retryNow(_ ids: [String]?) throws(StoreError) -> Int where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard let ids else {
                try db.execute(
                    sql: "UPDATE main.processed_emails SET next_attempt_at = ? WHERE status = 'failed'",
                    arguments: [time])
                return db.changesCount
            }
            var count = 0
            for id in ids {
                try db.execute(
                    sql: "UPDATE main.processed_emails SET next_attempt_at = ? WHERE status = 'failed' AND id = ?",
                    arguments: [time, id])
                count += db.changesCount
            }
            return count
        }
    }

    /// Reads two small indexes only.
    public func pendingWork() throws(StoreError) -> PendingWork {
        let time = now()
        let instants = RetrySchedule.instants(at: time)
        return try read { db in
            var errands = PendingWork()
            // Mails of an older UIDVALIDITY are found again as new ones; a Maildir has 0 there.
            let failed = """
                processed_emails m INDEXED BY processed_emails_due
                JOIN mailbox_cursors c ON c.mailbox = m.mailbox AND c.folder = m.folder AND c.uid_validity IN (m.uid_validity, 0)
                WHERE m.status = 'failed' AND
                """
            let due = try Row.fetchAll(
                db, sql: "SELECT DISTINCT m.mailbox, m.folder FROM \(failed) \(RetrySchedule.isDue)",
                arguments: instants)
            for row in due { errands.retries.insert(FolderKey(mailbox: row[0], folder: row[1])) }
            let next = try UnixTime.fetchOne(
                db,
                sql: """
                    SELECT min(m.next_attempt_at) FROM \(failed) m.next_attempt_at IS NOT NULL AND NOT (\(RetrySchedule.isDue))
                    """, arguments: instants)
            errands.secondsToNextRetry = next.map { $0 - time }
            for row in try Row.fetchAll(
                db, sql: "SELECT id, mailbox, folder FROM rescan_requests WHERE finished_at IS NULL")
            {
                errands.rescans.append((row[0], FolderKey(mailbox: row[1], folder: row[2])))
            }
            return errands
        }
    }
}
