import Codecs
import Ledger
import Store

/// JSON Schemas (2020-12) of requests and responses.
enum Schema {
    static func ref(_ name: String) -> JSON { .object([("$ref", .string("#/components/schemas/\(name)"))]) }
    static func list(_ item: JSON, atMost limit: Int? = nil) -> JSON {
        .object(
            [("type", .string("array")), ("items", item)] + (limit.map { [("maxItems", JSON($0))] } ?? []))
    }

    static func text(_ limit: Int? = nil, pattern: String? = nil, about: String? = nil, minimum: Int? = nil) -> JSON {
        var members: [(String, JSON)] = [("type", .string("string"))]
        if let minimum { members.append(("minLength", JSON(minimum))) }
        if let limit { members.append(("maxLength", JSON(limit))) }
        if let pattern { members.append(("pattern", .string(pattern))) }
        if let about { members.append(("description", .string(about))) }
        return .object(members)
    }

    static func words(_ words: [String]) -> JSON {
        .object([("type", .string("string")), ("enum", .array(words.map(JSON.string)))])
    }
    static func words<Word: CaseIterable & RawRepresentable>(_: Word.Type) -> JSON where Word.RawValue == String {
        words(Word.allCases.map(\.rawValue))
    }

    /// Integers of the ledger have 64 bits; larger ones are refused.
    static func integer(_ minimum: Int? = nil, _ maximum: Int = .max) -> JSON {
        var members: [(String, JSON)] = [("type", .string("integer"))]
        if let minimum { members.append(("minimum", JSON(minimum))) }
        return .object(members + [("maximum", JSON(maximum))])
    }

