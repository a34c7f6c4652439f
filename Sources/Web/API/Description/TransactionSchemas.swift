import Codecs
import Ledger
import Store

/// Transactions, and the links and transfers between them.
extension Schema {
    static let transaction = shown([
        ("id", integer()), ("source_email_id", maybe), ("idempotency_key", maybe), ("ledger", shownText),
        ("category_name", shownText), ("subcategory", maybe), ("category_why", maybe),
        ("category_by", nullable(words(CategoryChoice.self))),
        ("currency", currency), ("parsed_amount", text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")), ("account_name", maybe),
        ("account_id", maybe), ("user_account_id", nullable(integer())), ("account_digits", maybe),
        ("recorder", words(["Auto", "Manual", "Import", "SMS"])), ("parsed_date", date),
        ("parsed_time", nullable(time)), ("parsed_vendor", maybe), ("notes", maybe),
        ("transaction_type", words(TransactionType.self)), ("status", words(TransactionStatus.self)),
        ("confidence_score", nullable(number)),
        ("channel", nullable(words(Channel.self))), ("reference", maybe), ("vpa", maybe), ("mcc", maybe),
        ("profile", maybe), ("balance", maybe), ("credit_limit", maybe),
        ("occurred_at", instant), ("duplicate_of", nullable(integer())), ("created_at", instant),
        ("updated_at", instant), ("user_edited_at", nullable(instant)), ("tags", list(shownText)),
        ("payee_id", nullable(integer())), ("payee", maybe), ("is_split", bool),
        ("transfer", nullable(shown([("id", integer()), ("other_id", nullable(integer()))]))), ("revision", integer()),
        ("direction", nullable(words(["out", "in"]))),
    ])

    private static let edited: [(String, JSON)] = [
        ("ledger", line(TextLimit.name)), ("category_name", line(TextLimit.name)),
        ("subcategory", nullable(line(TextLimit.name))), ("currency", currency),
        ("parsed_amount", amount), ("account_name", nullable(line(TextLimit.name))), ("account_id", nullable(uuid)),
        ("user_account_id", nullable(integer(1))), ("payee_id", nullable(integer(1))),
        ("account_digits", nullable(text(20, pattern: "^[0-9A-Za-z]{1,20}$"))),
        ("parsed_date", date), ("parsed_time", nullable(time)), ("parsed_vendor", nullable(line(TextLimit.merchant))),
        ("notes", nullable(lines(TextLimit.notes))),
        ("transaction_type", words(TransactionType.self)), ("status", words(TransactionStatus.self)),
        ("channel", nullable(words(Channel.self))),
        ("reference", nullable(line(TextLimit.reference))), ("vpa", nullable(line(TextLimit.reference))),
    ]

    static let newTransaction = object(
        edited + [
            ("recorder", words(NewTransaction.Recorder.self)), ("idempotency_key", nullable(line(TextLimit.key))),
            ("tags", list(tag, atMost: Tag.maximum)),
        ],
        required: ["parsed_amount", "parsed_date", "transaction_type"])

    /// Members that clients send back unchanged. They are ignored.
    static let ignored = [
        "id", "source_email_id", "idempotency_key", "recorder", "confidence_score", "profile", "balance",
        "credit_limit", "occurred_at", "duplicate_of", "created_at",
        "updated_at", "user_edited_at", "provenance",
        "category_why", "category_by", "mcc", "transfer", "direction", "payee", "is_split",
    ]
    /// A word; see ``Tag``.
    private static let tag = text(TextLimit.tag, pattern: "^[^\(controls)\\s,]+$", minimum: 1)
    static let transactionEdit = object(
        edited + [("tags", list(tag, atMost: Tag.maximum)), ("revision", integer(1))] + sentBack(ignored))

    static let transfer = shown([
        ("id", integer()), ("state", words(TransferRow.State.self)), ("debit", nullable(ref("Transaction"))),
        ("credit", nullable(ref("Transaction"))), ("evidence", shownText),
        ("why", shownText), ("is_made_by_person", bool), ("created_at", instant), ("updated_at", instant),
    ])
    static let proposal = shown([
        ("kind", words(EventLinkKind.allCases.map(\.rawValue) + ["transfer"])), ("id", integer()),
        ("from", nullable(ref("Transaction"))), ("to", nullable(ref("Transaction"))), ("confidence", nullable(number)),
        ("evidence", shownText), ("why", shownText), ("accept", shownText), ("reject", shownText),
    ])
    static let transactionLink = shown([
        ("id", integer()), ("kind", words(EventLinkKind.self)), ("state", words(EventLinkRow.State.self)),
        ("from", ref("Transaction")), ("to", ref("Transaction")),
        ("confidence", number), ("evidence", shownText), ("why", shownText), ("is_made_by_person", bool),
        ("created_at", instant), ("updated_at", instant),
    ])
    static let offer = shown([
        ("transaction_id", integer()), ("vendor_keyword", shownText), ("kind", words(VendorMapping.Kind.self)),
        ("category_name", shownText), ("subcategory", maybe),
        ("count", integer()), ("waiting_count", integer()), ("staying_count", integer()), ("sentence", shownText),
    ])
}
