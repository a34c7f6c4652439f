internal import Codecs
import Ledger
public import Store

/// A value of a transaction that an edit changed.
public struct ChangedValue: Hashable, Sendable {
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case amount
        case type = "transaction_type"
        case status
        case date = "parsed_date"
        case time = "parsed_time"
        case merchant = "parsed_vendor"
        case category = "category_name"
        case subcategory
        case account = "account_digits"
        case channel
        case reference, vpa, notes, tags
    }

    public var field: Field
    /// As stored; `nil` for none.
    public var before: String?
    public var after: String?
}

extension LedgerChange {
    /// The values of a transaction that an edit changed, in the order of ``ChangedValue/Field``. Empty for the edit of
    /// another row, and for one that added or removed the transaction.
    public var changedValues: [ChangedValue] {
        guard let before = Snapshot(before), let after = Snapshot(after) else { return [] }
        return ChangedValue.Field.allCases.compactMap { field in
            let (old, new) = (before.value(field), after.value(field))
            return old == new ? nil : ChangedValue(field: field, before: old, after: new)
        }
    }

    /// The values of a transaction in an entry of the journal.
    private struct Snapshot {
        let row: [String: JSON]
        let tags: String?

        init?(_ text: String) {
            guard case .object(let members)? = try? JSON(parsing: Array(text.utf8)) else { return nil }
            let whole = Dictionary(members) { $1 }
            guard case .object(let row)? = whole["transaction"] else { return nil }
            self.row = Dictionary(row) { $1 }
            tags = whole["tags"]?.elements?.compactMap(\.textValue).joined(separator: ", ")
        }

        func value(_ field: ChangedValue.Field) -> String? {
            switch field {
            case .tags: tags
            case .amount: amount
            default: text(field.rawValue)
            }
        }

        private var amount: String? {
            guard case .integer(let units)? = row["amount_minor"], let code = text("currency"),
                let currency = Currency(code: code)
            else { return nil }
            return Money(minorUnits: units, currency: currency).description
        }

        private func text(_ column: String) -> String? {
            switch row[column] {
            case .string(let text)?: text.isEmpty ? nil : text
            case .integer(let number)?: number.description
            default: nil
            }
        }
    }
}
