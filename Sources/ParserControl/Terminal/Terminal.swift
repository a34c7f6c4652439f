import Glibc
import Settings

/// The properties of standard output, and text styled for it.
enum Terminal {
    static let isTerminal = isatty(STDOUT_FILENO) == 1
    /// True on a terminal unless NO_COLOR is set (no-color.org).
    static let hasColour =
        isTerminal && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        && getenv("TERM").map { String(cString: $0) } != "dumb"

    /// Standard input and output are a terminal that can be controlled.
    static let isInteractive =
        isTerminal && isatty(STDIN_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } ?? "dumb" != "dumb"

    enum Style: String {
        case bold = "1", dim = "2", red = "31", green = "32", yellow = "33", magenta = "35", cyan = "36"
    }

    static func styled(_ text: String, _ style: Style) -> String { hasColour ? coloured(text, style) : text }

    /// Styles text for any output.
    static func coloured(_ text: String, _ style: Style) -> String { "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" }

    /// The width in columns; 0 if the output is not a terminal.
    static var width: Int {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return 0 }
        return Int(size.ws_col)
    }

    static let isErrorTerminal = isatty(STDERR_FILENO) == 1

    /// Shows the progress of a long run on one line of the terminal; `nil` clears the line.
    static func progress(_ text: String?) {
        if isErrorTerminal { StandardError.write("\r\u{1B}[K" + printable(text ?? "")) }
    }

    /// Replaces control characters by middle dots, so that a mail cannot control the terminal.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                        ? "\u{B7}" : $0
                }))
    }
}

/// A text table: columns are as wide as their contents; the widest ones are cut on a narrower terminal.
struct Table {
    enum Alignment { case left, right }

    let headings: [(title: String, alignment: Alignment)]
    var rows: [[String]] = []

    init(_ headings: [(String, Alignment)]) { self.headings = headings.map { (title: $0.0, alignment: $0.1) } }

    mutating func add(_ cells: [String]) { rows.append(cells.map(Terminal.printable)) }

    func print(headed: Bool = true) {
        var widths = headings.map(\.title.count)
        for row in rows {
            for (index, cell) in row.enumerated() where index < widths.count {
                widths[index] = max(widths[index], cell.count)
            }
        }
        let limit = Terminal.width
        while limit > 0, widths.reduce(0, +) + 2 * (widths.count - 1) > limit, let widest = widths.max(), widest > 10,
            let index = widths.firstIndex(of: widest)
        {
            widths[index] -= 1
        }
        if headed { Output.line(Terminal.styled(line(headings.map(\.title), widths), .bold)) }
        for row in rows { Output.line(line(row, widths)) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() where index < widths.count {
            let cut = cell.count > widths[index] ? cell.prefix(widths[index] - 1) + "…" : cell[...]
            let padding = String(repeating: " ", count: widths[index] - cut.count)
            if index > 0 { text += "  " }
            text +=
                headings[index].alignment == .right
                ? padding + cut : index == cells.count - 1 ? String(cut) : cut + padding
        }
        return text
    }
}
