internal import GRDB
public import Ledger

/// "Always for this merchant": a mapping offered to a person who chose a category.
public struct CategoryOffer: Hashable, Sendable {
    public var transactionID: Int64
    public var keyword: String
    public var kind: VendorMapping.Kind
    public var category: String
    public var subcategory: String?
    /// Number of other rows that it would change, and of rows that keep a person's choice.
    public var count: Int
    public var stayingCount: Int
    /// Number of the rows in ``count`` that are not booked yet: drafts that wait for review.
    public var waitingCount = 0

    public var mapping: NewMapping {
        NewMapping(keyword: keyword) {
            $0.category = category
            $0.subcategory = subcategory
            $0.kind = kind
        }
    }
}

extension CategoryRepository {
    /// The mapping to offer after a person chose the category of a transaction. It takes effect only through
    /// ``applyMapping(_:to:by:)``.
    /// - Returns: `nil` if no person chose, the offer was refused, the rules give this result already, the category
    ///   does not exist, or no keyword of the merchant's name is specific enough.
    public func offer(for transaction: Int64) throws(StoreError) -> CategoryOffer? {
        let found: CategoryOffer? = try read { db in
            guard let row = try TransactionRow.current(db, transaction), row.categoryBy == .person,
                row.category != CategoryRow.uncategorized,
                let keyword = MerchantKeyword(merchant: row.vendor, vpa: row.vpa),
                let category = try String.fetchOne(
                    db, sql: "SELECT name FROM categories WHERE name = ?", arguments: [row.category])
            else { return nil }
            let subcategory = try row.subcategory.flatMap { name in
                try String.fetchOne(
                    db,
                    sql:
                        "SELECT s.name FROM subcategories s JOIN categories c ON c.id = s.category_id WHERE c.name = ? AND s.name = ?",
                    arguments: [category, name])
            }
            let isRefused = try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM refused_offers WHERE vendor_keyword = ? AND kind = ? AND category_name = ? AND subcategory = ?)",
                arguments: [keyword.keyword, keyword.kind.rawValue, category, subcategory ?? ""])
            guard isRefused != true else { return nil }
            if let match = try MappingRows.rules(db).match(CategoryFacts(row)), match.mapping.category == category,
                match.mapping.subcategory == subcategory
            {
                return nil
            }
            return CategoryOffer(
                transactionID: transaction, keyword: keyword.keyword, kind: keyword.kind, category: category,
                subcategory: subcategory, count: 0, stayingCount: 0)
        }
        guard var offer = found else { return nil }
        let preview = try MappingRepository<Scope>(access: access).preview(offer.mapping, limit: 0)
        offer.count = preview.count
        offer.stayingCount = preview.stayingCount
        offer.waitingCount = preview.waitingCount
        return offer
    }

    /// Refuses an offer: it is not made again for this merchant and category. A repetition is not an error.
    public func refuse(_ offer: CategoryOffer) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try db.execute(
                sql:
                    "INSERT OR IGNORE INTO refused_offers (vendor_keyword, kind, category_name, subcategory, refused_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [offer.keyword, offer.kind.rawValue, offer.category, offer.subcategory ?? "", time])
        }
    }
}
