import Chronology
import Codecs
import Ledger
import Store

/// A stored statement or list of payments in the API.
enum StatementJSON {
    private static let maybe = Schema.nullable(Schema.text())

    static let schema = Schema.shown([
        ("id", Schema.integer()), ("source", Schema.text()), ("account_id", Schema.integer()), ("file_name", maybe),
        ("file_hash", Schema.text()), ("read_at", Schema.instant), ("since", Schema.date), ("until", Schema.date),
        ("currency", Schema.currency), ("opening", maybe), ("closing", maybe),
        ("proof", Schema.words(["every_line", "sum", "none"])), ("lines", Schema.integer()),
        ("booked", Schema.integer()), ("open", Schema.integer()), ("omitted", Schema.integer()),
        ("reconciled_at", Schema.nullable(Schema.instant)),
    ])

    static func json(_ row: StatementRow) -> JSON {
        .object([
            ("id", .integer(row.id)), ("source", .string(row.list ?? "statement")),
            ("account_id", .integer(row.account)), ("file_name", JSON(row.fileName)),
            ("file_hash", .string(row.fileDigest)), ("read_at", JSON(describing: row.readAt)),
            ("since", JSON(describing: row.period.first)), ("until", JSON(describing: row.period.last)),
            ("currency", .string(row.currency.code)), ("opening", JSON(row.opening?.decimal)),
            ("closing", JSON(row.closing?.decimal)), ("proof", .string(row.proof.rawValue)),
            ("lines", JSON(row.lines)), ("booked", JSON(row.booked)), ("open", JSON(row.open)),
            ("omitted", JSON(row.omitted)), ("reconciled_at", JSON(describing: row.reconciledAt)),
        ])
    }
}
