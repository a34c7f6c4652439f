import Codecs
import Ledger

/// Templates that are made through the API.
extension Schema {
    static let account = shown([
        ("id", uuid), ("name", shownText), ("card_last_four", maybe), ("sender_email", maybe), ("sender_name", maybe),
        ("subject_pattern", maybe), ("amount_regex", maybe),
        ("date_regex", maybe), ("merchant_regex", maybe), ("account_regex", maybe), ("time_regex", maybe),
        ("sample_email_body", maybe), ("is_active", bool),
        ("currency_default", currency), ("default_transaction_type", words(TransactionType.self)),
        ("created_at", instant), ("updated_at", instant),
    ])

    private static let email = "^[!#$%&'*+/0-9=?A-Z^_`a-z{|}~.-]{1,64}@[a-zA-Z0-9-]{1,63}(\\.[a-zA-Z0-9-]{1,63}){1,7}$"
    private static let accountFields: [(String, JSON)] = [
        ("card_last_four", nullable(text(6, pattern: "^[0-9]{0,6}$"))),
        ("sender_email", nullable(text(254, pattern: "^$|" + email))), ("sender_name", nullable(code(TextLimit.name))),
        ("subject_pattern", nullable(code(TextLimit.pattern, about: "a regular expression (PCRE2)"))),
        ("amount_regex", nullable(code(TextLimit.pattern))),
        ("date_regex", nullable(code(TextLimit.pattern))), ("merchant_regex", nullable(code(TextLimit.pattern))),
        ("account_regex", nullable(code(TextLimit.pattern))),
        ("time_regex", nullable(code(TextLimit.pattern))), ("sample_email_body", nullable(sample(TextLimit.sample))),
        ("is_active", bool), ("currency_default", currency),
        ("default_transaction_type", words(TransactionType.self)),
    ]
    private static let accountName: [(String, JSON)] = [("name", name)]
    static let newAccount = object(
        [("id", nullable(uuid))] + accountName + accountFields + sentBack(["created_at", "updated_at"]),
        required: ["name"])
    static let accountEdit = object(accountName + accountFields + sentBack(["id", "created_at", "updated_at"]))
    static let syncedAccount = object(
        [("id", uuid)] + accountName + accountFields + [("created_at", nullable(instant)), ("updated_at", instant)],
        required: ["id", "name", "updated_at"])
    static let merged = list(
        shown([("id", text()), ("result", words(["created", "updated", "unchanged", "kept", "deleted"]))]))
}
