import Chronology
import Ledger
import Review
import Store

/// The form of a transaction. If it cannot be saved, it is shown again as it was typed.
struct TransactionForm {
    var amount = ""
    var currency: String
    /// Empty if the mail does not give it and a person has not chosen it.
    var type = "expense"
    var date = ""
    var time = ""
    var merchant = ""
    var account = ""
    var reference = ""
    var notes = ""
    /// Separated by blanks; `nil` if the form has no such field.
    var tags: String?
    /// The name of the payee; `nil` if the form has no such field.
    var payee: String?
    /// The value of a ``CategorySelection``; empty keeps the category.
    var category = ""
    var problems: [String] = []

    /// - Parameter lacksDirection: true if the type of the row is a placeholder.
    init(_ row: TransactionRow, _ categories: [CategoryRow], lacksDirection: Bool = false) {
        amount = row.amount.decimal
        currency = row.amount.currency.code
        type = lacksDirection ? "" : row.type.rawValue
        date = row.date.description
        time = row.time?.description ?? ""
        merchant = row.vendor ?? ""
        account = row.accountDigits ?? ""
        reference = row.reference ?? ""
        notes = row.notes ?? ""
        tags = row.tags.joined(separator: " ")
        payee = row.payee ?? ""
        category =
            CategorySelection.choices(categories, chosen: row.category, row.subcategory).first { $0.isChosen }?.value
            ?? ""
    }

    init(day: CalendarDate, currency: Currency) {
        date = day.description
        self.currency = currency.code
    }

    init(_ fields: FormFields) {
        amount = fields.text("amount") ?? ""
        currency = (fields.text("currency") ?? "").uppercased()
        type = fields["type"] == "" ? "" : fields.text("type") ?? "expense"
        date = fields.text("date") ?? ""
        time = fields.text("time") ?? ""
        merchant = fields.text("merchant") ?? ""
        account = fields.text("account") ?? ""
        reference = fields.text("reference") ?? ""
        // Forms send line breaks as CR LF.
        notes = (fields.text("notes") ?? "").replacing("\r\n", with: "\n")
        category = fields.text("category") ?? ""
        tags = fields["tags"]
        payee = fields["payee"]
    }

    private struct Values {
        var money: Money
        var type: TransactionType
        var date: CalendarDate
        var time: TimeOfDay?
    }

    private mutating func values() -> Values? {
        var reader = FieldReader()
        let unit = reader.read(PageText.of("common.currency")) { () throws(FieldInputError) in
            try FieldInput.currency(currency)
        }
        let money = unit.flatMap { unit in
            reader.read(PageText.of("common.amount")) { () throws(FieldInputError) in
                try FieldInput.amount(amount, unit)
            }
        }
        let kind = reader.read(PageText.of("common.type")) { () throws(FieldInputError) in
            try FieldInput.choice(type, "a type", of: TransactionType.self)
        }
        let day = reader.read(PageText.of("common.date")) { () throws(FieldInputError) in try FieldInput.date(date) }
        let clock =
            time.isEmpty
            ? nil : reader.read(PageText.of("common.time")) { () throws(FieldInputError) in try FieldInput.time(time) }
        problems = reader.problems
        guard problems.isEmpty, let money, let kind, let day else { return nil }
        return Values(money: money, type: kind, date: day, time: clock)
    }

