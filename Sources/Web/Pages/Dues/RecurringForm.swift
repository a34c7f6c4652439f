import Chronology
import Ledger
import Review
import Store

/// The form of a recurring item, as typed. If it cannot be saved, it is shown again.
struct RecurringForm: Sendable {
    var name = ""
    var amount = ""
    var currency: String
    /// A ``RuleChoice``.
    var repeats = RuleChoice.monthly.rawValue
    /// The number of days, weeks or months of a choice that needs one.
    var every = "2"
    /// The text of an unusual rule.
    var rule = ""
    /// The first day of a new item, the next day of another.
    var start = ""
    var account = ""
    var mode = RecurringItem.Mode.posted.rawValue
    var isIncome = false
    var problems: [String] = []

    init(in ledger: Snapshot) {
        currency = ledger.homeCurrency.code
        start = ledger.today.description
    }

    init(_ item: RecurringItem, on today: CalendarDate) {
        name = item.name
        amount = item.amount.decimal
        currency = item.amount.currency.code
        let choice = RuleChoice(item.rule, from: item.start)
        repeats = choice.rawValue
        if choice.hasNumber { every = "\(item.rule.interval)" }
        if choice == .other { rule = item.rule.description }
        start = Self.next(of: item, on: today).description
        account = item.account.map { "\($0)" } ?? ""
        mode = item.mode.rawValue
        isIncome = item.isIncome
    }

    init(_ fields: FormFields) {
        name = fields.text("name") ?? ""
        amount = fields.text("amount") ?? ""
        currency = (fields.text("currency") ?? "").uppercased()
        rule = fields.text("rule") ?? ""
        repeats = fields.text("repeats") ?? RuleChoice.other.rawValue
        every = fields.text("every") ?? ""
        start = fields.text("start") ?? ""
        account = fields.text("account") ?? ""
        mode = fields.text("mode") ?? mode
        isIncome = fields["income"] != nil
    }

    var isUnusual: Bool { repeats == RuleChoice.other.rawValue }

    /// The next day of an item, or its first one if none follows.
    private static func next(of item: RecurringItem, on today: CalendarDate) -> CalendarDate {
        item.rule.next(from: item.start, onOrAfter: max(today, item.start)) ?? item.start
    }

    /// Returns the item; `nil` with ``problems`` if a value is invalid.
    ///
    /// - Parameter old: the item to change. Its rule and first day stay unless the form changes one of them: a rule
    ///   that is given anew begins on the next day.
    mutating func item(_ old: RecurringItem? = nil, on today: CalendarDate) -> RecurringItem? {
        var reader = FieldReader()
        let unit = reader.read(PageText.of("common.currency")) { () throws(FieldInputError) in
            try FieldInput.currency(currency)
        }
        let money = unit.flatMap { unit in
            reader.read(PageText.of("common.amount")) { () throws(FieldInputError) in
                try FieldInput.amount(amount, unit)
            }
        }
        let day = reader.read(PageText.of(old == nil ? "common.first-day" : "dues.next-day")) {
            () throws(FieldInputError) in try FieldInput.date(start)
        }
        let kind = reader.read(PageText.of("dues.booked-by")) { () throws(FieldInputError) in
            try FieldInput.choice(mode, "a mode", of: RecurringItem.Mode.self)
        }
        let rule = chosenRule(&reader)
        problems = reader.problems
        guard problems.isEmpty, let money, let day, let kind, let rule else { return nil }
        var item = old ?? RecurringItem(name: name, amount: money, rule: rule, start: day)
        (item.name, item.amount, item.isIncome) = (name, money, isIncome)
        (item.mode, item.account) = (kind, Int64(account))
        if let old {
            let before = RecurringForm(old, on: today)
            if (before.repeats, before.rule, before.start) != (repeats, isUnusual ? self.rule : "", day.description)
                || rule.interval != old.rule.interval && before.every != every
            {
                (item.rule, item.start) = (rule, day)
            }
        }
        problems = item.problems(on: today).map { $0.sentence(["name": PageText.of("dues.payee-or-payer")]) }
        return problems.isEmpty ? item : nil
    }

    private func chosenRule(_ reader: inout FieldReader) -> RecurrenceRule? {
        guard let choice = RuleChoice(rawValue: repeats), choice != .other else {
            do { return try RecurrenceRule(rule) } catch {
                reader.problems.append(PageText.of("dues.rule-problem", ["problem": "\(error)"]))
                return nil
            }
        }
        guard !choice.hasNumber || (1...RecurrenceRule.largestInterval).contains(Int(every) ?? 0) else {
            reader.problems.append(
                PageText.of("dues.number-problem", ["largest": "\(RecurrenceRule.largestInterval)"]))
            return nil
        }
        return choice.rule(every: Int(every) ?? 1)
    }
}
