public import Chronology
internal import GRDB
public import Ledger

/// Counts and states of all folders, as of one instant.
public struct StatusSummary: Sendable {
    public struct Folder: Hashable, Sendable {
        public var key: FolderKey
        /// `nil` if mails were recorded without a cursor.
        public var cursor: FolderCursor?
        /// Arrival of the newest recorded mail, and the time of the last recording.
        public var lastReceivedAt: UnixTime?
        public var lastProcessedAt: UnixTime?
        public var counts: [Outcome: Int]
    }

    /// The number of mails of one folder with one template and outcome; `template` is `nil` if none matched.
    public struct TemplateCount: Hashable, Sendable {
        public var key: FolderKey
        public var outcome: Outcome
        public var template: String?
        public var count: Int
    }

    /// By mailbox and folder.
    public var folders: [Folder]
    /// By outcome, mailbox, folder and template.
    public var templates: [TemplateCount]
    /// Counts without deleted transactions.
    public var transactions: [TransactionStatus: Int]
    /// Length of the review queue.
    public var waiting: Int
    public var mailboxes: [MailboxHealth]
}

extension MonitoringRepository {
    /// Reads counts and review items, not mails: takes no longer with a million mails.
    public func status() throws(StoreError) -> StatusSummary {
        try read { db in
            let templates = try Row.fetchAll(
                db,
                sql: """
                    SELECT status, mailbox, folder, nullif(template, '') AS template, sum(mails) FROM mail_counts
                    GROUP BY 1, 2, 3, 4 HAVING sum(mails) > 0 ORDER BY 1, 2, 3, 4
                    """
            ).map {
                StatusSummary.TemplateCount(
                    key: FolderKey(mailbox: $0[1], folder: $0[2]), outcome: Outcome(rawValue: $0[0]) ?? .failed,
                    template: $0[3],
                    count: $0[4])
            }
            return StatusSummary(
                folders: try Self.folders(db, templates), templates: templates,
                transactions: try Self.transactionCounts(db),
                waiting: try Int.fetchOne(
                    db,
                    sql: """
                        SELECT (SELECT count(*) FROM transactions WHERE status = 'needs_review' AND deleted_at IS NULL)
                          + (SELECT count(*) FROM processed_emails m WHERE status = 'review' AND reviewed_at IS NULL
                             AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.source_email_id = m.id))
                        """) ?? 0,
                mailboxes: try MailboxHealth.all(db))
        }
    }

    private static func folders(
        _ db: Database, _ templates: [StatusSummary.TemplateCount]
    ) throws -> [StatusSummary.Folder] {
        var folders: [FolderKey: StatusSummary.Folder] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM mailbox_cursors") {
            let key = FolderKey(mailbox: row["mailbox"], folder: row["folder"])
            folders[key] = StatusSummary.Folder(
                key: key, cursor: FolderCursor(row), lastReceivedAt: row["last_received_at"],
                lastProcessedAt: row["last_processed_at"],
                counts: [:])
        }
        for count in templates {
            folders[count.key, default: StatusSummary.Folder(key: count.key, counts: [:])].counts[
                count.outcome, default: 0] += count.count
        }
        return folders.values.sorted { ($0.key.mailbox, $0.key.folder) < ($1.key.mailbox, $1.key.folder) }
    }

    private static func transactionCounts(_ db: Database) throws -> [TransactionStatus: Int] {
        var counts: [TransactionStatus: Int] = [:]
        for row in try Row.fetchAll(
            db, sql: "SELECT status, transactions FROM transaction_counts WHERE transactions > 0")
        {
            if let status = TransactionStatus(rawValue: row[0]) { counts[status] = row[1] }
        }
        return counts
    }
}
