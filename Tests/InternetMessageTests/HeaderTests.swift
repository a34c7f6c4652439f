import Chronology
import ChronologyFixture
import InternetMessage
import Testing

/// A header section and the expected fields.
struct HeaderFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let header: String
    var from: [String] = []
    var names: [String?] = []
    var subject = ""
    var messageID: String?
    var date: HeaderDate?
    var defects: [Defect] = []

    var testDescription: String { name }
}

@Suite struct HeaderTests {
    @Test(arguments: fixtures, ["\n", "\r\n"])
    func read(_ fixture: HeaderFixture, lineEnd: String) {
        let text = (fixture.header + "\n\nbody\n").split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: lineEnd)
        let message = Message(parsing: Array(text.utf8))
        #expect(message.from.map(\.addrSpec) == fixture.from)
        if !fixture.names.isEmpty { #expect(message.from.map(\.displayName) == fixture.names) }
        #expect(message.subject == fixture.subject)
        #expect(message.messageID == fixture.messageID)
        #expect(message.date == fixture.date)
        #expect(message.defects == fixture.defects)
        #expect(message.text.description == "body")
    }

    static let fixtures: [HeaderFixture] = [
        HeaderFixture(
            name: "plain",
            header: "From: Some Bank <Alerts@Bank.Example>\nSubject: Paid\nMessage-ID: <1@x.example>\n"
                + "Date: Fri, 20 Nov 2026 12:00:00 +0530",
            from: ["alerts@bank.example"], names: ["Some Bank"], subject: "Paid", messageID: "1@x.example",
            date: HeaderDate(1_795_156_200, offsetSeconds: 19800)),
        HeaderFixture(
            name: "folded, names in other case, blank before the colon",
            header: "FROM :\n \"Bank, Some\"\n\t<a@b.example>\nsubject:  one\n  two\n\n".trimmed,
            from: ["a@b.example"], names: ["Bank, Some"], subject: "one two"),
        HeaderFixture(
            name: "encoded words",
            header: "From: =?utf-8?q?Bank_=E2=82=B9?= <a@b.example>\n"
                + "Subject: =?utf-8?B?4pyU?= =?UTF-8?Q?_paid_=E2=80=8B5=2E00?=\n =?iso-8859-1?q?=A0caf=E9?=",
            from: ["a@b.example"], names: ["Bank ₹"], subject: "✔ paid 5.00 café"),
        HeaderFixture(
            name: "several From fields", header: "From: a@b.example\nFrom: c@d.example",
            from: ["a@b.example", "c@d.example"], defects: [.duplicateField]),
        HeaderFixture(
            name: "several mailboxes", header: "From: A <a@b.example>, c@d.example (C)",
            from: ["a@b.example", "c@d.example"], names: ["A", nil]),
        HeaderFixture(
            name: "group", header: "From: Banks: A <a@b.example>, c@d.example;",
            from: ["a@b.example", "c@d.example"]),
        HeaderFixture(
            name: "an address in the display name", header: "From: \"a@bank.example\" <x@evil.example>",
            from: ["x@evil.example"], names: ["a@bank.example"]),
        HeaderFixture(
            name: "two addresses in one mailbox", header: "From: a@bank.example <x@evil.example>",
            from: ["a@bank.example", "x@evil.example"]),
        HeaderFixture(
            name: "the same address as the display name", header: "From: a@bank.example <a@bank.example>",
            from: ["a@bank.example"]),
        HeaderFixture(
            name: "comments", header: "From: (x@evil.example) a (b) @ (c) bank.example (d (e) \\) f)",
            from: ["a@bank.example"]),
        HeaderFixture(
            name: "quoted local part", header: "From: \"a@bank.example\\\"\"@evil.example",
            from: ["a@bank.example\"@evil.example"]),
        HeaderFixture(
            name: "a route", header: "From: A <@x.example,@y.example:a@bank.example>", from: ["a@bank.example"]),
        HeaderFixture(
            name: "a NUL does not end the address", header: "From: a@bank.example\0.evil.example",
            from: ["a@bank.example.evil.example"]),
        HeaderFixture(name: "no address", header: "From: Some Bank", defects: [.malformedFrom, .noFrom]),
        HeaderFixture(name: "no From", header: "Subject: x", subject: "x", defects: [.noFrom]),
        HeaderFixture(
            name: "unclosed angle bracket", header: "From: A <a@bank.example", from: ["a@bank.example"],
            defects: [.malformedFrom]),
        HeaderFixture(
            name: "more after the address", header: "From: <a@bank.example@evil.example>",
            from: ["a@evil.example"], defects: [.malformedFrom]),
        HeaderFixture(
            name: "mbox line, damaged line",
            header: "From a@b.example Fri Nov 20 12:00:00 2026\nno field\nFrom: a@b.example\nSubject: x",
            from: ["a@b.example"], subject: "x", defects: [.malformedHeaderLine]),
        HeaderFixture(
            name: "raw bytes in a subject", header: "From: a@b.example\nSubject: ₹500 \u{202E}paid\u{200B}\ttoday",
            from: ["a@b.example"], subject: "₹500 paid today"),
        HeaderFixture(
            name: "Message-ID without brackets", header: "From: a@b.example\nMessage-Id: x@y.example ",
            from: ["a@b.example"], messageID: "x@y.example"),
    ]

