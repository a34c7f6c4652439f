public import Chronology
internal import GRDB
public import Ledger

/// The position up to which a folder has been read.
public struct FolderCursor: Hashable, Sendable {
    public var uidValidity: UInt32
    /// Every UID below it is done: recorded, or not found by the search.
    public var nextUID: UInt32
    /// Sender domains that the UIDs below were searched for. Older mail of other domains has not been searched yet.
    public var searchedDomains: Set<String>

    public init(uidValidity: UInt32, nextUID: UInt32, searchedDomains: Set<String> = []) {
        self.uidValidity = uidValidity
        self.nextUID = nextUID
        self.searchedDomains = searchedDomains
    }
}

extension MailboxRepository {
    /// `nil` if the folder was never read.
    public func cursor(of key: FolderKey) throws(StoreError) -> FolderCursor? {
        try read { db in
            // Cached: parsing the SQL again was a quarter of the work for a mail that arrives while watching.
            try Row.fetchOne(
                db.cachedStatement(
                    sql:
                        "SELECT uid_validity, next_uid, searched_domains FROM mailbox_cursors WHERE mailbox = ? AND folder = ?"
                ),
                arguments: [key.mailbox, key.folder]
            ).map(FolderCursor.init)
        }
    }

    /// Time of the last write of the cursor; a pass without new mail does not write it.
    public func cursorMoved(of key: FolderKey) throws(StoreError) -> UnixTime? {
        try read { db in
            try UnixTime.fetchOne(
                db, sql: "SELECT updated_at FROM mailbox_cursors WHERE mailbox = ? AND folder = ?",
                arguments: [key.mailbox, key.folder]
            )
        }
    }

    /// The UIDs, ascending, that already have a row at or above `from`: a batch may be committed before an earlier one.
    /// - Parameter besides: an outcome whose rows are ignored.
    public func recordedUIDs(
        of key: FolderKey, uidValidity: UInt32, from: UInt32, besides: Outcome? = nil
    ) throws(StoreError) -> [UInt32] {
        try read { db in
            // Without the outcome, the index alone suffices.
            try UInt32.fetchAll(
                db.cachedStatement(
                    sql:
                        "SELECT uid FROM processed_emails WHERE mailbox = ? AND folder = ? AND uid_validity = ? AND uid >= ?"
                        + (besides.map { " AND status <> '\($0.rawValue)'" } ?? "") + " ORDER BY uid"),
                arguments: [key.mailbox, key.folder, uidValidity, from])
        }
    }

    /// Sets a cursor without recording mail: after a pass without results, or to begin again. Unlike
    /// ``record(_:advancing:)`` it may also go back.
    public func setCursor(_ cursor: FolderCursor, of key: FolderKey) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO mailbox_cursors (mailbox, folder, uid_validity, next_uid, searched_domains, updated_at) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET uid_validity = excluded.uid_validity, next_uid = excluded.next_uid,
                      searched_domains = excluded.searched_domains, updated_at = excluded.updated_at
                    """,
                arguments: [key.mailbox, key.folder, cursor.uidValidity, cursor.nextUID, cursor.domainList, time])
        }
    }
}

extension FolderCursor {
    init(_ row: Row) {
        self.init(
            uidValidity: row["uid_validity"], nextUID: row["next_uid"],
            searchedDomains: Set((row["searched_domains"] as String).split(separator: " ").map(String.init)))
    }

    /// Joined by blanks, which domains never contain.
    var domainList: String { searchedDomains.sorted().joined(separator: " ") }
}
