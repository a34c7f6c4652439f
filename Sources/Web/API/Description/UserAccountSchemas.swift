import Codecs
import Ledger

/// The user's accounts.
extension Schema {
    static let userAccount = shown([
        ("id", integer()), ("name", shownText), ("type", words(UserAccountType.self)), ("institution", maybe),
        ("account_number_last4", maybe), ("currency", currency), ("initial_balance", decimal),
        ("initial_balance_date", nullable(date)), ("credit_limit", nullable(decimal)), ("is_active", bool),
        ("is_new", bool), ("is_private", bool), ("color", maybe), ("icon", maybe), ("linked_parser_id", maybe),
        ("merged_into", nullable(integer())),
        (
            "numbers",
            list(
                shown([
                    ("profile", shownText), ("digits", shownText), ("first_seen", nullable(date)),
                    ("last_seen", nullable(date)),
                ]))
        ), ("created_at", instant), ("updated_at", instant),
    ])

    static let userAccountEdit = object([
        ("name", line(TextLimit.name)), ("type", words(UserAccountType.self)),
        ("institution", nullable(line(TextLimit.name))),
        ("account_number_last4", nullable(text(20, pattern: "^[0-9A-Za-z]{1,20}$"))), ("currency", currency),
        ("initial_balance", signedAmount), ("initial_balance_date", nullable(date)),
        ("credit_limit", nullable(amount)), ("is_active", bool), ("is_new", bool),
        ("color", nullable(text(pattern: "^#[0-9A-Fa-f]{6}$"))), ("icon", nullable(line(TextLimit.name))),
        ("linked_parser_id", nullable(uuid)),
    ])

    static let accountBalance = shown([
        ("balance", decimal), ("currency", currency), ("basis", words(["printed", "initial"])),
        ("transaction_id", nullable(integer())), ("at", nullable(instant)), ("movements", integer()),
        ("foreign", list(shown([("amount", decimal), ("currency", currency)]))), ("available", nullable(decimal)),
    ])

    static let accountFindings = shown([
        ("windows", integer()), ("holds", integer()), ("is_drifting", bool),
        (
            "findings",
            list(
                shown([
                    ("from_id", nullable(integer())), ("to_id", nullable(integer())),
                    ("from_notice", nullable(integer())), ("to_notice", nullable(integer())), ("start", instant),
                    ("end", instant),
                    ("gap", decimal), ("currency", currency), ("sentence", shownText),
                    (
                        "causes",
                        list(
                            shown([
                                ("kind", words(["draft", "wrong_direction", "booked_twice", "outlier"])),
                                ("transaction_ids", list(integer())), ("sentence", shownText),
                            ]))
                    ),
                ]))
        ),
    ])
}
