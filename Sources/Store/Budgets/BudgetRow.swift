public import Chronology
internal import GRDB
public import Ledger

/// A row of `budgets` with the names of its category.
public struct BudgetRow: Hashable, Sendable {
    public var id: Int64
    public var categoryID: Int64
    public var category: String
    /// `nil` for the whole category.
    public var subcategoryID: Int64?
    public var subcategory: String?
    public var budget: Budget
    public var createdAt: UnixTime
    public var updatedAt: UnixTime

    /// `Food / Groceries`.
    public var target: String { category + (subcategory.map { " / \($0)" } ?? "") }

    static let select = """
        SELECT b.*, c.name AS category, s.name AS subcategory
        FROM budgets b JOIN categories c ON c.id = b.category_id LEFT JOIN subcategories s ON s.id = b.subcategory_id
        """

    static func current(_ db: Database, _ id: Int64) throws -> BudgetRow? {
        try Row.fetchOne(db, sql: "\(select) WHERE b.id = ?", arguments: [id]).map(BudgetRow.init)
    }

    init(_ row: Row) {
        id = row["id"]
        categoryID = row["category_id"]
        category = row["category"]
        subcategoryID = row["subcategory_id"]
        subcategory = row["subcategory"]
        budget = Budget(
            amount: Money(minorUnits: row["amount_minor"], currency: Currency(code: row["currency"] as String) ?? .inr),
            period: CalendarPeriod(rawValue: row["period"]) ?? .month, rollsOver: row["rolls_over"],
            start: row["starts_on"])
        createdAt = row["created_at"]
        updatedAt = row["updated_at"]
    }
}

/// A budget to be written, with its category by name.
public struct NewBudget: Hashable, Sendable {
    public var category: String
    /// `nil` for the whole category.
    public var subcategory: String?
    public var budget: Budget

    public init(category: String, subcategory: String? = nil, budget: Budget) {
        self.category = category
        self.subcategory = subcategory
        self.budget = budget
    }
}

/// A budget with its state on a day.
public struct BudgetReport: Hashable, Sendable {
    public var row: BudgetRow
    public var status: BudgetStatus
}
