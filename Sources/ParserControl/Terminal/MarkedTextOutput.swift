import Console
import Ledger
import Review

extension MarkedText {
    /// The text as lines, with the words of each field marked. The mail's own control characters are made visible.
    /// - Parameter inColour: marks words by colour; otherwise by `[field: …]`.
    func lines(inColour: Bool) -> [String] {
        var result = ""
        for piece in pieces {
            let words = Self.printable(piece.text)
            guard let field = piece.field else {
                result += words
                continue
            }
            // Each line by itself, so that no colour continues into the next line.
            result +=
                inColour
                ? words.split(separator: "\n", omittingEmptySubsequences: false).map {
                    Terminal.coloured(String($0), field.style)
                }.joined(separator: "\n")
                    + Terminal.coloured("(\(field.rawValue))", .dim)
                : "[\(field.rawValue): \(words)]"
        }
        return result.split(separator: "\n").map(String.init)
    }

    private static func printable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { Terminal.printable(String($0)) }.joined(
            separator: "\n")
    }
}

extension Field {
    fileprivate var style: Terminal.Style {
        switch self {
        case .amount, .currency: .green
        case .merchant, .vpa: .yellow
        case .balance, .limit: .magenta
        default: .cyan
        }
    }
}
