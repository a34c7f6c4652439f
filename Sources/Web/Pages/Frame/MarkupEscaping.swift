import Mustache

/// The escaping of all templates. It works by Unicode scalar.
///
/// The library's own escaping works by `Character`. A `"` with a combining mark after it is another `Character`, which
/// it would leave as it is, and a browser would end the attribute there. Merchants' names come from hostile mail.
struct MarkupEscaping: MustacheContentType {
    private static let name = "MARKUP"
    /// The line that selects this escaping; it precedes every template.
    static let pragma = "{{% CONTENT_TYPE:\(name)}}\n"

    static func register() { MustacheContentTypes.register(MarkupEscaping(), named: name) }

    func escapeText(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;".utf8
            case ">": result += "&gt;".utf8
            case "&": result += "&amp;".utf8
            case "\"": result += "&quot;".utf8
            case "'": result += "&#39;".utf8
            case "\n", "\t": result.append(UInt8(scalar.value))
            default: if !Self.isDropped(scalar) { result += UTF8.encode(scalar).map(Array.init) ?? [] }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Control characters, and formatting characters that reorder the text around them (UAX #9, section 2).
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }
}
