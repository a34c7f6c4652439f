internal import GRDB

extension Schema {
    /// Identities of the last messages of each folder, to detect UIDs that a server assigns again.
    static let numberingMarks = """
        CREATE TABLE numbering_marks (
          mailbox TEXT NOT NULL,
          folder TEXT NOT NULL,
          uid_validity INTEGER NOT NULL,
          next_uid INTEGER NOT NULL,
          -- UID:digest, separated by blanks.
          messages TEXT NOT NULL,
          PRIMARY KEY (mailbox, folder)
        ) STRICT, WITHOUT ROWID;
        """
}

/// Identities of the last messages of a folder, from any sender.
public struct NumberingMarks: Hashable, Sendable {
    public var uidValidity: UInt32
    /// Every UID below it was searched in the session that gave the marks.
    public var nextUID: UInt32
    /// Digests by UID.
    public var messages: [UInt32: UInt64]

    public init(uidValidity: UInt32, nextUID: UInt32, messages: [UInt32: UInt64]) {
        self.uidValidity = uidValidity
        self.nextUID = nextUID
        self.messages = messages
    }
}

extension MailboxRepository {
    /// `nil` if the folder has no marks of this numbering.
    public func numberingMarks(of key: FolderKey, uidValidity: UInt32) throws(StoreError) -> NumberingMarks? {
        try read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT next_uid, messages FROM numbering_marks
                        WHERE mailbox = ? AND folder = ? AND uid_validity = ?
                        """), arguments: [key.mailbox, key.folder, uidValidity]
            ).map {
                NumberingMarks(
                    uidValidity: uidValidity, nextUID: $0["next_uid"],
                    messages: NumberingMarks.messages(in: $0["messages"]))
            }
        }
    }

    /// Replaces the marks of a folder.
    public func setNumberingMarks(
        _ marks: NumberingMarks, of key: FolderKey
    ) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO numbering_marks (mailbox, folder, uid_validity, next_uid, messages) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET uid_validity = excluded.uid_validity, next_uid = excluded.next_uid,
                      messages = excluded.messages
                    """
            ).execute(arguments: [key.mailbox, key.folder, marks.uidValidity, marks.nextUID, marks.text])
        }
    }
}

extension NumberingMarks {
    fileprivate var text: String {
        messages.sorted { $0.key < $1.key }.map { "\($0.key):\(String($0.value, radix: 16))" }.joined(separator: " ")
    }

    fileprivate static func messages(in text: String) -> [UInt32: UInt64] {
        let pairs = text.split(separator: " ").compactMap { pair -> (UInt32, UInt64)? in
            let parts = pair.split(separator: ":")
            guard parts.count == 2, let uid = UInt32(parts[0]), let mark = UInt64(parts[1], radix: 16) else {
                return nil
            }
            return (uid, mark)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
