import Codecs
import Ledger

/// JSON Schemas (2020-12) of requests and responses: the forms of which they are made.
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
    static let signedAmount: JSON = .object([
        ("type", .array([.string("string"), .string("integer")])),
        ("pattern", .string("^-?[0-9]{1,13}(\\.[0-9]{1,3})?$")),
        ("description", .string("a decimal number, negative for a debt; never floating point")),
    ])
    /// An amount in a query, where every value is a text.
    static let amountText = text(pattern: "^[0-9]{1,13}(\\.[0-9]{1,2})?$")
    static let currency = text(pattern: "^[A-Za-z]{3}$")
    /// Characters that no text may contain: see ``FieldCheck/isControl(_:)``.
    static let controls =
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

    /// Any text of a response.
    static let shownText = text()
    /// The same, or null.
    static let maybe = nullable(text())
    /// A decimal text of a response.
    static let decimal = text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")

    /// Members of a request that are ignored.
    static func sentBack(_ names: [String]) -> [(String, JSON)] {
        names.map { ($0, .object([("description", .string("Ignored: clients may send it back unchanged."))])) }
    }
}
