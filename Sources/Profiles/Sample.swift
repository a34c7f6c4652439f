package import Chronology
public import InternetMessage
public import Ledger

/// An example alert in a template file, with the expected result.
public struct Sample: Sendable {
    public enum Body: Sendable {
        case text(String)
        case html(String)
    }

    public enum Expectation: Sendable {
        /// The template does not claim this mail.
        case none
        /// An ignore template claims this mail.
        case ignored
        /// The fields, as text. Strict for fields read from the mail (`Sample.strictFields`): a field that is not
        /// listed must not be read.
        case fields([Field: String])
        /// A notice template claims this mail and reads these fields and no others; `currency` only if listed.
        case notice(BankNotice.Kind, [BankNotice.Field: String])
        /// No expectation is written yet: the sample fails until `parserctl test --accept` or a person writes one.
        case missing
    }

    public let name: String
    public let from: String
    /// RFC 5322 date-time of arrival.
    public package(set) var date: String
    public let subject: String
    public let body: Body
    /// The sender of an SMS; `nil` for a mail. An SMS has neither a sender's address nor a subject.
    public package(set) var smsHeader: SMSHeader?
    public let expectation: Expectation
    /// The line of the sample in its file.
    public let line: Int

    /// Fields read from the mail itself, which are compared both ways; `currency`, `type` and `channel` only if listed.
    public static let strictFields: [Field] = [
        .amount, .account, .merchant, .date, .time, .reference, .balance, .limit, .vpa, .mcc, .foreign,
    ]

    /// Date-time of arrival of a sample without one: 23:00 in India on its expected day, or on 2026-01-05.
    package static func arrival(on day: CalendarDate?) -> String {
        guard let day else { return "05 Jan 2026 23:00:00 +0530" }
        return "\(day.day) \(MonthName.abbreviation(day.month)) \(day.year) 23:00:00 +0530"
    }

    /// The sample as a complete RFC 5322 message, for the code that reads a mailbox.
    public func message() -> [UInt8] {
        switch body {
        case .text(let text): message("plain", Array(text.utf8), subject: subject)
        case .html(let html): message("html", Array(html.utf8), subject: subject)
        }
    }

    /// The same message with another text and subject.
    package func message(text: [UInt8], subject: String) -> [UInt8] { message("plain", text, subject: subject) }

    private func message(_ subtype: String, _ content: [UInt8], subject: String) -> [UInt8] {
        if let smsHeader { return ShortMessage.message(from: smsHeader, date: date, text: content) }
        let oneLine = subject.split(whereSeparator: \.isNewline).joined(separator: " ")
        let head = [
            "From: <\(from)>", "To: <you@example.com>", "Subject: \(oneLine)", "Date: \(date)", "MIME-Version: 1.0",
            "Content-Type: text/\(subtype); charset=utf-8", "Content-Transfer-Encoding: 8bit", "", "",
        ].joined(separator: "\r\n")
        return Array(head.utf8) + content
    }
}