    @Test(
        arguments: [
            ("20 Nov 2026 12:00 +0530", 1_795_156_200, 19800),
            ("Fri, 20 Nov 2026 06:30:00 GMT", 1_795_156_200, 0),
            ("Fri, 20 Nov 2026 06:30:00 +0000 (UTC)", 1_795_156_200, 0),
            ("fri, 20 nov 2026 06:30:00 -0000", 1_795_156_200, 0),
            ("Thu, 19 Nov 2026 23:30:00 -0700", 1_795_156_200, -25200),
            ("Fri, 20 Nov 26 06:30:00 UT", 1_795_156_200, 0),
            ("Thu, 29 Feb 2024 00:00:00 +0000", 1_709_164_800, 0),
            ("Wed, 31 Dec 1969 23:59:59 +0000", -1, 0),
        ] as [(String, UnixTime, Int32)])
    func date(_ value: String, instant: UnixTime, offset: Int32) {
        let message = Message(parsing: Array("From: a@b.example\nDate: \(value)\n\n".utf8))
        #expect(message.date == HeaderDate(instant, offsetSeconds: offset))
        #expect(message.defects == [])
    }

    @Test(arguments: ["", "yesterday", "Fri, 32 Nov 2026 12:00:00 +0530", "99999999999999999999"])
    func noDate(_ value: String) {
        let message = Message(parsing: Array("From: a@b.example\nDate: \(value)\n\n".utf8))
        #expect(message.date == nil)
        #expect(message.defects == [.malformedDate])
    }

    @Test func boundedFields() {
        let long = String(repeating: "é", count: 3000)
        let message = Message(parsing: Array("From: a@b.example\nSubject: \(long)\nMessage-ID: <\(long)>\n\n".utf8))
        #expect(message.subject == String(repeating: "é", count: 1024))
        #expect(message.messageID?.utf8.count == 998)
        #expect(message.defects == [.fieldCut])
    }

    /// Truncated after a space, the subject is still in canonical form.
    @Test func longSubjectCutAtABlank() {
        let words = String(repeating: "a", count: 2047)
        let message = Message(parsing: Array("From: a@b.example\nSubject: \(words) b\n\n".utf8))
        #expect(message.subject == words)
        #expect(message.defects == [.fieldCut])
    }

    @Test func headerBytesEndAtTheBody() {
        let message = Message(parsing: Array("From: a@b.example\r\n\r\nbody".utf8))
        #expect(Array(message.headerBytes) == Array("From: a@b.example\r\n\r\n".utf8))
    }

    @Test func pointerAndArrayAreTheSame() {
        let bytes = Array("From: a@b.example\nSubject: x\n\nbody".utf8)
        let message = bytes.withUnsafeBytes { Message(parsing: $0) }
        #expect(message.subject == "x")
        #expect(message.text.description == "body")
    }
}

extension String {
    /// The text without trailing line feeds.
    var trimmed: String {
        var text = self
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
