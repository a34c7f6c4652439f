/// Reason why a mail could not be processed.
public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A limit of a message. The raw value is its stored name.
    public enum MessageLimit: String, Hashable, Sendable, CaseIterable {
        case messageBytes = "message-bytes"
        case headerBytes = "header-bytes"
        case mimeDepth = "mime-depth"
        case partCount = "part-count"
        case textPartBytes = "text-part-bytes"
        case renderedTextBytes = "rendered-text-bytes"
        case elementDepth = "element-depth"
    }

    /// A limit of one match of a pattern. The raw value is its stored name.
    public enum PatternLimit: String, Hashable, Sendable, CaseIterable { case match, depth, heap }

    /// - Parameter bytes: the size of the mail, if it is what exceeds the limit.
    case messageLimit(MessageLimit, bytes: UInt64? = nil)
    case patternLimit(PatternLimit)
    /// A pattern could not be run; the text is PCRE2's message.
    case pattern(String)
    /// The templates of a bank could not be compiled.
    case templates(bank: String, detail: String)
    case outOfMemory
    /// The server did not deliver the mail; the text is from the server or the transport.
    case notFetched(String)
    /// The sender cannot be judged yet, because the key of its signature was not looked up in time.
    case signingKeyUnavailable

    /// The text of the column `error_message`. Contains no text of the mail.
    public var description: String {
        switch self {
        case .messageLimit(let limit, nil): "limit \(limit.rawValue) hit"
        case .messageLimit(let limit, let bytes?): "limit \(limit.rawValue) hit: the mail has \(bytes) bytes"
        case .patternLimit(let limit): "the \(limit.rawValue) limit of a pattern was hit"
        case .pattern(let message): message
        case .templates(let bank, let detail): "the templates of '\(bank)' cannot be made ready: \(detail)"
        case .outOfMemory: "out of memory"
        case .notFetched(let reason): reason
        case .signingKeyUnavailable: "the key of the sender's signature was not looked up in time (DNS)"
        }
    }

    /// True if the same bytes fail again whenever they are tried.
    public var isPermanent: Bool {
        switch self {
        case .messageLimit, .patternLimit: true
        case .pattern, .templates, .outOfMemory, .notFetched, .signingKeyUnavailable: false
        }
    }
}
