public import Chronology
internal import GRDB

/// The progress of an import; one for each archive.
public struct ImportState: Hashable, Sendable {
    /// `import:` and the label.
    public var mailbox: String
    /// Absolute path of the archive.
    public var root: String
    /// The authserv-id that the import trusts.
    public var authentication: String
    /// File being read; the files before it in the walk's order are done. `nil` at the beginning.
    public var file: String?
    /// Identity of that file: a different file of this name is read from its beginning.
    public var identity: FileIdentity = FileIdentity()
    /// Offset in `file` of the first byte that is not done.
    public var nextOffset: Int64 = 0
    public var isFinished: Bool = false

    public init(mailbox: String, root: String, authentication: String) {
        self.mailbox = mailbox
        self.root = root
        self.authentication = authentication
    }

    /// - Parameter fill: sets further values.
    public init(
        mailbox: String, root: String, authentication: String, fill: (inout ImportState) throws -> Void
    ) rethrows {
        self.init(mailbox: mailbox, root: root, authentication: authentication)
        try fill(&self)
    }
}

/// Identifies a file and its state: another file of the same name, or a changed one, differs.
public struct FileIdentity: Hashable, Sendable {
    public var device: Int64
    public var inode: Int64
    public var size: Int64
    /// Nanoseconds since 1970-01-01 UTC.
    public var modifiedAt: Int64

    public init(device: Int64 = 0, inode: Int64 = 0, size: Int64 = 0, modifiedAt: Int64 = 0) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modifiedAt = modifiedAt
    }

    /// `modifiedAt` in whole seconds.
    public var modificationTime: UnixTime { UnixTime(seconds: modifiedAt / 1_000_000_000) }
}

extension ImportRepository {
    /// `nil` if this archive was never imported under this label.
    public func state(mailbox: String, root: String) throws(StoreError) -> ImportState? {
        try read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM imports WHERE mailbox = ? AND root = ?", arguments: [mailbox, root]
            ).map { row in
                ImportState(mailbox: mailbox, root: root, authentication: row["authentication"]) {
                    $0.file = row["file"]
                    $0.identity = FileIdentity(
                        device: row["device"], inode: row["inode"], size: row["size"], modifiedAt: row["modified_at"])
                    $0.nextOffset = row["next_offset"]
                    $0.isFinished = (row["finished_at"] as String?) != nil
                }
            }
        }
    }

    /// The trusted authserv-id of the last import of each label.
    public func authentication() throws(StoreError) -> [String: String] {
        try read { db in
            Dictionary(
                try Row.fetchAll(db, sql: "SELECT mailbox, authentication FROM imports ORDER BY updated_at").map {
                    ($0[0] as String, $0[1] as String)
                },
                uniquingKeysWith: { $1 })
        }
    }
}

extension ImportState {
    func write(_ db: Database, time: UnixTime) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO imports (mailbox, root, authentication, file, device, inode, size, modified_at, next_offset, updated_at, finished_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET authentication = excluded.authentication, file = excluded.file, device = excluded.device, inode = excluded.inode,
                  size = excluded.size, modified_at = excluded.modified_at, next_offset = excluded.next_offset, updated_at = excluded.updated_at,
                  finished_at = excluded.finished_at
                """
        ).execute(arguments: [
            mailbox, root, authentication, file, identity.device, identity.inode, identity.size, identity.modifiedAt,
            nextOffset, time,
            isFinished ? time : nil,
        ])
    }
}
