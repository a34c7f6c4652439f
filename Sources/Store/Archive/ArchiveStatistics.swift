public import Chronology
internal import GRDB

/// The retained mails of one bank.
public struct ArchivedMails: Hashable, Sendable {
    /// Key of its profile; `nil` for mail of senders that no profile has.
    public let bank: String?
    public let mails: Int
    /// Bytes as the servers gave them, as retained, and as stored in the ledger.
    public let received: Int64
    public let kept: Int64
    public let stored: Int64
    public let compressed: Int
    public let oldest: UnixTime?
}

extension ArchiveRepository {
    /// Sums over the retained mails of each bank, the largest first.
    public func statistics() throws(StoreError) -> [ArchivedMails] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT m.profile AS bank, count(*) AS mails, sum(r.size) AS received, sum(r.kept_size) AS kept,
                      sum(length(r.bytes)) AS stored, sum(r.encoding <> 'identity') AS compressed, min(r.stored_at) AS oldest
                    FROM raw_messages r JOIN processed_emails m ON m.id = r.mail_id GROUP BY m.profile ORDER BY stored DESC, bank
                    """
            ).map {
                ArchivedMails(
                    bank: $0["bank"], mails: $0["mails"], received: $0["received"], kept: $0["kept"],
                    stored: $0["stored"], compressed: $0["compressed"], oldest: $0["oldest"])
            }
        }
    }

    /// Bytes of the dictionaries.
    public func dictionaryBytes() throws(StoreError) -> Int64 {
        try read { db in
            try Int64.fetchOne(db, sql: "SELECT coalesce(sum(length(bytes)), 0) FROM raw_dictionaries") ?? 0
        }
    }
}
