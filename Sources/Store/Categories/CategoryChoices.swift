internal import GRDB
public import Ledger

extension CategoryFacts {
    /// Facts of a row of the ledger.
    public init(_ row: TransactionRow) {
        self.init(merchant: row.vendor, vpa: row.vpa, mcc: row.mcc)
        amount = row.amount
        account = row.accountDigits
        channel = row.channel
        type = row.type
    }

    init(_ new: NewTransaction) {
        self.init(merchant: new.merchant, vpa: new.vpa)
        amount = new.amount
        account = new.accountDigits
        channel = new.channel
        type = new.type
    }
}

extension TransactionRow {
    /// True if a person or a transfer chose the category, which mappings then never change.
    public var isCategoryChosen: Bool { Self.isChosen(category, by: categoryBy) }

    static func isChosen(_ category: String, by choice: CategoryChoice?) -> Bool {
        choice == .person || choice == .transfer || choice == nil && category != CategoryRow.uncategorized
    }
}

extension TransactionEdit {
    /// Records the author of the category that an edit sets, and applies the rules again if the edit changes their
    /// input.
    func chooseCategory(
        _ old: TransactionRow, _ new: inout TransactionRow, _ journal: Journal
    ) throws {
        if let by = categoryBy {
            new.categoryBy = by
            new.categoryWhy = categoryWhy
            return
        }
        if new.category != old.category || new.subcategory != old.subcategory {
            new.categoryBy = .person
            new.categoryWhy = CategorySentences.chosen(by: journal.actor.name)
            return
        }
        guard !old.isCategoryChosen, CategoryFacts(new) != CategoryFacts(old) else { return }
        let rules = try MappingRows.rules(journal.db)
        let match = rules.match(CategoryFacts(new))
        // If the rules give the same result as before, the recorded reason stays.
        guard match?.mapping.id != rules.match(CategoryFacts(old))?.mapping.id else { return }
        new.give(match)
    }
}

extension TransactionEdit {
    /// Finds the payee again if the edit changes the merchant or the UPI address. A payee that the aliases had not
    /// found, or of whose aliases none matches any more, stays.
    func findPayee(_ old: TransactionRow, _ new: inout TransactionRow, _ db: Database) throws {
        guard payeeID.isKeep, new.vendor != old.vendor || new.vpa != old.vpa else { return }
        let rules = try MappingRows.rules(db)
        guard let found = rules.matches(CategoryFacts(new)).payee,
            old.payeeID == nil || old.payeeID == rules.matches(CategoryFacts(old)).payee?.id
        else { return }
        new.payeeID = found.id
    }
}

extension TransactionRow {
    mutating func give(_ match: CategoryMatch?) {
        category = match?.mapping.category ?? CategoryRow.uncategorized
        subcategory = match?.mapping.subcategory
        categoryBy = match == nil ? nil : .mapping
        categoryWhy = match?.why
    }
}
