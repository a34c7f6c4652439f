import JSONText
import Ledger
import Store

/// JSON Schemas (2020-12) of what the API takes and gives.
enum Schema {
    static func ref(_ name: String) -> JSON { .object([("$ref", .string("#/components/schemas/\(name)"))]) }
    static func list(_ item: JSON) -> JSON { .object([("type", .string("array")), ("items", item)]) }

    static func text(_ limit: Int? = nil, pattern: String? = nil, about: String? = nil, minimum: Int? = nil) -> JSON {
        var members: [(String, JSON)] = [("type", .string("string"))]
        if let minimum { members.append(("minLength", JSON(minimum))) }
        if let limit { members.append(("maxLength", JSON(limit))) }
        if let pattern { members.append(("pattern", .string(pattern))) }
        if let about { members.append(("description", .string(about))) }
        return .object(members)
    }

    static func words(_ words: [String]) -> JSON { .object([("type", .string("string")), ("enum", .array(words.map(JSON.string)))]) }
    static func words<Word: CaseIterable & RawRepresentable>(_: Word.Type) -> JSON where Word.RawValue == String { words(Word.allCases.map(\.rawValue)) }

    static func integer(_ minimum: Int? = nil, _ maximum: Int? = nil) -> JSON {
        var members: [(String, JSON)] = [("type", .string("integer"))]
        if let minimum { members.append(("minimum", JSON(minimum))) }
        if let maximum { members.append(("maximum", JSON(maximum))) }
        return .object(members)
    }

