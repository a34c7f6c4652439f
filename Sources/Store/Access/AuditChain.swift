internal import Codecs
import Crypto
internal import GRDB

/// The hash chain of the audit log. The digest of each event covers the event and the previous digest, so a later
/// change, removal or insertion breaks the chain.
///
/// A digest is the SHA-256 of the previous digest (64 hexadecimal digits; zeros before the first event) and the event's
/// columns `id`, `at`, `event`, `request_id`, `who`, `method`, `route` and `status`. Each is a netstring: length in
/// bytes, `:`, text, `,`. NULL is `-`. The chain has no key: a program that can write the file can also write a whole
/// new chain, which then has another newest digest. The web role therefore logs the newest digest, and
/// ``AuditRepository/proof(of:)`` finds it again.
public struct AuditProof: Equatable, Sendable {
    /// Events that were read.
    public var events = 0
    /// Events that old age removed from the beginning of the log.
    public var pruned = 0
    public var newest: AuditDigest = .start
    /// The first event at which the chain breaks.
    public var broken: Break?
    /// Set if a digest was searched for: whether the chain contains it.
    public var contains: Bool?

    public struct Break: Equatable, Sendable {
        /// Number of the event's row.
        public var id: Int64
        /// The instant as the row states it.
        public var at: String
        /// Set if the event was written by a program that does not continue the chain.
        public var isUnsealed: Bool
    }
}

/// SHA-256 of an event and of the chain before it.
public struct AuditDigest: Hashable, Sendable, CustomStringConvertible {
    static let start = AuditDigest(stored: String(repeating: "0", count: 2 * SHA256.byteCount))
    /// 64 hexadecimal digits in lower case.
    public let description: String

    init(stored text: String) { description = text }

    /// - Parameter text: 64 hexadecimal digits.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == SHA256.byteCount else { return nil }
        description = Hexadecimal.text(bytes)
    }
}

extension AuditRepository {
    /// Reads the whole log and compares each digest with the event.
    ///
    /// - Parameter digest: a former newest digest to search for.
    public func proof(of digest: AuditDigest? = nil) throws(StoreError) -> AuditProof {
        try read { db in
            var proof = AuditProof(contains: digest.map { $0 == .start })
            let anchor = try AuditChain.anchor(db)
            proof.pruned = anchor.pruned
            proof.newest = anchor.digest
            if digest == proof.newest { proof.contains = true }
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM audit_log ORDER BY id")
            while let row = try rows.next() {
                let stored = AuditChain.text(row["digest"]).map(AuditDigest.init(stored:))
                let next = AuditChain.digest(of: row, after: proof.newest)
                guard stored == next else {
                    proof.broken = .init(
                        id: row["id"], at: AuditChain.text(row["at"]) ?? "", isUnsealed: stored == nil)
                    return proof
                }
                proof.events += 1
                proof.newest = next
                if digest == next { proof.contains = true }
            }
            return proof
        }
    }

    /// The digest of the newest event, without a proof of the events before it.
    public func newestDigest() throws(StoreError) -> AuditDigest { try read { try AuditChain.newest($0).digest } }
}

enum AuditChain {
    /// Continues the chain over the events that a transaction added, also those of triggers.
    static func seal(_ db: Database) throws {
        let last = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT digest IS NULL AS open FROM audit_log ORDER BY id DESC LIMIT 1"))
        guard let last, last["open"] else { return }
        var (id, digest) = try newest(db)
        let select = try db.cachedStatement(sql: "SELECT * FROM audit_log WHERE id > ? ORDER BY id LIMIT \(batch)")
        let update = try db.cachedStatement(sql: "UPDATE audit_log SET digest = ? WHERE id = ?")
        while case let rows = try Row.fetchAll(select, arguments: [id]), !rows.isEmpty {
            for row in rows {
                id = row["id"]
                digest = self.digest(of: row, after: digest)
                try update.execute(arguments: [digest.description, id])
            }
        }
    }

    /// Rows in memory at once: the log of an older ledger, which has no digests, may have a million.
    private static let batch = 1000

    /// The newest event of the chain, or the anchor if the log has none.
    static func newest(_ db: Database) throws -> (id: Int64, digest: AuditDigest) {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT id, digest FROM audit_log WHERE digest IS NOT NULL ORDER BY id DESC LIMIT 1"))
        guard let row else { return (0, try anchor(db).digest) }
        return (row["id"], AuditDigest(stored: row["digest"]))
    }

    /// The digest of the newest event that was pruned, and the number of pruned events.
    static func anchor(_ db: Database) throws -> (digest: AuditDigest, pruned: Int) {
        guard let row = try Row.fetchOne(db, sql: "SELECT digest, pruned FROM audit_anchor") else { return (.start, 0) }
        return (AuditDigest(stored: row["digest"]), row["pruned"])
    }

    /// Deletes up to `limit` of the oldest events below a row number and moves the anchor after them.
    ///
    /// - Returns: the number of deleted events.
    static func prune(_ db: Database, before id: Int64, limit: Int) throws -> Int {
        try seal(db)
        let last = try Row.fetchOne(
            db,
            sql: """
                SELECT max(id) AS id, count(*) AS count FROM (
                  SELECT id FROM audit_log WHERE id < ? ORDER BY id LIMIT ?)
                """, arguments: [id, limit])
        guard let last, let newest = last["id"] as Int64? else { return 0 }
        try db.execute(
            sql: """
                INSERT INTO audit_anchor (id, digest, pruned) SELECT 1, digest, ? FROM audit_log WHERE id = ?
                ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, pruned = pruned + excluded.pruned
                """, arguments: [last["count"] as Int, newest])
        try db.execute(sql: "DELETE FROM audit_log WHERE id <= ?", arguments: [newest])
        return db.changesCount
    }

    static func digest(of row: Row, after previous: AuditDigest) -> AuditDigest {
        var hash = SHA256()
        var text = netstring(previous.description)
        for column in ["id", "at", "event", "request_id", "who", "method", "route", "status"] {
            text += self.text(row[column]).map(netstring) ?? "-"
        }
        hash.update(data: Array(text.utf8))
        return AuditDigest(stored: Hexadecimal.text(hash.finalize()))
    }

    /// The text of a column of any type: another program may have written it.
    static func text(_ value: DatabaseValue) -> String? {
        switch value.storage {
        case .null: nil
        case .int64(let number): number.description
        case .double(let number): number.description
        case .string(let text): text
        case .blob(let bytes): Hexadecimal.text(bytes)
        }
    }

    private static func netstring(_ text: String) -> String { "\(text.utf8.count):\(text)," }
}
