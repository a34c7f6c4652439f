/// Puts the texts of a catalogue into a template before it is parsed, so that a request looks no text up.
///
/// `[[group.name]]` is a text; `[[group.name|who={{name}}|a=<a href="/">]]` gives its placeholders values. If the value
/// is the tag of an element, `{/a}` in the text ends the element. Texts are escaped, values are part of the template.
enum TemplateTexts {
    /// A reference that does not fit the catalogue, which a test excludes.
    struct Fault: Error, CustomStringConvertible {
        var reference: String
        var reason: String
        var description: String { "[[\(reference)]]: \(reason)" }
    }

    static func put(_ catalogue: TextCatalogue, into template: String) throws(Fault) -> String {
        var (result, rest) = ("", template[...])
        while let start = rest.firstRange(of: "[["), let end = rest[start.upperBound...].firstRange(of: "]]") {
            result += rest[..<start.lowerBound]
            result += try text(rest[start.upperBound..<end.lowerBound], catalogue)
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func text(_ reference: Substring, _ catalogue: TextCatalogue) throws(Fault) -> String {
        let parts = reference.split(separator: "|")
        func fault(_ reason: String) -> Fault { Fault(reference: String(reference), reason: reason) }
        guard let key = parts.first, let text = catalogue.text(String(key)) else { throw fault("no such text") }
        var values: [Substring: String] = [:]
        for part in parts.dropFirst() {
            guard let sign = part.firstIndex(of: "=") else { throw fault("'\(part)' is not name=value") }
            let (name, value) = (part[..<sign], part[part.index(after: sign)...])
            values[name] = String(value)
            if value.hasPrefix("<") {
                values["/" + name] = "</\(value.dropFirst().prefix { $0.isLetter || $0.isNumber })>"
            }
        }
        var unknown: Substring?
        let filled = PageText.fill(MarkupEscaping().escapeText(text)) { name in
            if values[name] == nil { unknown = name }
            return values[name]
        }
        if let unknown { throw fault("no value for {\(unknown)}") }
        return filled
    }
}
