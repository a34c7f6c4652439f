import Chronology
import Testing

@testable import InternetMessage

@Suite struct ShortMessageTests {
    /// What a phone shows, and the header in it.
    static let headers: [(String, String?)] = [
        ("VM-HDFCBK", "HDFCBK"), ("JM-HDFCBK-S", "HDFCBK-S"), ("ad-icicit-t", "ICICIT-T"), ("HDFCBK", "HDFCBK"),
        ("HDFCBK-P", "HDFCBK-P"), ("BX-SBIUPI-G", "SBIUPI-G"), (" VM-HDFCBK ", "HDFCBK"), ("JM-Kotakb-S", "KOTAKB-S"),
        ("24273", "24273"), ("5676 ", "5676"), ("ABCDEFGHIJK", "ABCDEFGHIJK"), ("57-HDFCBK", "HDFCBK"),
        // Neither prefix nor suffix.
        ("VM-HDFCBK-X", nil), ("VMX-HDFCBK", nil), ("VM-HDFCBK-S-S", nil), ("VM--S", nil), ("-HDFCBK", nil),
        ("HDFCBK-", nil), ("VM-", nil), ("AB", nil), ("ABCDEFGHIJKL", nil),
        // Persons and telephone numbers.
        ("+919812345678", nil), ("9812345678", nil), ("Asha Rao", nil), ("asha@example.com", nil), ("", nil),
        ("   ", nil), ("एचडीएफसी", nil), ("HDFC\u{0}BK", nil), ("HDFCBK\r\nBcc: x@example.com", nil),
        ("HDFCBK@sms.invalid", nil), (String(repeating: "A", count: 100_000), nil), ("VM‑HDFCBK", nil),
    ]

    @Test(arguments: headers) func header(shown: String, expected: String?) {
        #expect(SMSHeader(shown)?.description == expected)
    }

    @Test func theMessageHasTheFormOfAMail() throws {
        let header = try #require(SMSHeader("JM-HDFCBK-S"))
        let text = "Sent Rs.60.00\nFrom: <alerts@bank.example>\n\nTo LANTERN BOOKS"
        let sms = ShortMessage(from: header, text: text, receivedAt: UnixTime(seconds: 1_768_137_012))
        let message = Message(parsing: sms.message(now: .now))
        #expect(message.smsHeader == header && message.subject == "SMS from HDFCBK")
        #expect(message.date?.instant == UnixTime(seconds: 1_768_137_012))
        // A text cannot add a header.
        #expect(message.from.map(\.addrSpec) == ["hdfcbk-s@sms.invalid"])
        #expect(String(decoding: message.text.bytes, as: UTF8.self).contains("From: <alerts@bank.example>"))
        #expect(message.messageID?.hasSuffix("@sms.invalid") ?? false)
    }

    /// Texts that must stay texts.
    static let hostile = [
        "", "\0", "\r\n\r\n", "\r\n.\r\n", String(repeating: "\u{202E}A", count: 900), "\u{FEFF}Rs.1", "<b>Rs.1</b>",
        "=?utf-8?q?Rs.1?=", "From alerts@bank.example Mon Jan  5 00:00:00 2026\n", String(repeating: "न", count: 2000),
        "Content-Type: text/html\r\n\r\n<p>Rs.1", "--boundary\r\nContent-Type: text/plain\r\n\r\nRs.1",
    ]

    @Test(arguments: hostile) func aTextIsNeverAHeader(text: String) throws {
        let header = try #require(SMSHeader("HDFCBK"))
        let message = Message(parsing: ShortMessage(from: header, text: text).message(now: .now))
        #expect(message.smsHeader == header && message.from.count == 1)
        #expect(!String(decoding: message.text.bytes, as: UTF8.self).contains("<p>") || text.contains("<p>"))
    }

    @Test func theDigestIsThatOfOneSMS() throws {
        let header = try #require(SMSHeader("VM-HDFCBK"))
        let other = try #require(SMSHeader("AD-HDFCBK-S"))
        let day = UnixTime(seconds: 1_768_137_012)
        func digest(_ text: String, _ at: UnixTime?, by sender: SMSHeader = header, now: UnixTime = day) -> [UInt8] {
            ShortMessage(from: sender, text: text, receivedAt: at).digest(now: now)
        }
        #expect(digest("a", day) == digest("a", day, by: other, now: day + 90_000))
        #expect(digest("a", day) != digest("a", day + 1) && digest("a", day) != digest("b", day))
        #expect(digest("a", nil) == digest("a", nil, now: day + 60))
        #expect(digest("a", nil) != digest("a", nil, now: day + 86_400))
    }

    @Test func onlyOneSenderOfThatDomainIsAnSMS() {
        for from in [
            "a@sms.invalid.example", "a@sub.sms.invalid", "<HDFCBK@sms.invalid>, <x@bank.example>", "x y@sms.invalid",
        ] {
            #expect(Message(parsing: Array("From: \(from)\r\n\r\nRs.1".utf8)).smsHeader == nil, "\(from)")
        }
    }
}
