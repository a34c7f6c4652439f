import Codecs
import Ledger
import PDFWords

/// The input of the child: one line of JSON, then the bytes of the file or, for a PDF, the answer of `spendwise-pdf`.
struct StatementRequest {
    enum Content: Hashable {
        case file([UInt8])
        case pdf(PDFAnswer)
    }

    /// Limit of the line and the content together.
    static let maximumBytes = max(StatementReader.maximumBytes, PDFLimits.answerBytes) + maximumHead
    /// Limit of the line. It holds some hundred words.
    private static let maximumHead = 1 << 20

    /// In the order in which they are tried.
    var words: [StatementWords]
    var currency: Currency
    var content: Content

    /// The bytes of a request.
    ///
    /// - Parameter content: the file, or what ``PDFAnswer`` is read from. The process that asks does not look into it.
    static func bytes(_ words: [StatementWords], _ currency: Currency, isPDF: Bool, content: [UInt8]) -> [UInt8] {
        let head = JSON.object([
            ("version", .integer(StatementAnswer.version)), ("bytes", JSON(content.count)),
            ("currency", .string(currency.code)), ("words", .array(words.map(\.json))), ("pdf", .bool(isPDF)),
        ])
        return head.utf8 + [0x0A] + content
    }

    /// - Returns: `nil` for another version, and for truncated bytes.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.prefix(Self.maximumHead).firstIndex(of: 0x0A),
            let head = try? JSON(parsing: Array(bytes[..<end])),
            case .integer(StatementAnswer.version)? = head["version"],
            case .integer(let count)? = head["bytes"], bytes.count - end - 1 == count,
            case .string(let code)? = head["currency"], let currency = Currency.named(code),
            case .array(let items)? = head["words"],
            case .bool(let isPDF)? = head["pdf"]
        else { return nil }
        words = items.compactMap { StatementWords($0) }
        guard !words.isEmpty, words.count == items.count else { return nil }
        self.currency = currency
        let content = Array(bytes[(end + 1)...])
        if isPDF {
            guard let answer = PDFAnswer(content) else { return nil }
            self.content = .pdf(answer)
        } else {
            self.content = .file(content)
        }
    }
}
