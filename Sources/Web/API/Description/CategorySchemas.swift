import Codecs
import Ledger

/// Categories, and the mappings that choose them.
extension Schema {
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
}
