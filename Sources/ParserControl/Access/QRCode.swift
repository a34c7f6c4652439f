import CQRencode
import Glibc

/// A QR code (ISO/IEC 18004) for a terminal: half blocks show two rows of modules in one line.
struct QRCode {
    private let width: Int
    private let dark: [Bool]

    /// The width of the quiet zone in modules, which readers need.
    private static let margin = 4

    /// - Returns: `nil` if the text is too long.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        // The lowest bit of each byte is the module's colour.
        dark = (0..<(width * width)).map { data[$0] & 1 == 1 }
    }

    private func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<width).contains(x) && (0..<width).contains(y) && dark[y * width + x]
    }

    /// The width in columns.
    var columns: Int { width + 2 * Self.margin }

    /// - Parameter colours: sets black on white; otherwise the terminal is assumed to be light on dark.
    func text(colours: Bool) -> String {
        var lines = ""
        for y in stride(from: -Self.margin, to: width + Self.margin, by: 2) {
            if colours { lines += "\u{1B}[30;107m" }
            for x in -Self.margin..<(width + Self.margin) {
                let (upper, lower) = (isDark(x, y), isDark(x, y + 1))
                let ink = colours ? (upper, lower) : (!upper, !lower)
                switch ink {
                case (true, true): lines += "█"
                case (true, false): lines += "▀"
                case (false, true): lines += "▄"
                case (false, false): lines += " "
                }
            }
            lines += colours ? "\u{1B}[0m\n" : "\n"
        }
        return lines
    }
}
