import Ledger

/// A mail's canonical text with the words of each field set off.
struct MarkedText {
    private let text: [UInt8]
    private let spans: [(field: Field, span: Range<Int>)]

    init(_ text: [UInt8], _ spans: [Field: Range<Int>]) {
        self.text = text
        self.spans = spans.map { (field: $0.key, span: $0.value) }.filter { $0.span.upperBound <= text.count }
            .sorted { ($0.span.lowerBound, $0.field.rawValue) < ($1.span.lowerBound, $1.field.rawValue) }
    }

    /// - Parameter inColour: by the colour of the words; otherwise by `[field: …]`. The mail's own control characters are made visible.
    func lines(inColour: Bool) -> [String] {
        var result = ""
        var offset = 0
        for (field, span) in spans where span.lowerBound >= offset {
            result += piece(offset..<span.lowerBound)
            let words = piece(span)
            // Each line by itself, so that a colour does not run on.
            result +=
                inColour
                ? words.split(separator: "\n", omittingEmptySubsequences: false).map {
                    Terminal.coloured(String($0), field.style)
                }.joined(separator: "\n")
                    + Terminal.coloured("(\(field.rawValue))", .dim)
                : "[\(field.rawValue): \(words)]"
            offset = span.upperBound
        }
        return (result + piece(offset..<text.count)).split(separator: "\n").map(String.init)
    }

    private func piece(_ range: Range<Int>) -> String {
        String(decoding: text[range], as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
            Terminal.printable(String($0))
        }.joined(separator: "\n")
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
