import Codecs
import Ledger

/// What the child needs to read a file: one line of JSON, then the bytes of the file.
struct StatementRequest {
    /// Of the line and the file.
    static let maximumBytes = StatementReader.maximumBytes + maximumHead
    /// The words of a header row are some hundred.
    private static let maximumHead = 1 << 20

    var words: StatementWords
    var currency: Currency
    var password: String?
    var file: [UInt8]

    init(words: StatementWords, currency: Currency, password: String?, file: [UInt8]) {
        self.words = words
        self.currency = currency
        self.password = password
        self.file = file
    }

    var bytes: [UInt8] {
        let head = JSON.object([
            ("version", .integer(StatementAnswer.version)), ("bytes", JSON(file.count)),
            ("currency", .string(currency.code)), ("words", words.json),
            ("password", JSON(password)),
        ])
        return head.utf8 + [0x0A] + file
    }

    /// - Returns: `nil` for bytes of another version, or cut ones.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.prefix(Self.maximumHead).firstIndex(of: 0x0A),
            let head = try? JSON(parsing: Array(bytes[..<end])),
            case .integer(StatementAnswer.version)? = head["version"],
            case .integer(let count)? = head["bytes"], bytes.count - end - 1 == count,
            case .string(let code)? = head["currency"], let currency = Currency.named(code),
            let words = head["words"].flatMap({ StatementWords($0) })
        else { return nil }
        let password: String? = if case .string(let text)? = head["password"] { text } else { nil }
        self.init(words: words, currency: currency, password: password, file: Array(bytes[(end + 1)...]))
    }
}