    static let bool: JSON = .object([("type", .string("boolean"))])
    static let number: JSON = .object([("type", .string("number"))])
    static let date: JSON = .object([
        ("type", .string("string")), ("format", .string("date")),
        ("pattern", .string("^(19[7-9]|20[0-9]|21[0-9])[0-9]-[0-9]{2}-[0-9]{2}$")),
    ])
    static let time = text(pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")
    static let instant: JSON = .object([("type", .string("string")), ("format", .string("date-time"))])
    static let uuid: JSON = .object([("type", .string("string")), ("format", .string("uuid"))])
    /// A decimal text or a whole number. The number of decimals depends on the currency.
    static let amount: JSON = .object([
        ("type", .array([.string("string"), .string("integer")])),
        ("pattern", .string("^[0-9]{1,13}(\\.[0-9]{1,2})?$")), ("minimum", JSON(0)),
        ("maximum", JSON(9_999_999_999_999)),
        ("description", .string("a decimal number; never floating point")),
    ])
    /// An amount in a query, where every value is a text.
    static let amountText = text(pattern: "^[0-9]{1,13}(\\.[0-9]{1,2})?$")
    static let currency = text(pattern: "^[A-Za-z]{3}$")
    /// Characters that no text may contain: see ``FieldCheck/isControl(_:)``.
    private static let controls =
        "\\u0000-\\u001F\\u007F-\\u009F\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069\\uFEFF\\uFFF9-\\uFFFB\\uFDD0-\\uFDEF\\uFFFE\\uFFFF"
    /// One line of typed text: no control characters, not blank.
    static func line(_ limit: Int) -> JSON {
        text(limit, pattern: "^[^\(controls)]*[^\(controls)\\s][^\(controls)]*$", minimum: 1)
    }
    static func lines(_ limit: Int) -> JSON {
        let plain = controls.replacing("\\u0000-\\u001F", with: "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F")
        return text(limit, pattern: "^[^\(plain)]*[^\(plain)\\s][^\(plain)]*$", minimum: 1)
    }
    /// A name, without leading and trailing white space.
    static let trimmedName = text(
        TextLimit.name, pattern: "^[^\(controls)\\s]([^\(controls)]*[^\(controls)\\s])?$", minimum: 1)
    static let name = line(TextLimit.name)
    /// A filter in a query; a blank one matches everything.
    static let filter = filtered(200)
    static func filtered(_ limit: Int) -> JSON { text(limit, pattern: "^[^\(controls)]*$") }
    /// A text that may be empty, as forms send it.
    static func code(_ limit: Int, about: String? = nil) -> JSON {
        let plain = controls.replacing("\\u0000-\\u001F", with: "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F")
        return text(limit, pattern: "^([^\(plain)]*[^\(plain)\\s][^\(plain)]*)?$", about: about)
    }
    static func sample(_ limit: Int) -> JSON {
        text(
            limit,
            pattern:
                "^[^\(controls.replacing("\\u0000-\\u001F", with: "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F"))]*$")
    }

    static func nullable(_ schema: JSON) -> JSON {
        guard case .object(var members) = schema, let at = members.firstIndex(where: { $0.0 == "type" }) else {
            return .object([("anyOf", .array([schema, .object([("type", .string("null"))])]))])
        }
        if case .array(let types) = members[at].1 {
            members[at].1 = .array(types + [.string("null")])
        } else {
            members[at].1 = .array([members[at].1, .string("null")])
        }
        if let words = members.firstIndex(where: { $0.0 == "enum" }), case .array(let list) = members[words].1 {
            members[words].1 = .array(list + [.null])
        }
        return .object(members)
    }

    /// - Parameter isOpen: true if later versions may add members; otherwise unknown members are refused.
    static func object(_ properties: [(String, JSON)], required: [String] = [], isOpen: Bool = false) -> JSON {
        var members: [(String, JSON)] = [("type", .string("object")), ("properties", .object(properties))]
        if !required.isEmpty { members.append(("required", .array(required.map(JSON.string)))) }
        if !isOpen { members.append(("additionalProperties", .bool(false))) }
        return .object(members)
    }

    /// An object of a response, whose members are always present.
    static func shown(_ properties: [(String, JSON)]) -> JSON {
        object(properties, required: properties.map(\.0), isOpen: true)
    }

    private static let shownText = text()
    private static let maybe = nullable(text())

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
    static func sentBack(_ names: [String]) -> [(String, JSON)] {
        names.map { ($0, .object([("description", .string("Ignored: clients may send it back unchanged."))])) }
    }
    /// A word; see ``Tag``.
    private static let tag = text(TextLimit.tag, pattern: "^[^\(controls)\\s,]+$", minimum: 1)
    static let transactionEdit = object(
        edited + [("tags", list(tag, atMost: Tag.maximum)), ("revision", integer(1))] + sentBack(ignored))

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

    static let subcategory = shown([
        ("id", integer()), ("category_id", integer()), ("name", shownText), ("icon", maybe), ("is_system", bool),
        ("created_at", instant), ("updated_at", instant),
    ])
    static let category = shown([
        ("id", integer()), ("name", shownText), ("icon", maybe), ("color", maybe), ("is_system", bool),
        ("created_at", instant), ("updated_at", instant),
        ("subcategories", list(ref("Subcategory"))),
    ])
    private static let color = text(pattern: "^#[0-9A-Fa-f]{6}$")
    static let newCategory = object(
        [("name", trimmedName), ("icon", nullable(line(TextLimit.name))), ("color", nullable(color))],
        required: ["name"])
    static let categoryEdit = object(
        [("name", trimmedName), ("icon", nullable(line(TextLimit.name))), ("color", nullable(color))]
            + sentBack(["id", "is_system", "created_at", "updated_at", "subcategories"]))
    static let newSubcategory = object(
        [("name", trimmedName), ("icon", nullable(line(TextLimit.name)))], required: ["name"])
    static let subcategoryEdit = object(
        [("name", trimmedName), ("icon", nullable(line(TextLimit.name)))]
            + sentBack(["id", "category_id", "is_system", "created_at", "updated_at"]))

    static let mapping = shown([
        ("id", integer()), ("vendor_keyword", shownText), ("category_id", integer()), ("category_name", shownText),
        ("subcategory_id", nullable(integer())),
        ("subcategory", maybe), ("kind", words(VendorMapping.Kind.self)), ("conditions", ref("Conditions")),
        ("is_user_defined", bool), ("match_count", integer()), ("created_at", instant), ("updated_at", instant),
    ])
    /// The form of vendor_keyword depends on the kind: words, a UPI address, codes or a provider.
    private static let mappingFields: [(String, JSON)] = [
        ("vendor_keyword", line(TextLimit.keyword)), ("category_id", nullable(integer(1))),
        ("category_name", nullable(line(TextLimit.name))),
        ("subcategory_id", nullable(integer(1))), ("subcategory", nullable(line(TextLimit.name))),
        ("kind", words(VendorMapping.Kind.self)), ("conditions", nullable(ref("Conditions"))),
    ]
    static let conditions = object([
        ("amount_from", nullable(amount)), ("amount_to", nullable(amount)), ("currency", nullable(currency)),
        ("account_digits", nullable(text(18, pattern: "^[0-9]{3,18}$"))),
        ("channel", nullable(words(Channel.self))), ("transaction_type", nullable(words(TransactionType.self))),
    ])
    private static func mapping(_ fields: [(String, JSON)]) -> JSON {
        guard case .object(let members) = object(fields, required: ["vendor_keyword"]) else { return .null }
        func given(_ name: String, _ type: String) -> JSON {
            .object([
                ("required", .array([.string(name)])),
                ("properties", .object([(name, .object([("type", .string(type))]))])),
            ])
        }
        return .object(
            members + [("anyOf", .array([given("category_id", "integer"), given("category_name", "string")]))])
    }
    static let newMapping = mapping(
        mappingFields + sentBack(["id", "is_user_defined", "match_count", "created_at", "updated_at"]))
    static let appliedMapping = mapping(
        mappingFields + [("past", bool)]
            + sentBack(["id", "is_user_defined", "match_count", "created_at", "updated_at"]))
    static let syncedMapping = mapping(
        mappingFields + [("updated_at", nullable(instant))]
            + sentBack(["id", "is_user_defined", "match_count", "created_at"]))
    static let mergedMapping = list(
        shown([("vendor_keyword", text()), ("result", words(["created", "updated", "unchanged", "kept"]))]))

    static let device = shown([
        ("id", uuid), ("device_token", shownText), ("environment", words(DeviceRow.environments)),
        ("device_name", maybe), ("os_version", maybe), ("is_active", bool),
        ("created_at", instant), ("updated_at", instant),
    ])
    static let newDevice = object(
        [
            ("device_token", text(TextLimit.token, pattern: "^[!-.0-~]+$", minimum: 1)),
            ("environment", words(DeviceRow.environments)),
            ("device_name", nullable(line(TextLimit.name))), ("os_version", nullable(line(TextLimit.name))),
        ], required: ["device_token"])

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
    static let signedAmount: JSON = .object([
        ("type", .array([.string("string"), .string("integer")])),
        ("pattern", .string("^-?[0-9]{1,13}(\\.[0-9]{1,3})?$")),
        ("description", .string("a decimal number, negative for a debt; never floating point")),
    ])
    private static let decimal = text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")

    static let userAccount = shown([
        ("id", integer()), ("name", shownText), ("type", words(UserAccountType.self)), ("institution", maybe),
        ("account_number_last4", maybe), ("currency", currency), ("initial_balance", decimal),
        ("initial_balance_date", nullable(date)), ("credit_limit", nullable(decimal)), ("is_active", bool),
        ("is_new", bool), ("color", maybe), ("icon", maybe), ("linked_parser_id", maybe),
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
        ("count", integer()), ("staying_count", integer()), ("sentence", shownText),
    ])
    static let problem = object(
        [
            ("type", shownText), ("title", shownText), ("status", integer()), ("detail", shownText),
            ("request_id", shownText),
            (
                "errors",
                list(
                    object(
                        [("field", shownText), ("pointer", shownText), ("detail", shownText)],
                        required: ["field", "detail"], isOpen: true))
            ),
        ], required: ["type", "title", "status", "detail"], isOpen: true)

    /// The schemas by their names under `#/components/schemas`.
    static let all: [(String, JSON)] =
        [
            ("Transaction", transaction), ("NewTransaction", newTransaction), ("TransactionEdit", transactionEdit),
            ("Account", account), ("NewAccount", newAccount),
            ("AccountEdit", accountEdit), ("SyncedAccount", syncedAccount), ("Category", category),
            ("NewCategory", newCategory), ("CategoryEdit", categoryEdit),
            ("Subcategory", subcategory), ("NewSubcategory", newSubcategory),
            ("SubcategoryEdit", subcategoryEdit), ("Conditions", conditions),
            ("Mapping", mapping), ("NewMapping", newMapping), ("SyncedMapping", syncedMapping),
            ("Device", device), ("NewDevice", newDevice), ("Mail", mail), ("MailDetail", mailDetail),
            ("Reason", reason),
            ("ReviewItem", reviewItem),
            ("Change", change), ("Transfer", transfer), ("TransactionLink", transactionLink),
            ("Proposal", proposal),
            ("UserAccount", userAccount),
            ("UserAccountEdit", userAccountEdit), ("AccountBalance", accountBalance),
            ("AccountFindings", accountFindings), ("Offer", offer), ("Problem", problem),
        ] + BudgetRoutes.schemas + PayeeRoutes.schemas + DueRoutes.schemas + RecurringRoutes.schemas
}
