import Codecs
import Ledger
import PDFWords

/// The request to the child: one line of JSON, then the bytes of the file, or the answer of the program that
/// has read a PDF.
struct StatementRequest {
    enum Content: Hashable {
        case file([UInt8])
        case pdf(PDFAnswer)
    }

    /// Of the line and what follows.
    static let maximumBytes = max(StatementReader.maximumBytes, PDFLimits.answerBytes) + maximumHead
    /// The words of a header row are some hundred.
    private static let maximumHead = 1 << 20

    var words: StatementWords
    var currency: Currency
    var content: Content

    /// The bytes of a request.
    ///
    /// - Parameter content: the file, or what ``PDFAnswer`` is read from. The process that asks does not parse it.
    static func bytes(_ words: StatementWords, _ currency: Currency, isPDF: Bool, content: [UInt8]) -> [UInt8] {
        let head = JSON.object([
            ("version", .integer(StatementAnswer.version)), ("bytes", JSON(content.count)),
            ("currency", .string(currency.code)), ("words", words.json), ("pdf", .bool(isPDF)),
        ])
        return head.utf8 + [0x0A] + content
    }

    /// - Returns: `nil` for bytes of another version, or cut ones.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.prefix(Self.maximumHead).firstIndex(of: 0x0A),
            let head = try? JSON(parsing: Array(bytes[..<end])),
            case .integer(StatementAnswer.version)? = head["version"],
            case .integer(let count)? = head["bytes"], bytes.count - end - 1 == count,
            case .string(let code)? = head["currency"], let currency = Currency.named(code),
            let words = head["words"].flatMap({ StatementWords($0) }),
            case .bool(let isPDF)? = head["pdf"]
        else { return nil }
        self.words = words
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
