import Chronology
import Ledger
import Review
import Store

/// The form of a recurring item, as typed. If it cannot be saved, it is shown again.
struct RecurringForm: Sendable {
    var name = ""
    var amount = ""
    var currency: String
    var rule = "FREQ=MONTHLY;BYMONTHDAY=1"
    var start = ""
    var account = ""
    var mode = RecurringItem.Mode.posted.rawValue
    var isIncome = false
    var problems: [String] = []

    init(in ledger: Snapshot) {
        currency = ledger.homeCurrency.code
        start = ledger.today.description
    }

    init(_ fields: FormFields) {
        name = fields.text("name") ?? ""
        amount = fields.text("amount") ?? ""
        currency = (fields.text("currency") ?? "").uppercased()
        rule = fields.text("rule") ?? ""
        start = fields.text("start") ?? ""
        account = fields.text("account") ?? ""
        mode = fields.text("mode") ?? mode
        isIncome = fields["income"] != nil
    }

    /// Returns the item; `nil` with ``problems`` if a value is invalid.
    mutating func item(on today: CalendarDate) -> RecurringItem? {
        var reader = FieldReader()
        let unit = reader.read(PageText.of("common.currency")) { () throws(FieldInputError) in
            try FieldInput.currency(currency)
        }
        let money = unit.flatMap { unit in
            reader.read(PageText.of("common.amount")) { () throws(FieldInputError) in
                try FieldInput.amount(amount, unit)
            }
        }
        let day = reader.read(PageText.of("common.first-day")) { () throws(FieldInputError) in
            try FieldInput.date(start)
        }
        let kind = reader.read(PageText.of("dues.booked-by")) { () throws(FieldInputError) in
            try FieldInput.choice(mode, "a mode", of: RecurringItem.Mode.self)
        }
        var rule: RecurrenceRule?
        do { rule = try RecurrenceRule(self.rule) } catch {
            reader.problems.append(PageText.of("dues.rule-problem", ["problem": "\(error)"]))
        }
        problems = reader.problems
        guard problems.isEmpty, let money, let day, let kind, let rule else { return nil }
        var item = RecurringItem(name: name, isIncome: isIncome, amount: money, rule: rule, start: day)
        (item.mode, item.account) = (kind, Int64(account))
        problems = item.problems(on: today).map { "\($0.field): \($0.detail)." }
        return problems.isEmpty ? item : nil
    }
}
