import Chronology
public import Codecs
import Ledger
public import Store

extension TransactionRow {
    /// The transaction with all of its fields.
    public var json: JSON {
        .object([
            ("id", .integer(id)), ("date", JSON(describing: date)), ("time", JSON(describing: time)),
            ("type", .string(type.rawValue)),
            ("amount", .string(amount.decimal)),
            ("currency", .string(amount.currency.code)), ("merchant", JSON(vendor)), ("category", .string(category)),
            ("subcategory", JSON(subcategory)), ("category_why", JSON(categoryWhy)),
            ("category_by", JSON(categoryBy?.rawValue)),
            ("bank", JSON(profile)), ("account_name", JSON(accountName)), ("account", JSON(accountDigits)),
            ("channel", JSON(channel?.rawValue)), ("reference", JSON(reference)), ("vpa", JSON(vpa)),
            ("mcc", JSON(mcc)),
            ("balance", JSON(balance?.decimal)), ("limit", JSON(limit?.decimal)), ("status", .string(status.rawValue)),
            ("confidence", confidence.map(JSON.number) ?? .null), ("recorder", .string(recorder)),
            ("ledger", .string(ledger)), ("notes", JSON(notes)), ("tags", .array(tags.map(JSON.string))),
            ("payee", JSON(payee)), ("payee_id", JSON(payeeID)), ("is_split", .bool(isSplit)),
            ("duplicate_of", JSON(duplicateOf)), ("provenance", JSON.parsed(provenance)),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}
