public import Ledger

/// A mail that a template carries as its proof.
public struct Sample: Sendable {
    public enum Body: Sendable {
        case text(String)
        case html(String)
    }

    public enum Expectation: Sendable {
        /// The template does not claim this mail.
        case none
        /// An ignore template claims it.
        case ignored
        /// The fields, as text. Strict for what is read from the mail (`Sample.strictFields`): a field that is not listed must not be read.
        case fields([Field: String])
        /// Nothing is written yet: the sample fails until `parserctl test --accept`, or a person, writes it.
        case missing
    }

    public let name: String
    public let from: String
    /// RFC 5322 date-time of arrival.
    public let date: String
    public let subject: String
    public let body: Body
    public let expectation: Expectation
    /// Where the sample stands in its file.
    public let line: Int

    /// Read from the mail itself, and so compared both ways; `currency`, `type` and `channel` only where listed.
    public static let strictFields: [Field] = [
        .amount, .account, .merchant, .date, .time, .reference, .balance, .limit, .vpa, .mcc,
    ]

    /// What a sample says of a mail from which this is read.
    static func fields(of draft: TransactionDraft) -> [Field: String] {
        var fields: [Field: String] = [:]
        for field in strictFields where draft.stands(field) { fields[field] = draft.text(of: field) }
        if draft.stands(.currency) { fields[.currency] = draft.amount.currency.code }
        return fields
    }

    /// The sample as a whole RFC 5322 message, for the same code that reads a mailbox.
    public func message() -> [UInt8] {
        let (subtype, content) =
            switch body {
            case .text(let text): ("plain", text)
            case .html(let html): ("html", html)
            }
        let oneLine = subject.split(whereSeparator: \.isNewline).joined(separator: " ")
        let head = [
            "From: <\(from)>", "To: <you@example.com>", "Subject: \(oneLine)", "Date: \(date)", "MIME-Version: 1.0",
            "Content-Type: text/\(subtype); charset=utf-8", "Content-Transfer-Encoding: 8bit", "", "",
        ].joined(separator: "\r\n")
        return Array(head.utf8) + Array(content.utf8)
    }
}

extension TransactionDraft {
    /// Whether the field was read from the mail, its subject included, and not worked out or known beforehand.
    func stands(_ field: Field) -> Bool { spans[field] != nil || patterns[field] == .subject }
}
