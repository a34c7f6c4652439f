import Chronology
import Ledger
import Review
import Store

/// The form of a budget. If it cannot be saved, it is shown again as it was typed.
struct BudgetForm: Sendable {
    /// The value of a ``CategorySelection``.
    var category = ""
    var amount = ""
    var currency: String
    var period = CalendarPeriod.month.rawValue
    var rollsOver = false
    var start = ""
    var problems: [String] = []

    /// An empty form, with the category of the address.
    init(in ledger: Snapshot, _ query: FormFields) {
        currency = ledger.homeCurrency.code
        start = ledger.today.description
        category = query.text("category") ?? ""
    }

    init(_ row: BudgetRow) {
        category = "\(row.categoryID)" + (row.subcategoryID.map { ".\($0)" } ?? "")
        amount = row.budget.amount.decimal
        currency = row.budget.amount.currency.code
        period = row.budget.period.rawValue
        rollsOver = row.budget.rollsOver
        start = row.budget.start.description
    }

    init(_ fields: FormFields) {
        category = fields.text("category") ?? ""
        amount = fields.text("amount") ?? ""
        currency = (fields.text("currency") ?? "").uppercased()
        period = fields.text("period") ?? period
        rollsOver = fields["rolls_over"] != nil
        start = fields.text("start") ?? ""
    }

    /// Returns the values; `nil` with ``problems`` if one is invalid.
    /// - Throws: `PageProblem` for a category that does not exist.
    mutating func budget(_ categories: [CategoryRow]) throws -> NewBudget? {
        var reader = FieldReader()
        if category.isEmpty { reader.problems.append(PageText.of("budgets.choose-category")) }
        let unit = reader.read(PageText.of("common.currency")) { () throws(FieldInputError) in
            try FieldInput.currency(currency)
        }
        let money = unit.flatMap { unit in
            reader.read(PageText.of("budgets.limit")) { () throws(FieldInputError) in
                try FieldInput.amount(amount, unit)
            }
        }
        let kind = reader.read(PageText.of("common.period")) { () throws(FieldInputError) in
            try FieldInput.choice(period, "a period", of: CalendarPeriod.self)
        }
        let day = reader.read(PageText.of("common.first-day")) { () throws(FieldInputError) in
            try FieldInput.date(start)
        }
        problems = reader.problems
        guard problems.isEmpty, let money, let kind, let day else { return nil }
        let target = try CategorySelection(category, among: categories)
        let budget = Budget(amount: money, period: kind, rollsOver: rollsOver, start: day)
        problems = budget.problems.map { $0.sentence(["amount": PageText.of("budgets.limit")]) }
        guard problems.isEmpty else { return nil }
        return NewBudget(category: target.category, subcategory: target.subcategory, budget: budget)
    }
}