    static let bool: JSON = .object([("type", .string("boolean"))])
    static let number: JSON = .object([("type", .string("number"))])
    static let date: JSON = .object([("type", .string("string")), ("format", .string("date")), ("pattern", .string("^(19[7-9]|20[0-9]|21[0-9])[0-9]-[0-9]{2}-[0-9]{2}$"))])
    static let time = text(pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")
    static let instant: JSON = .object([("type", .string("string")), ("format", .string("date-time"))])
    static let uuid: JSON = .object([("type", .string("string")), ("format", .string("uuid"))])
    static let amount = text(pattern: "^[0-9]{1,13}(\\.[0-9]{1,2})?$", about: "a decimal number; never floating point")
    static let currency = text(pattern: "^[A-Za-z]{3}$")
    /// A text that somebody types: no control characters, not only blanks.
    static func line(_ limit: Int) -> JSON { text(limit, pattern: "^[ -~]*[!-~][ -~]*$", minimum: 1) }
    static func lines(_ limit: Int) -> JSON { text(limit, pattern: "^[ -~\\n\\t]*[!-~][ -~\\n\\t]*$", minimum: 1) }

    static func nullable(_ schema: JSON) -> JSON {
        guard case .object(var members) = schema, let at = members.firstIndex(where: { $0.0 == "type" }), case .string(let type) = members[at].1 else {
            return .object([("anyOf", .array([schema, .object([("type", .string("null"))])]))])
        }
        members[at].1 = .array([.string(type), .string("null")])
        if let words = members.firstIndex(where: { $0.0 == "enum" }), case .array(let list) = members[words].1 { members[words].1 = .array(list + [.null]) }
        return .object(members)
    }

    static func readOnly(_ schema: JSON) -> JSON {
        guard case .object(let members) = schema else { return schema }
        return .object(members + [("readOnly", .bool(true))])
    }

    /// - Parameter isOpen: more members may come later; otherwise unknown ones are refused.
    static func object(_ properties: [(String, JSON)], required: [String] = [], isOpen: Bool = false) -> JSON {
        var members: [(String, JSON)] = [("type", .string("object")), ("properties", .object(properties))]
        if !required.isEmpty { members.append(("required", .array(required.map(JSON.string)))) }
        if !isOpen { members.append(("additionalProperties", .bool(false))) }
        return .object(members)
    }

    /// All are always there.
    static func shown(_ properties: [(String, JSON)]) -> JSON { object(properties, required: properties.map(\.0), isOpen: true) }

    private static let shownText = text()
    private static let maybe = nullable(text())

    static let transaction = shown([
        ("id", integer()), ("source_email_id", maybe), ("idempotency_key", maybe), ("ledger", shownText), ("category_name", shownText), ("subcategory", maybe), ("category_why", maybe),
        ("currency", currency), ("parsed_amount", text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")), ("account_name", maybe), ("account_id", maybe), ("account_digits", maybe),
        ("recorder", words(["Auto", "Manual", "Import", "SMS"])), ("parsed_date", date), ("parsed_time", nullable(time)), ("parsed_vendor", maybe), ("notes", maybe),
        ("transaction_type", words(TransactionType.self)), ("status", words(TransactionStatus.self)), ("confidence_score", nullable(number)),
        ("channel", nullable(words(Channel.self))), ("reference", maybe), ("vpa", maybe), ("mcc", maybe), ("profile", maybe), ("balance", maybe), ("credit_limit", maybe),
        ("occurred_at", instant), ("duplicate_of", nullable(integer())), ("created_at", instant), ("updated_at", instant), ("user_edited_at", nullable(instant)),
        ("revision", integer()),
    ])

    private static let edited: [(String, JSON)] = [
        ("ledger", line(TextLimit.name)), ("category_name", line(TextLimit.name)), ("subcategory", nullable(line(TextLimit.name))), ("currency", currency),
        ("parsed_amount", amount), ("account_name", nullable(line(TextLimit.name))), ("account_id", nullable(uuid)), ("account_digits", nullable(text(20, pattern: "^[0-9A-Za-z]{1,20}$"))),
        ("parsed_date", date), ("parsed_time", nullable(time)), ("parsed_vendor", nullable(line(TextLimit.merchant))), ("notes", nullable(lines(TextLimit.notes))),
        ("transaction_type", words(TransactionType.self)), ("status", words(TransactionStatus.self)), ("channel", nullable(words(Channel.self))),
        ("reference", nullable(line(TextLimit.reference))), ("vpa", nullable(line(TextLimit.reference))),
    ]

    static let newTransaction = object(
        edited + [("recorder", words(NewTransaction.Recorder.self)), ("idempotency_key", nullable(line(TextLimit.key)))],
        required: ["parsed_amount", "parsed_date", "transaction_type"])

    /// What a client got and sends back is not looked at, but for the revision.
    static let ignored = [
        "id", "source_email_id", "idempotency_key", "recorder", "confidence_score", "profile", "balance", "credit_limit", "occurred_at", "duplicate_of", "created_at",
        "updated_at", "user_edited_at", "provenance",
        "category_why", "mcc",
    ]
    private static func sentBack(_ names: [String]) -> [(String, JSON)] { names.map { ($0, readOnly(.object([]))) } }
    static let transactionEdit = object(edited + [("revision", integer(1))] + sentBack(ignored))

    static let account = shown([
        ("id", uuid), ("name", shownText), ("card_last_four", maybe), ("sender_email", maybe), ("sender_name", maybe), ("subject_pattern", maybe), ("amount_regex", maybe),
        ("date_regex", maybe), ("merchant_regex", maybe), ("account_regex", maybe), ("time_regex", maybe), ("sample_email_body", maybe), ("is_active", bool),
        ("currency_default", currency), ("default_transaction_type", words(TransactionType.self)), ("created_at", instant), ("updated_at", instant),
    ])

    private static let accountFields: [(String, JSON)] = [
        ("id", uuid), ("name", line(TextLimit.name)), ("card_last_four", nullable(text(6, pattern: "^[0-9]{1,6}$"))),
        ("sender_email", nullable(text(254, pattern: "^[a-z0-9._+-]{1,60}@[a-z0-9-]{1,60}(\\.[a-z0-9-]{1,60}){1,2}$"))), ("sender_name", nullable(line(TextLimit.name))),
        ("subject_pattern", nullable(text(TextLimit.pattern, about: "a regular expression (PCRE2)"))), ("amount_regex", nullable(text(TextLimit.pattern))),
        ("date_regex", nullable(text(TextLimit.pattern))), ("merchant_regex", nullable(text(TextLimit.pattern))), ("account_regex", nullable(text(TextLimit.pattern))),
        ("time_regex", nullable(text(TextLimit.pattern))), ("sample_email_body", nullable(text(TextLimit.sample))), ("is_active", bool), ("currency_default", currency),
        ("default_transaction_type", words(TransactionType.self)), ("created_at", instant), ("updated_at", instant),
    ]
    static let newAccount = object(accountFields, required: ["name"])
    static let accountEdit = object(accountFields)
    static let syncedAccount = object(accountFields, required: ["id", "name", "updated_at"])
    static let merged = list(shown([("id", text()), ("result", words(["created", "updated", "unchanged", "kept", "deleted"]))]))

    static let subcategory = shown([
        ("id", integer()), ("category_id", integer()), ("name", shownText), ("icon", maybe), ("is_system", bool), ("created_at", instant), ("updated_at", instant),
    ])
    static let category = shown([
        ("id", integer()), ("name", shownText), ("icon", maybe), ("color", maybe), ("is_system", bool), ("created_at", instant), ("updated_at", instant),
        ("subcategories", list(ref("Subcategory"))),
    ])
    private static let color = text(pattern: "^#[0-9A-Fa-f]{6}$")
    static let newCategory = object([("name", text(TextLimit.name, pattern: "^[!-~]([ -~]*[!-~])?$", minimum: 1)), ("icon", nullable(line(TextLimit.name))), ("color", nullable(color))], required: ["name"])
    static let categoryEdit = object(
        [("name", text(TextLimit.name, pattern: "^[!-~]([ -~]*[!-~])?$", minimum: 1)), ("icon", nullable(line(TextLimit.name))), ("color", nullable(color))]
            + sentBack(["id", "is_system", "created_at", "updated_at", "subcategories"]))
    static let newSubcategory = object([("name", text(TextLimit.name, pattern: "^[!-~]([ -~]*[!-~])?$", minimum: 1)), ("icon", nullable(line(TextLimit.name)))], required: ["name"])

    static let mapping = shown([
        ("id", integer()), ("vendor_keyword", shownText), ("category_id", integer()), ("category_name", shownText), ("subcategory_id", nullable(integer())),
        ("subcategory", maybe), ("kind", words(VendorMapping.Kind.self)), ("conditions", .object([("type", .string("object"))])), ("is_user_defined", bool), ("match_count", integer()), ("created_at", instant), ("updated_at", instant),
    ])
    private static let mappingFields: [(String, JSON)] = [
        ("vendor_keyword", text(TextLimit.keyword, pattern: "^[ -~]*[0-9A-Za-z][ -~]*$", minimum: 1)), ("category_id", nullable(integer(1))), ("category_name", nullable(text(TextLimit.name))),
        ("subcategory_id", nullable(integer(1))), ("subcategory", nullable(text(TextLimit.name))), ("kind", words(VendorMapping.Kind.self)), ("conditions", conditions),
    ]
    private static let conditions = nullable(
        object([
            ("amount_from", nullable(amount)), ("amount_to", nullable(amount)), ("currency", nullable(currency)), ("account_digits", nullable(text(20, pattern: "^[0-9]{3,20}$"))),
            ("channel", nullable(words(Channel.self))), ("transaction_type", nullable(words(TransactionType.self))),
        ]))
    static let newMapping = object(
        mappingFields + sentBack(["id", "is_user_defined", "match_count", "created_at", "updated_at"]), required: ["vendor_keyword"])
    static let syncedMapping = object(
        mappingFields + [("updated_at", instant)] + sentBack(["id", "is_user_defined", "match_count", "created_at"]), required: ["vendor_keyword"])
    static let mergedMapping = list(shown([("vendor_keyword", text()), ("result", words(["created", "updated", "unchanged", "kept"]))]))

    static let device = shown([
        ("id", uuid), ("device_token", shownText), ("environment", words(Store.deviceEnvironments)), ("device_name", maybe), ("os_version", maybe), ("is_active", bool),
        ("created_at", instant), ("updated_at", instant),
    ])
    static let newDevice = object(
        [
            ("device_token", text(TextLimit.token, pattern: "^[!-.0-~]+$", minimum: 1)), ("environment", words(Store.deviceEnvironments)),
            ("device_name", nullable(line(TextLimit.name))), ("os_version", nullable(line(TextLimit.name))),
        ], required: ["device_token"])

    static let mail = shown([
        ("id", uuid), ("mailbox", shownText), ("folder", shownText), ("message_id", maybe), ("from_address", maybe), ("subject", maybe), ("sent_at", nullable(instant)),
        ("received_at", nullable(instant)), ("processed_at", instant), ("status", words(Outcome.self)), ("error_message", maybe), ("profile", maybe), ("template", maybe),
        ("reviewed_at", nullable(instant)),
    ])
    static let reason = shown([("factor", shownText), ("weight", number), ("note", shownText)])
    static let reviewItem = shown([
        ("id", shownText), ("confidence_score", number), ("reasons", list(ref("Reason"))), ("transaction", nullable(ref("Transaction"))), ("mail", nullable(ref("Mail"))),
        ("possible_duplicate", nullable(ref("Transaction"))), ("alike", integer()),
    ])
    static let change = shown([
        ("id", integer()), ("at", instant), ("actor", shown([("kind", shownText), ("name", shownText)])),
        ("done", words(["added", "changed", "deleted", "accepted", "rejected", "undone"])), ("transaction_id", nullable(integer())), ("mail_id", maybe),
        ("before", .object([])), ("after", .object([])), ("group_id", shownText), ("undoes", nullable(integer())), ("is_undone", bool),
    ])
    static let problem = object(
        [
            ("type", shownText), ("title", shownText), ("status", integer()), ("detail", shownText), ("request_id", shownText),
            ("errors", list(object([("field", shownText), ("pointer", shownText), ("detail", shownText)], required: ["field", "detail"], isOpen: true))),
        ], required: ["type", "title", "status", "detail"], isOpen: true)

    /// By their names under `#/components/schemas`.
    static let all: [(String, JSON)] = [
        ("Transaction", transaction), ("NewTransaction", newTransaction), ("TransactionEdit", transactionEdit), ("Account", account), ("NewAccount", newAccount),
        ("AccountEdit", accountEdit), ("SyncedAccount", syncedAccount), ("Category", category), ("NewCategory", newCategory), ("CategoryEdit", categoryEdit),
        ("Subcategory", subcategory), ("NewSubcategory", newSubcategory), ("Mapping", mapping), ("NewMapping", newMapping), ("SyncedMapping", syncedMapping),
        ("Device", device), ("NewDevice", newDevice), ("Mail", mail), ("Reason", reason), ("ReviewItem", reviewItem), ("Change", change), ("Problem", problem),
    ]
}
