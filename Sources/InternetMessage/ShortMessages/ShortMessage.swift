public import Chronology
import Codecs
import Crypto

/// An SMS that a phone passed on, in the form of an internet message, so that the code that reads, keeps and shows
/// alerts is the same for both.
///
/// Its From address is the sender's header at ``domain``. No mail can come from there with a valid signature, and
/// ``AuthenticationPolicy`` admits such a message only from a phone.
public struct ShortMessage: Sendable {
    public let sender: SMSHeader
    public let text: String
    /// Time of arrival on the phone; `nil` if the phone did not state it.
    public let receivedAt: UnixTime?

    /// The domain of the From address. It exists nowhere (RFC 2606, section 2).
    public static let domain = "sms.invalid"
    /// Limit of the text in characters. The longest bank alerts have some 500; the longest SMS, 255 parts of 153
    /// characters (3GPP TS 23.040), is no alert.
    public static let maximumCharacters = 2000

    public init(from sender: SMSHeader, text: String, receivedAt: UnixTime? = nil) {
        self.sender = sender
        self.text = text
        self.receivedAt = receivedAt
    }

    /// SHA-256 of what makes it this SMS: sender, text and the second of its arrival. If the phone does not state the
    /// arrival, the day of `now` (UTC) takes its place: the same text on another day is another SMS.
    public func digest(now: UnixTime) -> [UInt8] {
        var hash = SHA256()
        let arrival = receivedAt.map { "\($0.seconds)" } ?? now.day().description
        hash.update(data: Array("\(sender.name)\n\(arrival)\n".utf8))
        hash.update(data: Array(text.utf8))
        return Array(hash.finalize())
    }

    /// The message, with the time of arrival, otherwise `now`, as its Date.
    public func message(now: UnixTime) -> [UInt8] {
        Self.message(
            from: sender, date: RFC5322Date.text(receivedAt ?? now), id: Hexadecimal.text(digest(now: now)),
            text: Array(text.utf8))
    }

    /// - Parameters:
    ///   - date: an RFC 5322 date-time.
    ///   - id: the left side of the Message-ID; `nil` for a sample.
    package static func message(from sender: SMSHeader, date: String, id: String? = nil, text: [UInt8]) -> [UInt8] {
        let head = [
            "From: <\(sender)@\(domain)>", "Subject: SMS from \(sender.name)", "Date: \(date)",
            id.map { "Message-ID: <\($0)@\(domain)>" }, "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit",
        ]
        return Array((head.compactMap { $0 } + ["", ""]).joined(separator: "\r\n").utf8) + text
    }
}

extension Message {
    /// The sender's header, if the message is an SMS; otherwise `nil`.
    public var smsHeader: SMSHeader? {
        guard from.count == 1, let address = from.first, address.domain == ShortMessage.domain else { return nil }
        return SMSHeader(address.localPart)
    }
}