    /// Returns the differences to `row`; `nil` with ``problems`` if a value is invalid.
    ///
    /// - Parameter lacksDirection: true if the type of the row is a placeholder: then the chosen type is a difference.
    mutating func edit(
        of row: TransactionRow, _ categories: [CategoryRow], lacksDirection: Bool = false
    ) throws -> TransactionEdit? {
        guard let values = values() else { return nil }
        var edit = TransactionEdit()
        if values.money != row.amount { edit.amount = values.money }
        if lacksDirection || values.type != row.type { edit.type = values.type }
        if values.date != row.date { edit.date = values.date }
        if values.time != row.time { edit.time = values.time.map { .set($0) } ?? .clear }
        func change(_ new: String, _ old: String?) -> Change<String> {
            new == (old ?? "") ? .keep : new.isEmpty ? .clear : .set(new)
        }
        edit.merchant = change(merchant, row.vendor)
        edit.accountDigits = change(account, row.accountDigits)
        edit.reference = change(reference, row.reference)
        edit.notes = change(notes, row.notes)
        edit.tags = tags.map(Tag.list).flatMap { Tag.unique($0) == row.tags ? nil : $0 }
        if !category.isEmpty {
            let choice = try CategorySelection(category, among: categories)
            if choice.category != row.category { edit.category = choice.category }
            if choice.subcategory != row.subcategory {
                edit.subcategory = choice.subcategory.map { .set($0) } ?? .clear
            }
        }
        problems = edit.problems.map { $0.sentence() }
        return problems.isEmpty ? edit : nil
    }

    /// Returns a new transaction; `nil` with ``problems`` if a value is invalid.
    mutating func new(_ categories: [CategoryRow]) throws -> NewTransaction? {
        guard let values = values() else { return nil }
        var new = NewTransaction(amount: values.money, type: values.type, date: values.date) {
            $0.time = values.time
        }
        new.merchant = merchant.isEmpty ? nil : merchant
        new.accountDigits = account.isEmpty ? nil : account
        new.reference = reference.isEmpty ? nil : reference
        new.notes = notes.isEmpty ? nil : notes
        if !category.isEmpty {
            let choice = try CategorySelection(category, among: categories)
            (new.category, new.subcategory) = (choice.category, choice.subcategory)
        }
        problems = new.problems.map { $0.sentence() }
        return problems.isEmpty ? new : nil
    }

    /// Returns the chosen payee, which is made if there is none of this name.
    func payeeChange(
        of row: TransactionRow, in ledger: WriteTransaction, by actor: Actor, group: String
    ) throws -> Change<Int64> {
        guard let payee, payee.singleSpaced != (row.payee ?? "").singleSpaced else { return .keep }
        let typed = payee.singleSpaced
        return typed.isEmpty ? .clear : .set(try ledger.payees.named(typed, by: actor, group: group).id)
    }

    /// States what another edit saved while this form was filled in. The typed values stay in the form.
    func conflict(with saved: TransactionForm) -> [String] {
        let fields: [(String, KeyPath<TransactionForm, String>)] = [
            (PageText.of("common.amount"), \.amount), (PageText.of("common.currency"), \.currency),
            (PageText.of("common.type"), \.type), (PageText.of("common.date"), \.date),
            (PageText.of("common.time"), \.time),
            (PageText.of("common.merchant"), \.merchant), (PageText.of("common.account-digits"), \.account),
            (PageText.of("common.reference"), \.reference), (PageText.of("common.notes"), \.notes),
        ]
        let differences = fields.filter { self[keyPath: $0.1] != saved[keyPath: $0.1] }.map { title, path in
            PageText.of(
                "transaction.saved-now",
                [
                    "field": title,
                    "value": saved[keyPath: path].isEmpty ? PageText.of("transaction.empty") : saved[keyPath: path],
                ])
        }
        return [
            PageText.of("transaction.conflict")
        ]
            + differences + (category != saved.category ? [PageText.of("transaction.other-category")] : [])
    }

    /// Returns the options of the form's selects.
    func choices(_ categories: [CategoryRow]) -> (types: [SelectChoice], categories: [SelectChoice]) {
        let missing = type.isEmpty ? [SelectChoice("", PageText.of("transaction.choose-type"), chosen: type)] : []
        return (
            missing
                + TransactionType.allCases.map {
                    SelectChoice($0.rawValue, PageText.of("type.\($0.rawValue)"), chosen: type)
                },
            CategorySelection.choices(categories, chosen: nil, nil).map {
                SelectChoice($0.value, $0.title, chosen: category)
            }
        )
    }
}

extension String {
    /// The words with one blank between them, as names are compared.
    var singleSpaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
