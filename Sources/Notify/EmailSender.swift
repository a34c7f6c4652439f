import Chronology
import Codecs
import CurlTransport
import IMAP
import Ledger
import Settings
import Store

/// Sends a plain text mail.
struct EmailSender {
    let settings: EmailSettings
    let caFile: String?

    func send(_ notice: Notice, at now: UnixTime, wake: Wake) -> Verdict {
        do {
            let endpoint = Endpoint(
                host: settings.host, port: UInt16(settings.port),
                tls: settings.tls == .implicit ? .implicit : .startTLS, caFile: caFile)
            var credential: Credential?
            if let user = settings.user, let source = settings.password {
                credential = Credential(user: user, secret: .password(try source.read()), mechanism: settings.mechanism)
            }
            let text = MailText.compose(
                id: notice.id, from: settings.from, to: settings.to, subject: notice.title, body: notice.body,
                at: notice.createdAt)
            try SMTPRequest(
                endpoint: endpoint, credential: credential, from: settings.from, recipients: settings.to, message: text
            ).send(wake: wake)
            return .accepted
        } catch let error as SMTPError {
            return Verdict(error)
        } catch {
            return .refused("\(error)".split(whereSeparator: \.isNewline).joined(separator: "; "), wholeSink: true)
        }
    }
}

/// A mail in the format of RFC 5322 and RFC 2045. No text can start a header: text that is not printable ASCII is sent
/// as Base64.
enum MailText {
    /// - Parameters:
    ///   - id: the left side of the Message-ID, equal for repeated attempts.
    ///   - from, to: addresses made of atoms, as checked in the configuration.
    static func compose(
        id: String, from: String, to: [String], subject: String, body: String, at instant: UnixTime
    ) -> [UInt8] {
        let domain = from.split(separator: "@").last.map(String.init) ?? "localhost"
        let lines =
            [
                "Date: \(date(instant))", "From: SpendWise <\(from)>", "To: \(to.joined(separator: ",\r\n "))",
                "Message-ID: <\(id)@\(domain)>",
                "Subject: \(unstructured(subject, after: 9))", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: base64", "",
            ]
            + wrapped(
                Base64.standard.encode(
                    Array(body.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8))
            )
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// A header's text: unchanged if it is short and printable ASCII, otherwise encoded words (RFC 2047 section 2),
    /// each of whole characters and at most 75 characters, one per line.
    static func unstructured(_ text: String, after used: Int) -> String {
        let isPlain =
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.utf8.count + used <= 76 && !text.contains("=?")
            && !text.hasPrefix(" ") && !text.hasSuffix(" ")
        if isPlain { return text }
        // 76 columns less a blank, =?utf-8?B? and ?= leave 15 groups of four characters, which encode 45 bytes; the
        // first line has less room.
        var words: [[UInt8]] = [[]]
        for character in text.unicodeScalars {
            let bytes = Array(String(character).utf8)
            let room = words.count == 1 ? max(4, (76 - used - 12) / 4 * 3) : 45
            if words[words.count - 1].count + bytes.count > room { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Base64.standard.encode($0))?=" }.joined(separator: "\r\n ")
    }

    /// RFC 5322 section 3.3, in UTC.
    static func date(_ instant: UnixTime) -> String {
        let day = instant.day()
        let rest = instant - UnixTime(day)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][day.daysSince1970 % 7]
        let month = MonthName.abbreviation(day.month)
        return
            "\(weekday), \(two(Int64(day.day))) \(month) \(day.year) \(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) +0000"
    }

    /// Lines of 76 characters (RFC 2045 section 6.8).
    private static func wrapped(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 76).map {
            String(decoding: bytes[$0..<min($0 + 76, bytes.count)], as: UTF8.self)
        }
    }
}
