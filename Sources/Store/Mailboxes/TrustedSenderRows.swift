import Access
public import Chronology
internal import GRDB
public import Ledger

/// A row of `trusted_senders`.
public struct TrustedSenderRow: Hashable, Sendable {
    public var sender: TrustedSender
    /// Draft whose acceptance made the address trusted; `nil` if a person entered it.
    public var transactionID: Int64?
    public var actor: Actor
    /// ISO 8601 UTC.
    public var trustedAt: UnixTime

    init(_ row: Row) {
        sender = TrustedSender(address: row["address"], bank: row["bank"])
        transactionID = row["transaction_id"]
        actor = Actor(Actor.Kind(rawValue: row["actor_kind"]) ?? .client, row["actor_name"])
        trustedAt = row["trusted_at"]
    }
}

extension TrustedSenderRepository {
    /// All rows, by bank and address.
    public func all() throws(StoreError) -> [TrustedSenderRow] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM trusted_senders ORDER BY bank, address").map(TrustedSenderRow.init)
        }
    }

    /// The sender that became trusted when a draft was accepted; `nil` if none did.
    public func learned(by id: ReviewID) throws(StoreError) -> TrustedSenderRow? {
        try read { db in
            guard let transaction = try ReviewRows.find(db, id)?.transaction else { return nil }
            return try Row.fetchOne(
                db, sql: "SELECT * FROM trusted_senders WHERE transaction_id = ?", arguments: [transaction]
            ).map(TrustedSenderRow.init)
        }
    }

    /// The caller must check that the address is at a domain of the bank.
    /// - Returns: true if the address was not trusted before.
    @discardableResult
    public func trust(_ sender: TrustedSender, by actor: Actor = .terminal) throws(StoreError) -> Bool
    where Scope: WriteScope {
        let time = now()
        return try write { db in try TrustedSenderRow.insert(db, sender, transaction: nil, actor, time: time) }
    }

    /// - Returns: true if the address was trusted before.
    @discardableResult
    public func forget(_ address: String) throws(StoreError) -> Bool where Scope: WriteScope {
        try write { db in
            try db.execute(sql: "DELETE FROM trusted_senders WHERE address = ?", arguments: [address.lowercased()])
            return db.changesCount > 0
        }
    }
}

extension TrustedSenderRow {
    static func insert(
        _ db: Database, _ sender: TrustedSender, transaction: Int64?, _ actor: Actor, time: UnixTime
    ) throws -> Bool {
        try db.execute(
            sql:
                "INSERT OR IGNORE INTO trusted_senders (address, bank, transaction_id, actor_kind, actor_name, trusted_at) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [sender.address.lowercased(), sender.bank, transaction, actor.kind.rawValue, actor.name, time])
        return db.changesCount > 0
    }

    /// Trusts the sender of a draft that a person accepted unchanged, if the only doubt was that the profile does not
    /// list the address. So the mail was authentic, and a template read it completely. A user must be an owner.
    static func learn(_ db: Database, _ transaction: Int64, _ actor: Actor, time: UnixTime) throws {
        if let user = actor.user, try UserRow.find(user, db)?.role != .owner { return }
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT t.provenance, t.profile, m.from_address, t.provenance ->> '$.authentication'
                    FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
                    WHERE t.id = ? AND t.corrected IS NULL
                    """, arguments: [transaction]), let bank: String = row[1], let address: String = row[2],
            let phrase: String = row[3], AuthenticationWord(of: phrase)?.isProven == true
        else { return }
        let doubts = try Provenance.reasons(db, in: row[0]).filter { $0.weight < 1 }.map(\.factor)
        guard doubts == [.newSender] else { return }
        _ = try insert(db, TrustedSender(address: address, bank: bank), transaction: transaction, actor, time: time)
    }
}
