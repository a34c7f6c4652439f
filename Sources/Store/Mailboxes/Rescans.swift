public import Chronology
internal import GRDB
public import Ledger

/// A request to read older mail of a folder again.
public struct RescanRequest: Hashable, Sendable {
    public var id: Int64
    public var mailbox: String
    public var folder: String
    /// `nil` means every bank.
    public var bank: String?
    /// `yyyy-mm-dd`; `nil` means any age.
    public var since: CalendarDate?
    /// Numbers of mails examined and changed, set when the rescan ends.
    public var examined: Int
    public var changed: Int
    public var isFinished: Bool
}

/// A mail whose bytes are retained and that may be decided again.
public struct RetainedMail: Sendable {
    public var row: MailRow
    /// INTERNALDATE as recorded.
    public var receivedAt: UnixTime?
    public var bytes: [UInt8]
    /// ``Ledger/Decision/Source/authentication`` of its last decision.
    public var authentication: String
}

extension RescanRepository {
    /// Requests a rescan of the folder's older mail. An equal open request is returned.
    /// - Returns: the number of the request.
    @discardableResult
    public func request(of key: FolderKey, bank: String?, since: CalendarDate?) throws(StoreError) -> Int64
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            if let waiting = try Int64.fetchOne(
                db,
                sql:
                    "SELECT id FROM rescan_requests WHERE mailbox = ? AND folder = ? AND bank IS ? AND since IS ? AND finished_at IS NULL",
                arguments: [key.mailbox, key.folder, bank, since])
            {
                return waiting
            }
            try db.execute(
                sql: "INSERT INTO rescan_requests (mailbox, folder, bank, since, requested_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [key.mailbox, key.folder, bank, since, time])
            return db.lastInsertedRowID
        }
    }

    /// Unfinished requests for one folder, oldest first.
    public func requests(of key: FolderKey) throws(StoreError) -> [RescanRequest] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql:
                        "SELECT * FROM rescan_requests WHERE mailbox = ? AND folder = ? AND finished_at IS NULL ORDER BY id"
                ),
                arguments: [key.mailbox, key.folder]
            ).map(RescanRequest.init)
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> RescanRequest? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM rescan_requests WHERE id = ?", arguments: [id]).map(
                RescanRequest.init)
        }
    }

    /// Completes a request. Also deletes requests that were finished 30 days ago.
    public func finish(_ id: Int64, examined: Int, changed: Int) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try db.execute(
                sql: "UPDATE rescan_requests SET finished_at = ?, looked_at = ?, changed = ? WHERE id = ?",
                arguments: [time, examined, changed, id])
            try db.execute(
                sql: "DELETE FROM rescan_requests WHERE finished_at < ?",
                arguments: [time - 30 * 86_400])
        }
    }

    /// UIDs, ascending, that need no server for a rescan: booked, decided by a person, copies, or retained here.
    public func settledUIDs(of key: FolderKey, uidValidity: UInt32) throws(StoreError) -> [UInt32] {
        let open = Outcome.sqlList(Outcome.redecidable)
        return try read { db in
            try UInt32.fetchAll(
                db,
                sql: """
                    SELECT uid FROM processed_emails m WHERE mailbox = ? AND folder = ? AND uid_validity = ?
                      AND (status NOT IN (\(open)) OR reviewed_at IS NOT NULL
                        OR EXISTS (SELECT 1 FROM raw_messages r WHERE r.mail_id = m.id AND r.size = r.kept_size))
                    ORDER BY uid
                    """, arguments: [key.mailbox, key.folder, uidValidity])
        }
    }

    /// Calls `body` with retained mails that no person has decided, oldest first, in groups; `body` may write, because
    /// no transaction is open.
    ///
    /// - Parameters:
    ///   - outcomes: of ``Ledger/Outcome/redecidable``.
    ///   - ids: only these, if given.
    ///   - bank: only mails of this bank, or from one of `domains`.
    ///   - arrived: only mails of this mailbox, and since this day, by arrival, otherwise by the Date
    ///     header.
    public func retainedMails(
        _ outcomes: Set<Outcome>, ids: [String]? = nil,
        bank: (key: String, domains: [String])? = nil,
        arrived: (mailbox: String?, since: CalendarDate?) = (nil, nil),
        atATime: Int = 64, _ body: ([RetainedMail]) throws -> Void
    ) throws {
        var after: Int64 = 0
        while true {
            var mails: [RetainedMail] = []
            var last = after
            try read { db in
                let decoder = RawMessageDecoder(db)
                let statement = try PreparedStatement(
                    db,
                    """
                    SELECT \(MailRow.columns), m.rowid,
                      coalesce(m.provenance, (SELECT t.provenance FROM transactions t WHERE t.source_email_id = m.id)) ->> '$.authentication',
                      \(RawMessageDecoder.columns)
                    FROM processed_emails m JOIN raw_messages r ON r.mail_id = m.id
                    WHERE m.rowid > ? AND m.status IN (\(Outcome.sqlList(outcomes))) AND m.reviewed_at IS NULL AND r.size = r.kept_size
                      AND (?2 IS NULL OR m.mailbox = ?2) AND (?3 IS NULL OR coalesce(m.received_at, m.sent_at, '9999') >= ?3)
                    ORDER BY m.rowid
                    """)
                try statement.each {
                    $0.bind(after)
                    $0.bind(arrived.mailbox)
                    $0.bind(arrived.since)
                } _: { row in
                    last = row.int(MailRow.columnCount)
                    let mail = MailRow(row)
                    if let bank, mail.profile != bank.key, !(mail.fromAddress.map { $0.isOf(bank.domains) } ?? false) {
                        return true
                    }
                    if let ids, !ids.contains(mail.id) { return true }
                    mails.append(
                        RetainedMail(
                            row: mail, receivedAt: mail.receivedAt,
                            bytes: try decoder.bytes(row, at: MailRow.columnCount + 2),
                            authentication: row.text(MailRow.columnCount + 1)))
                    return mails.count < atATime
                }
            }
            if mails.isEmpty { return }
            after = last
            try body(mails)
        }
    }
}

extension String {
    fileprivate func isOf(_ domains: [String]) -> Bool {
        split(separator: "@").last.map { domains.contains(String($0)) } ?? false
    }
}

extension RescanRequest {
    init(_ row: Row) {
        self.init(
            id: row["id"], mailbox: row["mailbox"], folder: row["folder"], bank: row["bank"], since: row["since"],
            examined: row["looked_at"],
            changed: row["changed"], isFinished: (row["finished_at"] as String?) != nil)
    }
}

extension Outcome {
    /// List for `IN (…)`.
    fileprivate static func sqlList(_ outcomes: Set<Outcome>) -> String {
        outcomes.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    }
}
