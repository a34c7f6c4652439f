public import Chronology
import Codecs
internal import GRDB
public import OAuth

/// A mailbox in the mail reader's own file, as other programs know it.
public struct AddedMailbox: Sendable, Hashable {
    public var name: String
    public var host: String
    public var user: String
    public var folders: [String]
    /// Number of days that the first pass reads back.
    public var sinceDays: Int
    /// The name whose Authentication-Results count; `nil` without one.
    public var authservID: String?
    /// DKIM signatures are verified here. Without this and a name, the server refuses forged mail.
    public var verifies: Bool
    /// Why it is not read; `nil` if it is.
    public var problem: String?
    public var port = 993
    public var tls = MailboxSetup.TLS.implicit
    /// The client of a login by OAuth; `nil` for a password.
    public var registration: ClientRegistration?
    public internal(set) var removalRequested: UnixTime?

    public init(
        name: String, host: String, user: String, folders: [String], sinceDays: Int, authservID: String?,
        verifies: Bool, problem: String? = nil
    ) {
        (self.name, self.host, self.user, self.folders) = (name, host, user, folders)
        (self.sinceDays, self.authservID, self.verifies) = (sinceDays, authservID, verifies)
        self.problem = problem
    }

    fileprivate init(_ row: Row) {
        self.init(
            name: row["name"], host: row["host"], user: row["user"], folders: Self.folders(row["folders"]),
            sinceDays: row["since_days"], authservID: row["authserv_id"], verifies: row["verifies"],
            problem: row["problem"])
        port = row["port"]
        tls = MailboxSetup.TLS(rawValue: row["tls"]) ?? .implicit
        registration = (row["oauth"] as String?).flatMap { ClientRegistration(JSON.parsed($0)) }
        removalRequested = row["removal_requested_at"]
    }

    private static func folders(_ text: String) -> [String] {
        (try? JSON(parsing: Array(text.utf8)))?.elements?.compactMap(\.textValue) ?? []
    }

    /// The server and the login, without a private authority, for a new consent.
    public var server: MailboxSetup.Server {
        MailboxSetup.Server(
            name: name, host: host, port: port, tls: tls, user: user, authority: nil, registration: registration)
    }

    /// Keeps a request for removal.
    func write(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO added_mailboxes (name, host, user, folders, since_days, authserv_id, verifies, problem,
                    port, tls, oauth)
                  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET host = excluded.host, user = excluded.user, folders = excluded.folders,
                  since_days = excluded.since_days, authserv_id = excluded.authserv_id, verifies = excluded.verifies,
                  problem = excluded.problem, port = excluded.port, tls = excluded.tls, oauth = excluded.oauth
                """,
            arguments: [
                name, host, user, JSON.array(folders.map(JSON.string)).text, sinceDays, authservID, verifies, problem,
                port, tls.rawValue, registration?.json.text,
            ])
    }
}

extension MailboxSetupRepository {
    /// The mailboxes that were added on the page, by name.
    public func added() throws(StoreError) -> [AddedMailbox] {
        try read { try Row.fetchAll($0, sql: "SELECT * FROM added_mailboxes ORDER BY name").map(AddedMailbox.init) }
    }

    /// Makes the rows those of the mail reader's file, such as after a restored ledger. Requests for removal stay.
    public func setAdded(_ mailboxes: [AddedMailbox]) throws(StoreError) where Scope: WriteScope {
        try write { db in
            let names = Set(mailboxes.map(\.name))
            let rows = try String.fetchAll(
                db, sql: "SELECT name FROM added_mailboxes WHERE removal_requested_at IS NULL")
            for name in rows where !names.contains(name) {
                try db.execute(sql: "DELETE FROM added_mailboxes WHERE name = ?", arguments: [name])
            }
            for mailbox in mailboxes { try mailbox.write(db) }
        }
    }

    /// - Throws: `notFound` if no added mailbox has this name.
    public func requestRemoval(of name: String, at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: "UPDATE added_mailboxes SET removal_requested_at = ? WHERE name = ?", arguments: [now, name])
            guard db.changesCount == 1 else { throw StoreError.notFound("mailbox '\(name)' of the page") }
        }
    }

    /// Deletes the row of a mailbox that is not read any more, and its health. Its mails and cursors stay.
    public func remove(_ name: String) throws(StoreError) where Scope: WriteScope {
        try write { db in
            for table in ["mailbox_health", "mailbox_alarms"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE mailbox = ?", arguments: [name])
            }
            try db.execute(sql: "DELETE FROM added_mailboxes WHERE name = ?", arguments: [name])
        }
    }
}
