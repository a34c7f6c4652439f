import Chronology
import InternetMessage
import Profiles
import Randomness
import YAMLSource

/// Writes a redacted mail: a few header fields and the text parts, without any trace of its delivery.
struct RedactedMessage {
    private let message: Message
    private let text: [UInt8]
    private let subject: String
    private let guide: RedactedText.Guide
    private let pseudonyms: Pseudonyms
    private let isBank: Bool

    init(
        _ message: Message, text: [UInt8], subject: String, guide: RedactedText.Guide, pseudonyms: Pseudonyms,
        isBank: Bool
    ) {
        self.message = message
        self.text = text
        self.subject = subject
        self.guide = guide
        self.pseudonyms = pseudonyms
        self.isBank = isBank
    }

    /// The Date of the redacted mail.
    var date: String? {
        guard let date = message.date else { return nil }
        return RFC5322Date.text(date.instant + Int64(guide.shift) * 86400, offset: Int(date.offsetSeconds))
    }

    /// Each part as in the mail, with its letters replaced; `nil` if they cannot be located reliably in the source.
    func likeSource() -> [UInt8]? {
        var at = 0
        var parts: [(isHTML: Bool, text: [UInt8])] = []
        for part in message.readParts {
            guard let source = MarkedSource(part) else { return nil }
            if !parts.isEmpty { at += 1 }
            guard at + source.canonical.count <= text.count else { return nil }
            let base = at
            parts.append(
                (
                    part.isHTML,
                    source.written { place, letter in
                        guard let place, base + place + letter.count <= text.count else {
                            return pseudonyms.word(letter)
                        }
                        return Array(text[base + place..<base + place + letter.count])
                    }
                ))
            at += source.canonical.count
        }
        guard !parts.isEmpty, at == text.count else { return nil }
        if parts.count == 1 { return head() + entity(parts[0].isHTML, parts[0].text) }
        let boundary = "=_redacted_part"
        var bytes = head() + Array("Content-Type: multipart/mixed; boundary=\"\(boundary)\"\r\n\r\n".utf8)
        for part in parts {
            bytes += Array("--\(boundary)\r\n".utf8) + entity(part.isHTML, part.text) + Array("\r\n".utf8)
        }
        return bytes + Array("--\(boundary)--\r\n".utf8)
    }

    /// The canonical text as one plain part.
    func plain() -> [UInt8]? { head() + entity(false, text) }

    private func head() -> [UInt8] {
        var lines: [String] = []
        for address in message.from {
            let local = isBank ? address.localPart : sender(address.localPart)
            let name = local == address.localPart ? address.displayName : nil
            lines.append(
                "From: " + (name.map { HeaderText.phrase($0) + " " } ?? "")
                    + "<\(HeaderText.local(local))@\(address.domain)>")
        }
        lines.append("To: <you@example.com>")
        lines.append("Subject: " + HeaderText.unstructured(subject))
        if let date { lines.append("Date: " + date) }
        if let id = message.messageID {
            var stream = pseudonyms.stream(Array(id.utf8), "message-id")
            lines.append(
                "Message-ID: <redacted.\(String(stream.next(), radix: 16))@\(guide.domains.first ?? "example.com")>")
        }
        lines.append("MIME-Version: 1.0")
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    private static let roles = [
        "alert", "noreply", "no-reply", "donotreply", "do-not-reply", "info", "notif", "service", "care", "support",
        "card", "bank", "update", "statement", "mailer", "transact",
    ]

    /// An address outside the bank's domains may be a person's.
    private func sender(_ local: String) -> String {
        let lower = local.lowercased()
        return Self.roles.contains { lower.contains($0) }
            ? local : String(decoding: pseudonyms.word(Array(local.utf8)), as: UTF8.self)
    }

    /// Fields and content of a part: unchanged if its lines are short enough for transport (RFC 5322 section 2.1.1),
    /// otherwise quoted-printable.
    private func entity(_ isHTML: Bool, _ text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        let isShort = lines.allSatisfy { $0.count <= 900 && !$0.contains(0x0D) && !$0.contains(0) }
        let type =
            "Content-Type: text/\(isHTML ? "html" : "plain"); charset=utf-8\r\nContent-Transfer-Encoding: \(isShort ? "8bit" : "quoted-printable")\r\n\r\n"
        var bytes = Array(type.utf8)
        for line in lines { bytes += (isShort ? Array(line) : HeaderText.quotedPrintable(line)) + [0x0D, 0x0A] }
        return bytes
    }
}
