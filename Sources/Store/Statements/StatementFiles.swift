public import Chronology
internal import GRDB
public import Ledger

/// A statement that a bank attached to an authentic mail.
public struct StatementFile: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Not tried yet.
        case waiting
        /// No known password opens it.
        case needsPassword = "needs_password"
        /// The account is not certain.
        case needsAccount = "needs_account"
        case read
        /// The file is not a statement, or its balances do not follow from its lines.
        case refused
        /// Its bytes were deleted after their retention.
        case expired
        /// A person discarded it.
        case discarded

        /// True if a person or a password can still make it readable.
        public var isOpen: Bool { [.waiting, .needsPassword, .needsAccount, .refused].contains(self) }
    }

    public var id: Int64
    /// `processed_emails.id`.
    public var mailID: String
    /// Key of the bank's profile.
    public var profile: String
    /// Digits of the account that the mail's text names.
    public var accountDigits: String?
    /// The name that the sender gave it.
    public var name: String?
    /// `nil` for a file that was too long to be kept.
    public var digest: String?
    /// Bytes; `nil` as the digest.
    public var size: Int64?
    public var state: State
    /// The reason why it was not read, for a person.
    public var reason: String?
    /// `user_accounts.id`: the account that a person chose, or else the one with the digits, or else the bank's only
    /// one; `nil` if unknown.
    public var account: Int64?
    /// `statements.id`.
    public var statement: Int64?
    public var storedAt: UnixTime
    /// Arrival of the mail.
    public var receivedAt: UnixTime?
    /// Digits of the account's numbers at the bank, for the choice of a password.
    public var accountNumbers: [String] = []

    private static let accounts = """
        SELECT DISTINCT coalesce(a.merged_into, a.id) AS account FROM user_account_numbers n
        JOIN user_accounts a ON a.id = n.user_account_id WHERE n.profile = f.profile
        """
    static let select = """
        SELECT f.id, f.mail_id, f.profile, f.account_digits, f.file_name, f.file_digest, f.size, f.state, f.reason,
          coalesce(
            (SELECT coalesce(a.merged_into, a.id) FROM user_accounts a WHERE a.id = f.user_account_id),
            CASE WHEN f.account_digits IS NOT NULL THEN
              (SELECT min(account) FROM (\(accounts) AND n.account_digits = f.account_digits))
            ELSE (SELECT min(account) FROM (\(accounts)) HAVING count(*) = 1) END),
          f.statement_id, f.stored_at, coalesce(m.received_at, m.sent_at)
        FROM statement_files f JOIN processed_emails m ON m.id = f.mail_id
        """

    init?(_ row: Row, _ db: Database) throws {
        guard let state = State(rawValue: row[7]) else { return nil }
        (id, mailID, profile, accountDigits) = (row[0], row[1], row[2], row[3])
        (name, self.state, reason) = (row[4], state, row[8])
        let digest: String = row[5]
        if digest != Self.unknownDigest { (self.digest, size) = (digest, row[6]) }
        (account, statement, storedAt, receivedAt) = (row[9], row[10], row[11], row[12])
        accountNumbers = try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT account_digits FROM user_account_numbers WHERE profile = ? AND user_account_id = ?"),
            arguments: [profile, account])
    }

    /// The digest of a file whose bytes never were here.
    static let unknownDigest = String(repeating: "0", count: 64)
    /// Why such a file was not read.
    static let tooLong = "it is too long to be kept: save it from the mail, and import it on the page of its account"

    static func current(_ db: Database, _ id: Int64) throws -> StatementFile {
        let row = try Row.fetchOne(db, sql: "\(select) WHERE f.id = ?", arguments: [id])
        guard let file = try row.flatMap({ try StatementFile($0, db) }) else {
            throw StoreError.notFound("statement of a mail with the number \(id)")
        }
        return file
    }
}

/// A statement of a mail that waits, with its bytes.
public struct OpenStatementFile: Sendable {
    public struct Account: Hashable, Sendable {
        public var id: Int64
        public var currency: Currency
    }

    public var file: StatementFile
    public var bytes: [UInt8]
    /// `nil` if it is not certain.
    public var account: Account?
}

extension StatementRepository {
    /// Statements of mails, the newest first.
    ///
    /// - Parameter states: `nil` for all.
    public func files(in states: Set<StatementFile.State>? = nil) throws(StoreError) -> [StatementFile] {
        try read { db in
            try Row.fetchAll(db, sql: "\(StatementFile.select) ORDER BY f.id DESC")
                .compactMap { try StatementFile($0, db) }.filter { states?.contains($0.state) ?? true }
        }
    }

    /// - Throws: `notFound`.
    public func file(_ id: Int64) throws(StoreError) -> StatementFile {
        try read { db in try StatementFile.current(db, id) }
    }

