import Testing

/// A message of a hostile or broken sender, and the outcome that the decision must have.
struct HostileMail: Sendable, CustomTestStringConvertible {
    enum Outcome: Hashable, Sendable {
        /// Booked with these values.
        case booked(amount: String = "500.00", merchant: String = "COFFEE")
        /// A person decides, for whatever reason.
        case review
        /// A person decides, and this factor is among the reasons.
        case doubted(String)
        case ignored
        case quarantined
        case unclaimed
        /// A limit was exceeded: the text of the failure.
        case failed(String)
    }

    let name: String
    let bytes: [UInt8]
    let outcome: Outcome

    init(_ name: String, _ bytes: [UInt8], _ outcome: Outcome) {
        (self.name, self.bytes, self.outcome) = (name, bytes, outcome)
    }

    var testDescription: String { name }

    /// The payment that was made.
    static let alert = sentence(amount: "500.00", merchant: "COFFEE")
    /// The payment that the sender wants booked. No fixture may book its amount.
    static let forged = sentence(amount: forgedAmount, merchant: "THIEF")
    static let forgedAmount = "9999.00"

    static func sentence(amount: String = "500.00", merchant: String = "COFFEE") -> String {
        "Rs.\(amount) spent on card ending 4321 at \(merchant) on 05-01-2026 at 10:09:00."
    }

    /// The fields of a genuine message, with other fields before the body.
    /// - Parameter fields: lines without their ends, as in `Content-Type: text/html`.
    static func header(
        from: String? = "Bank <alerts@bank.example>", subject: String = "Card alert", _ fields: [String] = []
    ) -> String {
        var lines = from.map { ["From: \($0)"] } ?? []
        lines += ["To: asha@example.com", "Subject: \(subject)", "Message-ID: <1@bank.example>"]
        lines += ["Date: Mon, 5 Jan 2026 10:10:00 +0530"] + fields
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    /// A message of one part.
    static func message(_ header: String = header(), _ body: String = alert) -> [UInt8] {
        Array((header + "\r\n" + body + "\r\n").utf8)
    }

    static func message(_ header: String, _ body: [UInt8]) -> [UInt8] {
        Array((header + "\r\n").utf8) + body
    }

    static func html(_ body: String, _ fields: [String] = []) -> [UInt8] {
        message(header(["Content-Type: text/html; charset=utf-8"] + fields), body)
    }

    /// A multipart with parts that are given with their own fields.
    static func multipart(_ parts: [String], end: String = "--b--\r\n") -> [UInt8] {
        multipart("mixed", parts, end: end)
    }

    static func multipart(_ kind: String, _ parts: [String], end: String = "--b--\r\n") -> [UInt8] {
        let body = parts.map { "--b\r\n\($0)\r\n" }.joined() + end
        return message(header(["MIME-Version: 1.0", "Content-Type: multipart/\(kind); boundary=b"]), body)
    }

    static func plainPart(_ text: String = alert) -> String { "Content-Type: text/plain; charset=utf-8\r\n\r\n\(text)" }
    static func htmlPart(_ text: String) -> String { "Content-Type: text/html; charset=utf-8\r\n\r\n\(text)" }
}
