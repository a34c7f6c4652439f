import Chronology
import Ledger
import Review
import Store

/// The name of a row that an edit changed.
struct ChangeSubject: Sendable {
    /// Stands between this name and the one before.
    var separator = ""
    var name: String
    /// The page of the row; `nil` if it has none or does not exist any more.
    var path: String?
}

/// A value that an edit changed.
struct ChangeDetail: Sendable {
    var field: String
    /// `nil` if the rows of the edit had several values.
    var before: String?
    var after: String
}

/// Puts edits into words: from the values of the journal, and from what the user sees of the rows that they refer to.
struct ChangeWords {
    private let rows: ReferredRows

    init(_ groups: [ChangeGroup], in ledger: Snapshot) throws {
        var (transactions, mails, payees): (Set<Int64>, Set<String>, Set<Int64>) = ([], [], [])
        for change in groups.flatMap(\.sample) {
            if let id = change.transactionID { transactions.insert(id) }
            if let id = change.mailID { mails.insert(id) }
            for value in change.changedValues where value.field == .payee {
                for case .number(let id)? in [value.before, value.after] { payees.insert(id) }
            }
            guard let item = change.item else { continue }
            transactions.formUnion(["transaction_id", "from_id", "to_id"].compactMap(item.number))
            if let id = item.number("payee_id") { payees.insert(id) }
        }
        rows = try ledger.journal.referred(transactions: transactions, mails: mails, payees: payees)
    }

    /// The names of the changed rows. Transactions come last.
    func subjects(_ changes: [LedgerChange], limit: Int) -> [ChangeSubject] {
        let ordered = changes.filter { $0.transactionID == nil } + changes.filter { $0.transactionID != nil }
        return ordered.prefix(limit).enumerated().map { index, change in
            var subject = subject(change)
            subject.separator = index == 0 ? "" : " · "
            return subject
        }
    }

    private func subject(_ change: LedgerChange) -> ChangeSubject {
        if let id = change.transactionID { return transaction(id, change.item) }
        if let id = change.mailID {
            return ChangeSubject(
                name: rows.mails[id] ?? PageText.of("notice.item"),
                path: rows.mails[id] == nil ? nil : "/app/mails/\(id)")
        }
        guard let item = change.item else { return ChangeSubject(name: PageText.of("history.something")) }
        return ChangeSubject(
            name: PageText.of("history.item-\(item.kind.rawValue)", ["name": name(item)]), path: Self.path(item))
    }

    private func transaction(_ id: Int64, _ item: ChangedItem?) -> ChangeSubject {
        let row = rows.transactions[id]
        let path = row == nil ? nil : "/app/transactions/\(id)"
        guard let item, let amount = item.money("amount_minor") ?? row?.amount else {
            return ChangeSubject(name: PageText.of("history.transaction", ["id": "\(id)"]), path: path)
        }
        let merchant = item.text("parsed_vendor") ?? item.text("vpa") ?? PageText.of("common.no-merchant")
        let day = item.text("parsed_date").flatMap { CalendarDate(iso: $0) }.map(DayText.text)
        return ChangeSubject(
            name: [merchant, MoneyText.text(amount), day].compactMap(\.self).joined(separator: ", "), path: path)
    }

    private func name(_ item: ChangedItem) -> String {
        switch item.kind {
        case .mapping: item.text("vendor_keyword") ?? ""
        case .budget: category(item)
        case .alias:
            [item.text("alias"), item.number("payee_id").flatMap { rows.payees[$0] }].compactMap(\.self)
                .joined(separator: " → ")
        case .subcategory:
            [item.number("category_id").flatMap { rows.categories[$0] }, item.text("name")].compactMap(\.self)
                .map(CategoryText.name).joined(separator: " / ")
        case .category: CategoryText.name(item.text("name") ?? "")
        case .learnedForm: item.text("profile") ?? ""
        case .dueLink, .eventLink:
            ["transaction_id", "from_id", "to_id"].compactMap(item.number).map { transaction($0) }
                .joined(separator: ", ")
        case .exchangeRate:
            [
                item.text("base"), item.text("quote"),
                item.text("day").flatMap { CalendarDate(iso: $0) }.map(DayText.text),
            ]
            .compactMap(\.self).joined(separator: " ")
        case .transaction, .account, .payee, .recurring, .savedSearch: item.text("name") ?? ""
        case .settledDue: ""
        }
    }

    private func transaction(_ id: Int64) -> String {
        rows.transactions[id].map {
            "\($0.vendor ?? $0.vpa ?? PageText.of("common.no-merchant")), \(MoneyText.text($0.amount))"
        } ?? PageText.of("history.transaction", ["id": "\(id)"])
    }

