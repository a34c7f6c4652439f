import Codecs

/// The texts of the page in one language, from a file in `Resources/Texts`.
///
/// The file has an object for each group, and in it a text for each name: a string, or an object with the plural
/// categories `one` and `other`. The key of a text is `group.name`.
struct TextCatalogue: Sendable {
    struct Text: Sendable {
        /// `nil` if the text is the same for every number.
        var one: String?
        var other: String
    }

    let language: PageLanguage
    private(set) var texts: [String: Text] = [:]

    static let english = TextCatalogue(.english, EmbeddedFile.bytes("en.json"))
    /// Texts that are not translated yet are English.
    static let hindi = TextCatalogue(.hindi, EmbeddedFile.bytes("hi.json")).completed(by: english)

    /// The catalogue of the language of this task.
    static var current: TextCatalogue { of(.current) }

    static func of(_ language: PageLanguage) -> TextCatalogue { language == .hindi ? hindi : english }

    /// A file that is not valid gives no texts, which a test excludes.
    init(_ language: PageLanguage, _ file: [UInt8]) {
        self.language = language
        guard case .object(let groups)? = try? JSON(parsing: file) else { return }
        for case (let group, .object(let members)) in groups {
            for (name, value) in members { texts["\(group).\(name)"] = Text(value) }
        }
    }

    private func completed(by other: TextCatalogue) -> TextCatalogue {
        var result = self
        result.texts.merge(other.texts) { own, _ in own }
        return result
    }

    /// The text for a number; `nil` if the key is unknown.
    func text(_ key: String, for number: Int = 0) -> String? {
        guard let text = texts[key] else { return nil }
        guard let one = text.one, language.isOne(number) else { return text.other }
        return one
    }
}

extension TextCatalogue.Text {
    init?(_ json: JSON) {
        func string(_ json: JSON?) -> String? {
            guard case .string(let text)? = json else { return nil }
            return text
        }
        guard let other = string(json) ?? string(json["other"]) else { return nil }
        self.init(one: string(json["one"]), other: other)
    }
}

/// Texts of the page in the language of this task.
enum PageText {
    /// - Parameters:
    ///   - key: `group.name` of ``TextCatalogue``. A test finds keys that it lacks.
    ///   - values: the values of the placeholders, which are `{name}` in the text.
    static func of(_ key: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
        fill(TextCatalogue.current.text(key) ?? key, values)
    }

    /// The text for a case of an enumeration of a lower target; `nil` in the language of that target's own sentences.
    static func ofCase(_ key: String, _ values: KeyValuePairs<String, String> = [:]) -> String? {
        TextCatalogue.current.text(key).map { fill($0, values) }
    }

    /// The text that fits a number, which is its placeholder `{count}`.
    static func of(_ key: String, count: Int, _ values: KeyValuePairs<String, String> = [:]) -> String {
        let text = TextCatalogue.current.text(key, for: count) ?? key
        return fill(text, values) { $0 == "count" ? MoneyText.number(count) : nil }
    }

    /// A number with its noun: `1 payment`, `1,234 payments`.
    static func count(_ number: Int, _ noun: String) -> String { of("count.\(noun)", count: number) }

    private static func fill(
        _ text: String, _ values: KeyValuePairs<String, String>, _ other: (Substring) -> String? = { _ in nil }
    ) -> String {
        fill(text) { name in values.first { $0.key == name }?.value ?? other(name) }
    }

    /// Replaces each `{name}` that has a value.
    static func fill(_ text: String, _ value: (Substring) throws -> String?) rethrows -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var (result, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            result += rest[..<start]
            result += try value(rest[rest.index(after: start)..<end]) ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
