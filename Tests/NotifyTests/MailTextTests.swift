import Chronology
import ChronologyFixture
import Codecs
import Testing

@testable import Notify

@Suite struct MailTextTests {
    private func compose(subject: String, body: String = "text", to: [String] = ["someone@example.com"]) -> String {
        String(
            decoding: MailText.compose(
                id: "0190-1", from: "spend@example.org", to: to, subject: subject, body: body, at: monday),
            as: UTF8.self)
    }

    @Test func aPlainMail() {
        #expect(
            compose(subject: "INR 12.50 spent", to: ["a@example.com", "b@example.com"])
                == [
                    "Date: Mon, 05 Jan 2026 08:00:00 +0000", "From: SpendWise <spend@example.org>",
                    "To: a@example.com,", " b@example.com", "Message-ID: <0190-1@example.org>",
                    "Subject: INR 12.50 spent", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                    "Content-Type: text/plain; charset=utf-8",
                    "Content-Transfer-Encoding: base64", "", "dGV4dA==", "",
                ].joined(separator: "\r\n"))
    }

    @Test(arguments: [
        "a\r\nBcc: evil@example.com", "a\nb", "a\rb", "\r\n\r\nbody", "=?utf-8?Q?x?=", " blank",
        String(repeating: "x", count: 2000), "Café ₹ 100", String(repeating: "ₓ", count: 99), "tab\there", "\u{0}",
    ])
    func noSubjectBreaksOut(subject: String) throws {
        let mail = compose(subject: subject)
        let head = mail.utf8.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.prefix { $0 != "\r" }
        #expect(!head.contains { $0.hasPrefix("Bcc") })
        #expect(
            head.allSatisfy {
                $0.utf8.count <= 77 && $0.hasSuffix("\r")
                    && $0.utf8.dropLast().allSatisfy { (0x20...0x7E).contains($0) }
            }, "\(head)")
        // The encoded words decode to the original, each of whole characters.
        let field = head.drop { !$0.hasPrefix("Subject: ") }
        let lines = [field.first.map { String($0.dropFirst(9)) } ?? ""] + field.dropFirst().prefix { $0.hasPrefix(" ") }
        let words = lines.map { $0.filter { $0 != " " && $0 != "\r" && $0 != "\r\n" } }
        let encoded = try #require(words.allSatisfy { $0.hasPrefix("=?utf-8?q?") } ? words : nil, "\(words)")
        let decoded = encoded.map { PercentEncoding.decode($0.dropFirst(10).dropLast(2).replacing("=", with: "%")) }
        #expect(decoded.compactMap { $0 }.joined().unicodeScalars.elementsEqual(subject.unicodeScalars))
        #expect(encoded.allSatisfy { $0.utf8.count <= 75 } && !decoded.contains(nil), "\(words)")
    }

    @Test func bodyIsWrappedAndRoundTrips() {
        let body = String(repeating: "₹ line\n.\n", count: 100)
        let mail = compose(subject: "x", body: body)
        let lines = mail.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0.dropLast($0.last == 0x0D ? 1 : 0), as: UTF8.self)
        }
        let text = lines.drop { !$0.isEmpty }.dropFirst()
        #expect(text.allSatisfy { $0.utf8.count <= 76 })
        let decoded = Base64.standard.decode(Array(text.joined().utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(decoded?.unicodeScalars.filter { $0 != "\r" }.elementsEqual(body.unicodeScalars) ?? false)
    }

    @Test(arguments: [
        (UnixTime.epoch, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_868_799, "Tue, 29 Feb 2000 23:59:59 +0000"),
        (monday, "Mon, 05 Jan 2026 08:00:00 +0000"),
    ])
    func dates(instant: UnixTime, text: String) { #expect(RFC5322Date.text(instant) == text) }
}
