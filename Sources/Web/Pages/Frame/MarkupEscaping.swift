import Mustache

/// Escapes what templates show, scalar by scalar.
///
/// The library's own escaping goes by `Character`, and to it `"` with a combining mark behind it is not `"`: it would be left as it is, and a browser
/// would end the attribute there. Merchants' names come from hostile mail, so every template of the page names this content type.
struct MarkupEscaping: MustacheContentType {
    static let name = "MARKUP"

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

    /// Control characters, and those by which text runs backwards over what stands beside it (UAX #9, section 2).
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }
}
