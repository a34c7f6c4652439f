internal import Codecs
public import Ledger
public import Store

/// A value of a row that an edit changed.
public struct ChangedValue: Hashable, Sendable {
    /// The columns that a reader knows, by their names.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case name
        case keyword = "vendor_keyword"
        case alias, query
        case amount = "amount_minor"
        case type = "transaction_type"
        case status
        case date = "parsed_date"
        case time = "parsed_time"
        case merchant = "parsed_vendor"
        case payee = "payee_id"
        case category = "category_name"
        case subcategory
        case categoryID = "category_id"
        case subcategoryID = "subcategory_id"
        case userAccount = "user_account_id"
        case account = "account_digits"
        case channel
        case reference, vpa, notes, tags, parts
        case minimum = "minimum_minor"
        case maximum = "maximum_minor"
        case period
        case rollsOver = "rolls_over"
        case rule
        case start = "starts_on"
        case mode
        case isActive = "is_active"
        case band = "band_percent"
        case accountType = "type"
        case institution
        case lastFour = "account_number_last4"
        case initialBalance = "initial_balance_minor"
        case initialDay = "initial_balance_date"
        case creditLimit = "credit_limit_minor"
        case color
        case state
        case rate = "billionths"
    }

    /// As stored.
    public enum Value: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case money(Money)
    }

    public var field: Field
    /// `nil` for none.
    public var before: Value?
    public var after: Value?
}

/// The row that an edit was about, with the values that the journal stores.
public struct ChangedItem: Sendable {
    /// The members of a snapshot of the journal.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case transaction, account, mapping, budget, payee, alias, recurring, category, subcategory
        case learnedForm = "learned_form"
        case dueLink = "due_link"
        case settledDue = "settled_due"
        case savedSearch = "saved_search"
        case eventLink = "transaction_link"
        case exchangeRate = "exchange_rate"
    }

    public let kind: Kind
    private let row: [String: JSON]
    private let whole: JSON

    /// - Parameter text: a snapshot; `nil` if the row did not exist.
    fileprivate init?(_ text: String) {
        let whole = JSON.parsed(text)
        for kind in Kind.allCases {
            guard case .object(let members)? = whole[kind.rawValue] else { continue }
            self.kind = kind
            self.whole = whole
            row = Dictionary(members) { $1 }
            return
        }
        return nil
    }

    /// A text or a day; `nil` if it is missing or empty.
    public func text(_ column: String) -> String? {
        guard case .string(let text)? = row[column], !text.isEmpty else { return nil }
        return text
    }

    public func number(_ column: String) -> Int64? { row[column]?.integerValue }

    /// An amount in the currency of the row; in rupees if it has none.
    public func money(_ column: String) -> Money? {
        number(column).map {
            Money(minorUnits: $0, currency: text("currency").flatMap { Currency(code: $0) } ?? .inr)
        }
    }

    fileprivate func value(_ field: ChangedValue.Field) -> ChangedValue.Value? {
        switch field {
        case .tags:
            whole["tags"]?.elements.map { .text($0.compactMap(\.textValue).joined(separator: ", ")) }
        case .parts:
            whole["parts"]?.elements.map { .text($0.compactMap { $0["category"]?.textValue }.joined(separator: ", ")) }
        case .amount, .minimum, .maximum, .initialBalance, .creditLimit:
            money(field.rawValue).map(ChangedValue.Value.money)
        default:
            text(field.rawValue).map(ChangedValue.Value.text)
                ?? number(field.rawValue).map(ChangedValue.Value.number)
        }
    }
}

extension LedgerChange {
    /// The row after the edit, or before one that removed it; `nil` for a mail, and for a row that existed neither
    /// before nor after.
    public var item: ChangedItem? { ChangedItem(after) ?? ChangedItem(before) }

    /// The values that an edit changed, in the order of ``ChangedValue/Field``. Empty for an edit that added or removed
    /// the row.
    public var changedValues: [ChangedValue] {
        guard let before = ChangedItem(before), let after = ChangedItem(after), before.kind == after.kind else {
            return []
        }
        return ChangedValue.Field.allCases.compactMap { field in
            let (old, new) = (before.value(field), after.value(field))
            return old == new ? nil : ChangedValue(field: field, before: old, after: new)
        }
    }
}

extension ChangeGroup {
    /// The values that all transactions of the group changed to the same; a value before that differs is left out.
    public var commonValues: [ChangedValue] {
        let rows = sample.filter { $0.transactionID != nil }.map(\.changedValues).filter { !$0.isEmpty }
        guard let first = rows.first else { return [] }
        return first.compactMap { value in
            let same = rows.compactMap { $0.first { $0.field == value.field && $0.after == value.after } }
            guard same.count == rows.count else { return nil }
            var common = value
            if same.contains(where: { $0.before != value.before }) { common.before = nil }
            return common
        }
    }
}
