internal import GRDB
public import Ledger

/// "Always this payee": an alias offered to a person who corrected the merchant's name.
public struct AliasOffer: Hashable, Sendable {
    public var transactionID: Int64
    public var alias: String
    public var kind: VendorMapping.Kind
    /// The corrected name.
    public var payee: String
    /// Number of transactions that would change.
    public var count: Int
    /// Number of those that are not booked yet: drafts that wait for review.
    public var waitingCount = 0
}

extension PayeeRepository {
    /// The alias to offer after a person corrected the merchant of a transaction. It takes effect only through
    /// ``accept(_:by:)``.
    /// - Returns: `nil` if the name was not corrected, the offer was refused, the aliases give this payee already, or
    ///   no word of the printed name identifies the merchant.
    public func offer(for transaction: Int64) throws(StoreError) -> AliasOffer? {
        try read { db in
            guard let row = try TransactionRow.current(db, transaction), let name = row.vendor,
                NewPayee(name: name).problems.isEmpty, let printed = try Self.printedName(of: row, db),
                let keyword = MerchantKeyword(merchant: printed, vpa: row.vpa),
                keyword.kind == .keyword || keyword.kind == .vpa
            else { return nil }
            let isRefused = try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM refused_aliases WHERE alias = ? AND kind = ? AND payee = ?)",
                arguments: [keyword.keyword, keyword.kind.rawValue, name])
            let rules = try MappingRows.rules(db)
            let current = rules.matches(CategoryFacts(merchant: printed, vpa: row.vpa)).payee
            guard isRefused != true, current?.name.lowercased() != name.lowercased() else { return nil }
            var alias = VendorMapping(
                id: .min, keyword: keyword.keyword, categoryID: 0, category: "", isUserDefined: true, kind: keyword.kind
            )
            alias.payee = PayeeName(id: .max, name: name)
            let after = CategoryRules(try MappingRows.all(db) + MappingRows.aliases(db) + [alias])
            var (count, waiting) = (0, 0)
            try PayeeSearch(keyword.keyword, keyword.kind, before: rules, after: after, db).each(db) { row, _ in
                count += 1
                if row.status == .needsReview { waiting += 1 }
            }
            return AliasOffer(
                transactionID: transaction, alias: keyword.keyword, kind: keyword.kind, payee: name, count: count,
                waitingCount: waiting)
        }
    }

    /// Gives the alias to the payee of this name, which is made if there is none, and the payee to the corrected
    /// transaction. Recorded in the journal as one group.
    @discardableResult
    public func accept(_ offer: AliasOffer, by actor: Actor, group: String? = nil) throws(StoreError) -> PayeeChange
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let journal = Journal(db, actor, time: time, group: group)
            let known = try Int64.fetchOne(
                db, sql: "SELECT id FROM payees WHERE name = ? AND merged_into IS NULL", arguments: [offer.payee])
            let id = try known ?? journal.add(payee: NewPayee(name: offer.payee))
            var changed = try journal.add(alias: NewAlias(offer.alias), to: id, "alias")
            if known == nil { changed += try journal.addName(of: id, offer.payee) }
            if let row = try TransactionRow.current(db, offer.transactionID), row.payeeID != id {
                var edit = TransactionEdit()
                edit.payeeID = .set(id)
                _ = try journal.asRule.change(row.id, edit, expecting: nil)
                changed += 1
            }
            return PayeeChange(row: try PayeeRow.expected(id, nil, db), changed: changed, group: journal.group)
        }
    }

    /// Refuses an offer: it is not made again for this name and payee. A repetition is not an error.
    public func refuse(_ offer: AliasOffer) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO refused_aliases (alias, kind, payee, refused_at) VALUES (?, ?, ?, ?)",
                arguments: [offer.alias, offer.kind.rawValue, offer.payee, time])
        }
    }

    /// The merchant before its first correction; `nil` if it was not corrected.
    private static func printedName(of row: TransactionRow, _ db: Database) throws -> String? {
        let printed = try String.fetchOne(
            db,
            sql: """
                SELECT before ->> '$.transaction.parsed_vendor' FROM changes
                WHERE transaction_id = ?1 AND undone_by IS NULL AND done <> 'undone'
                  AND json_type(before, '$.transaction') = 'object'
                  AND before ->> '$.transaction.parsed_vendor' <> coalesce(after ->> '$.transaction.parsed_vendor', '')
                ORDER BY id LIMIT 1
                """, arguments: [row.id])
        return printed == row.vendor ? nil : printed
    }
}
