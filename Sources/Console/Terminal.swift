import Glibc
import Settings

/// The properties of standard output, and text styled for it.
public enum Terminal {
    public static let isTerminal = isatty(STDOUT_FILENO) == 1
    /// True on a terminal unless NO_COLOR is set (no-color.org).
    public static let hasColour =
        isTerminal && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        && getenv("TERM").map { String(cString: $0) } != "dumb"

    /// Standard input and output are a terminal that can be controlled.
    public static let isInteractive =
        isTerminal && isatty(STDIN_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } ?? "dumb" != "dumb"

    public enum Style: String, Sendable {
        case bold = "1", dim = "2", red = "31", green = "32", yellow = "33", magenta = "35", cyan = "36"
    }

    public static func styled(_ text: String, _ style: Style) -> String { hasColour ? coloured(text, style) : text }

    /// Styles text for any output.
    public static func coloured(_ text: String, _ style: Style) -> String {
        "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// The width in columns; 0 if the output is not a terminal.
    public static var width: Int {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return 0 }
        return Int(size.ws_col)
    }

    public static let isErrorTerminal = isatty(STDERR_FILENO) == 1

    /// Shows the progress of a long run on one line of the terminal; `nil` clears the line.
    public static func progress(_ text: String?) {
        if isErrorTerminal { StandardError.write("\r\u{1B}[K" + printable(text ?? "")) }
    }

    /// Replaces control characters by middle dots, so that a mail cannot control the terminal.
    public static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                        ? "\u{B7}" : $0
                }))
    }
}
