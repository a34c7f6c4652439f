import Codecs
import Ledger
import Store

/// Mails, their review, and the changes of a person.
extension Schema {
    static let mail = shown([
        ("id", uuid), ("mailbox", shownText), ("folder", shownText), ("message_id", maybe), ("from_address", maybe),
        ("subject", maybe), ("sent_at", nullable(instant)),
        ("received_at", nullable(instant)), ("processed_at", instant), ("status", words(Outcome.self)),
        ("error_message", maybe), ("profile", maybe), ("template", maybe),
        ("reviewed_at", nullable(instant)),
    ])
    static let mailDetail = shown([
        ("mail", ref("Mail")), ("transaction_id", nullable(integer())), ("duplicate_of", maybe),
        ("attempts", integer()), ("authentication", maybe), ("authserv_id", maybe), ("waits", bool),
        ("reasons", list(ref("Reason"))), ("text", maybe),
    ])
    static let reason = shown([("factor", shownText), ("weight", number), ("note", shownText)])
    static let reviewItem = shown([
        ("id", shownText), ("confidence_score", number), ("reasons", list(ref("Reason"))),
        ("transaction", nullable(ref("Transaction"))), ("mail", nullable(ref("Mail"))),
        ("possible_duplicate", nullable(ref("Transaction"))), ("alike", integer()),
        ("lacks_direction", bool),
    ])
    static let change = shown([
        ("id", integer()), ("at", instant), ("actor", shown([("kind", shownText), ("name", shownText)])),
        ("done", words(LedgerChange.Kind.self)), ("transaction_id", nullable(integer())), ("mail_id", maybe),
        ("before", .object([])), ("after", .object([])), ("group_id", shownText), ("undoes", nullable(integer())),
        ("is_undone", bool),
    ])
}
