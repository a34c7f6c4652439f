/// Lines of CSV (RFC 4180).
public enum CSV {
    /// A field that a spreadsheet shows as it is: a text that it could read as a formula begins with an apostrophe.
    public static func field(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, isFormulaMark(first) else { return quoted(text) }
        return quoted("'" + text)
    }

    /// A field in quotation marks if it needs them.
    static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isSpecial) else { return text }
        return "\"" + PlainLine.escaped(text, "\"", by: "\"") + "\""
    }

    /// Quotation mark, comma, and everything that a program can read as the end of a line.
    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", ",", "\n", "\u{0B}", "\u{0C}", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// ASCII and full-width marks with which formulas begin, and blanks that spreadsheets drop before them.
    private static func isFormulaMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    /// Three bytes by which old spreadsheets recognise UTF-8.
    static let byteOrderMark = "\u{FEFF}"
}
