public import Chronology
internal import GRDB

/// Conditions that a retained mail must meet; `nil` means none.
public struct ArchiveSelection: Sendable {
    /// Key of a profile.
    public var bank: String?
    public var mailbox: String?
    /// Days of arrival, otherwise of the Date field.
    public var since: CalendarDate?
    public var before: CalendarDate?

    public init(
        bank: String? = nil, mailbox: String? = nil, since: CalendarDate? = nil, before: CalendarDate? = nil
    ) {
        (self.bank, self.mailbox, self.since, self.before) = (bank, mailbox, since, before)
    }

    public var isEmpty: Bool { bank == nil && mailbox == nil && since == nil && before == nil }

    /// On `processed_emails m`.
    fileprivate static let condition = """
        (?1 IS NULL OR m.profile = ?1) AND (?2 IS NULL OR m.mailbox = ?2)
          AND (?3 IS NULL OR coalesce(m.received_at, m.sent_at, '9999') >= ?3)
          AND (?4 IS NULL OR coalesce(m.received_at, m.sent_at, '') < ?4)
        """

    fileprivate func bind(_ binder: inout Binder) {
        binder.bind(bank)
        binder.bind(mailbox)
        binder.bind(since)
        binder.bind(before)
    }
}

extension ArchiveRepository {
    /// A mail that waits for a person keeps its bytes.
    private static var isOpen: String { "(m.status = 'review' AND m.reviewed_at IS NULL)" }

    /// Calls `body` with the whole retained mails in order of their arrival.
    public func eachMail(
        _ selection: ArchiveSelection, _ body: (MailRow, [UInt8]) throws -> Void
    ) throws {
        try read { db in
            let decoder = RawMessageDecoder(db)
            try PreparedStatement(
                db,
                """
                SELECT \(MailRow.columns), \(RawMessageDecoder.columns)
                FROM processed_emails m JOIN raw_messages r ON r.mail_id = m.id
                WHERE \(ArchiveSelection.condition) AND r.size = r.kept_size ORDER BY coalesce(m.received_at, m.sent_at), m.id
                """
            ).each(selection.bind) { row in
                try body(MailRow(row), try decoder.bytes(row, at: MailRow.columnCount))
                return true
            }
        }
    }

    /// Mails that ``purge(_:)`` would delete the bytes of, and their stored bytes.
    public func purgeable(_ selection: ArchiveSelection) throws(StoreError) -> (mails: Int, bytes: Int64) {
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT count(*), coalesce(sum(length(r.bytes)), 0) FROM processed_emails m JOIN raw_messages r ON r.mail_id = m.id
                WHERE \(ArchiveSelection.condition) AND NOT \(Self.isOpen)
                """
            ).first(selection.bind) { (Int($0.int(0)), $0.int(1)) } ?? (0, 0)
        }
    }
}

extension ArchiveRepository where Scope: WriteScope {
    /// Rows that one commit deletes, so that no writer waits long.
    private static var rowsPerCommit: Int { 1000 }

    /// Deletes the bytes of mails. Rows of mails stay, and review items keep their bytes.
    ///
    /// - Returns: number of mails.
    @discardableResult
    public func purge(_ selection: ArchiveSelection) throws(StoreError) -> Int {
        try delete(where: "\(ArchiveSelection.condition) AND NOT \(Self.isOpen)", selection.bind)
    }

    /// The same for bytes that were retained before an instant.
    @discardableResult
    public func prune(storedBefore limit: UnixTime) throws(StoreError) -> Int {
        try delete(where: "r.stored_at < ? AND NOT \(Self.isOpen)") { $0.bind(limit) }
    }

    /// The same for the oldest bytes, until at most `limit` bytes are stored.
    @discardableResult
    public func prune(toBytes limit: Int64) throws(StoreError) -> Int {
        let newestToDelete = try read { db in
            try PreparedStatement(
                db,
                """
                SELECT stored_at FROM (
                  SELECT r.stored_at, sum(length(r.bytes)) OVER (ORDER BY r.stored_at DESC, r.mail_id DESC) AS total FROM raw_messages r)
                WHERE total > ? ORDER BY stored_at DESC LIMIT 1
                """
            ).first({ $0.bind(limit) }, { $0.text(0) })
        }
        guard let newestToDelete else { return 0 }
        return try delete(where: "r.stored_at <= ? AND NOT \(Self.isOpen)") { $0.bind(newestToDelete) }
    }

    private func delete(
        where condition: String, _ bind: (inout Binder) -> Void
    ) throws(StoreError) -> Int {
        var total = 0
        while true {
            let count = try write { db in
                try PreparedStatement(
                    db,
                    """
                    DELETE FROM main.raw_messages WHERE mail_id IN (
                      SELECT r.mail_id FROM raw_messages r JOIN processed_emails m ON m.id = r.mail_id WHERE \(condition) LIMIT \(Self.rowsPerCommit))
                    """
                ).run(bind)
                return db.changesCount
            }
            total += count
            if count < Self.rowsPerCommit { return total }
        }
    }
}