    private func category(_ item: ChangedItem) -> String {
        let name = item.number("category_id").flatMap { rows.categories[$0] }
        return name.map { CategoryText.name($0, item.number("subcategory_id").flatMap { rows.subcategories[$0] }) }
            ?? PageText.of("history.deleted-category")
    }

    private static func path(_ item: ChangedItem) -> String? {
        switch item.kind {
        case .mapping, .category, .subcategory: "/app/categories"
        case .budget: "/app/budgets"
        case .recurring, .dueLink, .settledDue: "/app/dues"
        case .savedSearch: "/app/searches"
        default: nil
        }
    }
}

extension ChangeWords {
    /// Leaves out values that name a row which the user does not see, or which is deleted.
    func details(_ values: [ChangedValue]) -> [ChangeDetail] {
        values.compactMap { value in
            guard let after = words(value.after, value.field) else { return nil }
            return ChangeDetail(field: value.field.title, before: words(value.before, value.field), after: after)
        }
    }

    private func words(_ value: ChangedValue.Value?, _ field: ChangedValue.Field) -> String? {
        switch value {
        case nil: PageText.of("common.none-value")
        case .money(let money)?: MoneyText.text(money)
        case .number(let number)?:
            switch field {
            case .categoryID: rows.categories[number].map(CategoryText.name)
            case .subcategoryID: rows.subcategories[number].map(CategoryText.name)
            case .userAccount: rows.accounts[number]
            case .payee: rows.payees[number]
            case .rollsOver, .isActive: PageText.of(number == 0 ? "common.no" : "common.yes")
            case .rate: "\(Double(number) / 1e9)"
            default: "\(number)"
            }
        case .text(let text)?: Self.words(text, field)
        }
    }

    private static func words(_ text: String, _ field: ChangedValue.Field) -> String {
        switch field {
        case .channel: Channel(rawValue: text)?.words ?? text
        case .type: TransactionType(rawValue: text).map { PageText.of("type.\($0.rawValue)") } ?? text
        case .status: TransactionStatus(rawValue: text)?.words ?? text
        case .category, .subcategory: CategoryText.name(text)
        case .date, .start, .initialDay: CalendarDate(iso: text).map(DayText.text) ?? text
        case .period: CalendarPeriod(rawValue: text)?.title ?? text
        case .rule: (try? RecurrenceRule(text)).map(RuleText.words) ?? text
        case .mode: RecurringItem.Mode(rawValue: text)?.title ?? text
        case .accountType: UserAccountType(rawValue: text).map(AccountText.title) ?? text
        default: text
        }
    }
}

extension TransactionStatus {
    fileprivate var words: String {
        switch self {
        case .confirmed: PageText.of("common.booked")
        case .rejected: PageText.of("common.rejected")
        case .needsReview: PageText.of("history.waiting")
        }
    }
}

extension ChangedValue.Field {
    fileprivate var title: String {
        switch self {
        case .name: PageText.of("common.name")
        case .keyword: PageText.of("mapping-form.look-for")
        case .alias: PageText.of("history.alias")
        case .query: PageText.of("common.search")
        case .amount: PageText.of("common.amount")
        case .type, .accountType: PageText.of("common.type")
        case .status, .state: PageText.of("common.state")
        case .date: PageText.of("common.date")
        case .time: PageText.of("common.time")
        case .merchant: PageText.of("common.merchant")
        case .payee: PageText.of("history.payee")
        case .category, .categoryID: PageText.of("common.category")
        case .subcategory, .subcategoryID: PageText.of("categories.subcategory")
        case .account, .userAccount, .lastFour: PageText.of("common.account")
        case .channel: PageText.of("history.channel")
        case .reference: PageText.of("common.reference")
        case .vpa: PageText.of("common.upi-address")
        case .notes: PageText.of("history.note")
        case .tags: PageText.of("history.tags")
        case .parts: PageText.of("history.parts")
        case .minimum: PageText.of("common.amount-from")
        case .maximum: PageText.of("common.amount-to")
        case .period: PageText.of("common.period")
        case .rollsOver: PageText.of("history.rolls-over")
        case .rule: PageText.of("history.repeats")
        case .start, .initialDay: PageText.of("common.first-day")
        case .mode: PageText.of("dues.booked-by")
        case .isActive: PageText.of("history.in-use")
        case .band: PageText.of("history.band")
        case .institution: PageText.of("history.bank")
        case .initialBalance: PageText.of("history.initial-balance")
        case .creditLimit: PageText.of("history.credit-limit")
        case .color: PageText.of("categories.colour")
        case .rate: PageText.of("history.rate")
        }
    }
}
