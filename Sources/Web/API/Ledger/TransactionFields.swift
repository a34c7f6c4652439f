import Chronology
import Ledger
import Store

extension NewTransaction {
    /// Reads a new transaction; `nil` if `fields` has problems.
    /// - Parameter home: the currency of an amount whose body names none.
    init?(_ fields: inout Fields, home: Currency) {
        let unit = fields.currency("currency") ?? home
        var money: Money?
        if fields.has("parsed_amount") {
            money = fields.requiredAmount("parsed_amount", unit)
        } else {
            fields.refuse("parsed_amount", "is required")
        }
        if !fields.has("parsed_date") { fields.refuse("parsed_date", "is required") }
        let date = fields.date("parsed_date")
        if !fields.has("transaction_type") { fields.refuse("transaction_type", "is required") }
        let type = fields.choice("transaction_type", TransactionType.self)
        let recorder = fields.choice("recorder", Recorder.self) ?? .manual
        var new = NewTransaction(
            amount: money ?? Money(minorUnits: 0, currency: unit), type: type ?? .expense,
            date: date ?? CalendarDate(daysSince1970: 0)
        ) {
            $0.recorder = recorder
        }
        new.time = fields.time("parsed_time").new
        new.merchant = fields.optional("parsed_vendor")
        new.notes = fields.optional("notes")
        new.ledger = fields.optional("ledger")
        new.category = fields.optional("category_name")
        new.subcategory = fields.optional("subcategory")
        new.accountName = fields.optional("account_name")
        new.accountDigits = fields.optional("account_digits")
        new.accountID =
            fields.value("account_id", "must be a UUID") { AccountRow.isUUID($0) ? $0.lowercased() : nil }.new
        new.userAccountID = fields.integer("user_account_id").new
        new.payeeID = fields.integer("payee_id").new
        new.status = fields.choice("status", TransactionStatus.self) ?? .confirmed
        new.channel =
            fields.value("channel", "must be one of: \(Channel.allCases.map(\.rawValue).joined(separator: ", "))") {
                Channel(rawValue: $0)
            }.new
        new.reference = fields.optional("reference")
        new.vpa = fields.optional("vpa")
        new.tags = fields.texts("tags") ?? []
        new.idempotencyKey = fields.optional("idempotency_key")
        for problem in new.problems where fields.isFree(of: problem.field) {
            fields.refuse(problem.field, problem.detail)
        }
        guard money != nil, date != nil, type != nil else { return nil }
        self = new
    }
}

extension TransactionEdit {
    /// - Parameters:
    ///   - old: the current amount, for an edit of only the number or only the currency.
    ///   - home: the currency of an amount that has no other.
    init(_ fields: inout Fields, besides old: Money?, home: Currency) {
        self.init()
        let unit = fields.currency("currency")
        if fields.has("parsed_amount") {
            let currency = unit ?? old?.currency ?? home
            amount = fields.requiredAmount("parsed_amount", currency)
        } else if let unit, let old, unit != old.currency {
            amount = fields.money("currency", old.decimal, unit)
        }
        ledger = fields.notNull("ledger", fields.text("ledger"))
        category = fields.notNull("category_name", fields.text("category_name"))
        subcategory = fields.text("subcategory")
        accountName = fields.text("account_name")
        accountDigits = fields.text("account_digits")
        accountID = fields.value("account_id", "must be a UUID") { AccountRow.isUUID($0) ? $0.lowercased() : nil }
        userAccountID = fields.integer("user_account_id")
        payeeID = fields.integer("payee_id")
        date = fields.date("parsed_date")
        time = fields.time("parsed_time")
        merchant = fields.text("parsed_vendor")
        notes = fields.text("notes")
        type = fields.choice("transaction_type", TransactionType.self)
        status = fields.choice("status", TransactionStatus.self)
        channel = fields.value("channel", "must be one of: \(Channel.allCases.map(\.rawValue).joined(separator: ", "))")
        { Channel(rawValue: $0) }
        reference = fields.text("reference")
        vpa = fields.text("vpa")
        tags = fields.texts("tags")
        for problem in problems { fields.refuse(problem.field, problem.detail) }
    }
}
