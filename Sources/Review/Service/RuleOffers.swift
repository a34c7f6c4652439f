internal import InternetMessage
internal import Ledger
internal import ProfileAuthoring
internal import Profiles
public import Store

/// A category as a person chooses it.
public struct CategoryPick: Hashable, Sendable {
    public var category: String
    public var subcategory: String?

    public init(category: String, subcategory: String? = nil) {
        self.category = category
        self.subcategory = subcategory
    }

    public var text: String { category + (subcategory.map { " / \($0)" } ?? "") }
}

/// A rule offered after a person chose a category, with some of the booked rows that it would change.
public struct RuleOffer: Sendable {
    public var offer: CategoryOffer
    public var examples: [TransactionRow]
}

extension ReviewService {
    /// Every category, each followed by its subcategories.
    public func categoryPicks() throws(StoreError) -> [CategoryPick] {
        try store.categories.all().flatMap { category in
            [CategoryPick(category: category.name)]
                + category.subcategories.map { CategoryPick(category: category.name, subcategory: $0.name) }
        }
    }

    /// The rule to offer for a transaction whose category a person chose; `nil` if there is none to offer.
    /// - Parameter examples: the maximum number of rows that are given as examples.
    public func offer(forTransaction id: Int64, examples: Int) throws(StoreError) -> RuleOffer? {
        guard let offer = try store.categories.offer(for: id) else { return nil }
        let preview = try store.mappings.preview(offer.mapping, limit: examples)
        return RuleOffer(offer: offer, examples: preview.changes.map(\.row))
    }

    /// Makes the offered rule.
    /// - Parameter past: also applies it to booked rows.
    /// - Returns: the group of changes, if any row or rule changed, and the number of changed rows.
    @discardableResult
    public func apply(_ offer: CategoryOffer, toPast past: Bool) throws(StoreError) -> (group: String?, changed: Int)
    where Scope: WriteScope {
        let applied = try store.mappings.apply(offer.mapping, to: past, by: actor)
        return (applied.group, applied.changed)
    }

    /// Records that this rule is not offered again.
    public func refuse(_ offer: CategoryOffer) throws(StoreError) where Scope: WriteScope {
        try store.categories.refuse(offer)
    }

    /// The correction by which a template can be mended: only fields that a person corrected and that the mail prints.
    /// `nil` if there is none, or if the mail is not retained. Parses the mail.
    public func profileFix(forTransaction id: Int64) throws(StoreError) -> ProfileFix? {
        guard var fix = try store.review.profileFix(for: id), let row = try store.transactions.find(id),
            let mail = row.mailID, let bytes = try store.mails.raw(ofMail: mail)
        else { return nil }
        let printed = row.printedValues(in: Message(parsing: bytes))
        fix.fields = fix.fields.filter { printed[$0] != nil }
        return fix.fields.isEmpty ? nil : fix
    }
}

extension TransactionRow {
    /// The field values that the mail prints. A date taken from the mail's arrival, for example, is in the ledger only.
    func printedValues(in message: Message) -> [Field: String] {
        fieldValues.filter { MarkedMail.prints($1, as: $0, in: message) }
    }
}
