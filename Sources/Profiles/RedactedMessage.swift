import InternetMessage
import Ledger

/// Writes a redacted mail: a few header fields and the text parts, nothing that tells how the mail came.
struct RedactedMessage {
    private let message: Message
    private let text: [UInt8]
    private let subject: String
    private let guide: RedactedText.Guide
    private let invention: Invention
    private let isBank: Bool

    init(_ message: Message, text: [UInt8], subject: String, guide: RedactedText.Guide, invention: Invention, isBank: Bool) {
        self.message = message
        self.text = text
        self.subject = subject
        self.guide = guide
        self.invention = invention
        self.isBank = isBank
    }

    /// The Date of the redacted mail.
    var date: String? {
        guard let date = message.date else { return nil }
        let local = date.secondsSince1970 + Int64(date.offsetSeconds) + Int64(guide.shift) * 86400
        return HeaderText.date(local: local, offset: Int(date.offsetSeconds))
    }

    /// Each part as it is in the mail, with its letters replaced; `nil` where they cannot be found in the source for certain.
    func likeSource() -> [UInt8]? {
        var at = 0
        var parts: [(isHTML: Bool, text: [UInt8])] = []
        for part in message.readParts {
            guard let source = MarkedSource(part) else { return nil }
            if !parts.isEmpty { at += 1 }
            guard at + source.canonical.count <= text.count else { return nil }
            let base = at
            parts.append((part.isHTML, source.written { place, letter in
                guard let place, base + place + letter.count <= text.count else { return invention.word(letter) }
                return Array(text[base + place..<base + place + letter.count])
            }))
            at += source.canonical.count
        }
        guard !parts.isEmpty, at == text.count else { return nil }
        if parts.count == 1 { return head() + entity(parts[0].isHTML, parts[0].text) }
        let boundary = "=_redacted_part"
        var bytes = head() + Array("Content-Type: multipart/mixed; boundary=\"\(boundary)\"\r\n\r\n".utf8)
        for part in parts { bytes += Array("--\(boundary)\r\n".utf8) + entity(part.isHTML, part.text) + Array("\r\n".utf8) }
        return bytes + Array("--\(boundary)--\r\n".utf8)
    }

    /// The canonical text as one plain part.
    func plain() -> [UInt8]? { head() + entity(false, text) }

    private func head() -> [UInt8] {
        var lines: [String] = []
        for address in message.from {
            let local = isBank ? address.localPart : sender(address.localPart)
            let name = local == address.localPart ? address.displayName : nil
            lines.append("From: " + (name.map { HeaderText.phrase($0) + " " } ?? "") + "<\(HeaderText.local(local))@\(address.domain)>")
        }
        lines.append("To: <you@example.com>")
        lines.append("Subject: " + HeaderText.unstructured(subject))
        if let date { lines.append("Date: " + date) }
        if let id = message.messageID {
            var stream = invention.stream(Array(id.utf8), "message-id")
            lines.append("Message-ID: <redacted.\(String(stream.next(), radix: 16))@\(guide.domains.first ?? "example.com")>")
        }
        lines.append("MIME-Version: 1.0")
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    private static let roles = ["alert", "noreply", "no-reply", "donotreply", "do-not-reply", "info", "notif", "service", "care", "support", "card", "bank", "update", "statement", "mailer", "transact"]

    /// An address that is nobody's bank may be a person's.
    private func sender(_ local: String) -> String {
        let lower = local.lowercased()
        return Self.roles.contains { lower.contains($0) } ? local : String(decoding: invention.word(Array(local.utf8)), as: UTF8.self)
    }

    /// The fields of a part and its content: as it is where its lines are short enough for the wire (RFC 5322 section 2.1.1), otherwise quoted-printable.
    private func entity(_ isHTML: Bool, _ text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.last == 0x0D ? $0.dropLast() : $0 }
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        let isShort = lines.allSatisfy { $0.count <= 900 && !$0.contains(0x0D) && !$0.contains(0) }
        let type = "Content-Type: text/\(isHTML ? "html" : "plain"); charset=utf-8\r\nContent-Transfer-Encoding: \(isShort ? "8bit" : "quoted-printable")\r\n\r\n"
        var bytes = Array(type.utf8)
        for line in lines { bytes += (isShort ? Array(line) : HeaderText.quotedPrintable(line)) + [0x0D, 0x0A] }
        return bytes
    }
}

/// Writing header fields (RFC 5322, RFC 2047) and quoted-printable lines (RFC 2045 section 6.7).
enum HeaderText {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter local: seconds since 1970 by the clock whose offset from UTC is `offset` seconds.
    static func date(local: Int64, offset: Int) -> String {
        let days = Int((local >= 0 ? local : 0) / 86400)
        let seconds = Int((local >= 0 ? local : 0) % 86400)
        let day = CalendarDate(daysSince1970: days)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = abs(offset) / 60
        return "\(two(day.day)) \(months[day.month - 1]) \(day.year) \(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)) \(offset < 0 ? "-" : "+")\(two(minutes / 60))\(two(minutes % 60))"
    }

    static func phrase(_ text: String) -> String {
        guard isPlain(text) else { return encoded(text) }
        return "\"" + text.filter { $0 != "\"" && $0 != "\\" } + "\""
    }

    /// A local part, quoted where its characters need it.
    static func local(_ text: String) -> String {
        let isAtom = !text.isEmpty && text.utf8.allSatisfy { PrintedForms.isWord($0) && $0 < 0x80 || "!#$%&'*+-/=?^_`{|}~.".utf8.contains($0) }
        return isAtom ? text : "\"" + text.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline } + "\""
    }

    static func unstructured(_ text: String) -> String { isPlain(text) ? text : encoded(text) }

    private static func isPlain(_ text: String) -> Bool { text.utf8.count <= 900 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?") }

    /// Encoded words of at most 75 characters, each of whole characters.
    private static func encoded(_ text: String) -> String {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            let piece = String(scalar).utf8.map { byte -> String in
                if PrintedForms.isWord(byte), byte < 0x80 { return String(UnicodeScalar(byte)) }
                let digits = String(byte, radix: 16, uppercase: true)
                return "=" + (digits.count < 2 ? "0" : "") + digits
            }.joined()
            if word.count + piece.count > 60 {
                words.append(word)
                word = ""
            }
            word += piece
        }
        words.append(word)
        return words.map { "=?utf-8?q?\($0)?=" }.joined(separator: "\r\n ")
    }

    /// One line, broken by soft line breaks.
    static func quotedPrintable(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var width = 0
        for (offset, byte) in line.enumerated() {
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || (byte == 0x20 || byte == 0x09) && offset < line.count - 1
            let digits = Array("0123456789ABCDEF".utf8)
            let piece = isPlain ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            if width + piece.count > 75 {
                result += Array("=\r\n".utf8)
                width = 0
            }
            result += piece
            width += piece.count
        }
        return result
    }
}

/// RFC 5322 section 3.3.
public enum RFC5322Date {
    /// - Parameter local: seconds since 1970 by the clock whose offset from UTC is `offset` seconds.
    public static func text(local: Int64, offset: Int) -> String { HeaderText.date(local: local, offset: offset) }
}
