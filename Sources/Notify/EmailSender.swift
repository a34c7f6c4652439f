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

    func send(_ notice: Notice, at now: UnixTime, wake: Wake) -> DeliveryResult {
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
            return DeliveryResult(error)
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
                "Date: \(RFC5322Date.text(instant))", "From: SpendWise <\(from)>",
                "To: \(to.joined(separator: ",\r\n "))",
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
        return EncodedWord.text(text, after: used)
    }

    /// Lines of 76 characters (RFC 2045 section 6.8).
    private static func wrapped(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 76).map {
            String(decoding: bytes[$0..<min($0 + 76, bytes.count)], as: UTF8.self)
        }
    }
}