    /// A file that waits, to be read.
    ///
    /// - Parameter account: the account that a person chose.
    /// - Throws: `notFound`; `conflict` if the file does not wait, or its bytes are not kept any longer.
    public func openFile(_ id: Int64, account: Int64? = nil) throws(StoreError) -> OpenStatementFile {
        try read { db in
            let file = try StatementFile.current(db, id)
            let bytes = try PreparedStatement(
                db, "SELECT bytes FROM statement_files WHERE id = ? AND bytes IS NOT NULL"
            ).first({ $0.bind(id) }, { $0.bytes(0) })
            guard file.state.isOpen, let bytes else {
                throw StoreError.conflict("the statement of a mail with the number \(id) does not wait")
            }
            let owner = try (account ?? file.account).map { number in
                let row = try UserAccountRow.active(db, number)
                return OpenStatementFile.Account(id: row.id, currency: row.currency)
            }
            return OpenStatementFile(file: file, bytes: bytes, account: owner)
        }
    }

    /// Records why a file was not read. The first time that it needs a person is a notification.
    ///
    /// - Parameters:
    ///   - account: the account that a person chose; `nil` keeps the former choice.
    ///   - details: the text of the notification.
    public func note(
        _ state: StatementFile.State, reason: String?, ofFile id: Int64, account: Int64? = nil, details: String
    ) throws(StoreError) where Scope: WriteScope {
        let (time, policy) = (now(), notificationPolicy)
        let isNotified = try write { db in
            let file = try StatementFile.current(db, id)
            guard file.state.isOpen else { return false }
            try db.execute(
                sql: """
                    UPDATE main.statement_files SET state = ?, reason = ?, user_account_id = coalesce(?, user_account_id) WHERE id = ?
                    """, arguments: [state.rawValue, reason, account, id])
            guard file.state == .waiting, state == .needsPassword || state == .needsAccount, let policy,
                (file.receivedAt ?? time) >= time - policy.maxAge
            else { return false }
            var writer = try NotificationWriter(db, policy, now: time)
            try writer.write(
                .statement, about: (file.receivedAt, nil, file.mailID), subject: file.profile, details: details)
            return writer.count > 0
        }
        if isNotified { access.afterCommit { policy?.changed() } }
    }

    /// Records that a file is the statement, and deletes its bytes.
    public func resolve(file id: Int64, as statement: Int64) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE main.statement_files SET state = 'read', reason = NULL, statement_id = ?, bytes = NULL WHERE id = ?
                    """, arguments: [statement, id])
            guard db.changesCount == 1 else { throw StoreError.notFound("statement of a mail with the number \(id)") }
        }
    }

    /// Deletes the bytes of a file that a person does not want. The mail stays.
    ///
    /// - Throws: `notFound`; `conflict` if it was read.
    public func discard(file id: Int64) throws(StoreError) where Scope: WriteScope {
        try write { db in
            guard try StatementFile.current(db, id).state.isOpen else {
                throw StoreError.conflict("the statement of a mail with the number \(id) does not wait")
            }
            try db.execute(
                sql: "UPDATE main.statement_files SET state = 'discarded', reason = NULL, bytes = NULL WHERE id = ?",
                arguments: [id])
        }
    }

    /// Deletes the bytes that were stored before an instant and wait still.
    @discardableResult
    public func expireFiles(storedBefore limit: UnixTime) throws(StoreError) -> Int where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE main.statement_files SET state = 'expired', bytes = NULL WHERE stored_at < ? AND bytes IS NOT NULL
                    """, arguments: [limit])
            return db.changesCount
        }
    }
}

/// Stores the files of a mail in the commit of the mail.
enum StatementFileRows {
    static func write(_ entry: MailEntry, _ outcome: Outcome, mailID: String, time: UnixTime, in db: Database) throws {
        // A copy of the mail is a duplicate, and has the files of the first one.
        guard outcome == .ignored, !entry.files.isEmpty, let source = entry.decision.source, source.isAuthentic else {
            return
        }
        let insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.statement_files (mail_id, number, profile, account_digits, file_name, file_digest, size, stored_at, bytes,
              state, reason)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """)
        for (index, file) in entry.files.enumerated() {
            try insert.run {
                $0.bind(mailID)
                $0.bind(Int64(index + 1))
                $0.bind(source.profile)
                $0.bind(entry.decision.notice?.account)
                $0.bind(file.name.map { String($0.prefix(TextLimit.name)) })
                $0.bind(file.bytes.map(FileDigest.hexadecimal) ?? StatementFile.unknownDigest)
                $0.bind(Int64(file.bytes?.count ?? 1))
                $0.bind(time)
                $0.bind(file.bytes)
                $0.bind((file.bytes == nil ? StatementFile.State.refused : .waiting).rawValue)
                $0.bind(file.bytes == nil ? StatementFile.tooLong : nil)
            }
        }
    }
}
