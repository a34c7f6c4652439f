import Chronology
import ChronologyFixture
import Testing

@testable import InternetMessage

/// The copy without attachments has the text of the message.
@Suite struct AttachmentFilterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Content-Type and the fields after it.
        let type: String
        /// `%` is an attachment's content.
        let body: String

        func message(content: String) -> [UInt8] {
            Array(
                "From: Bank <alerts@bank.example>\r\nSubject: Alert\r\nContent-Type: \(type)\r\n\r\n\(body.replacing("%", with: content))"
                    .replacing("\r\n", with: "\n").replacing("\n", with: "\r\n").utf8)
        }
    }

    private static let pdf = "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n%\n"
    private static let text = "Content-Type: text/plain; charset=utf-8\n\nRs.500.00 debited at CAFÉ\n"

    static let cases = [
        Case(
            testDescription: "the attachment first", type: "multipart/mixed; boundary=b",
            body: "preamble\n--b\n\(pdf)--b\n\(text)--b--\nepilogue\n"),
        Case(
            testDescription: "the attachment last", type: "multipart/mixed; boundary=\"a b\"",
            body: "--a b\n\(text)--a b\t \n\(pdf)--a b--\n"),
        Case(
            testDescription: "nested", type: "multipart/mixed;\n boundary=b",
            body:
                "--b\n\(pdf)--b\nContent-Type: multipart/alternative; boundary=bb\n\n--bb\n\(text)--bb\nContent-Type: text/html\n\n<p>Rs.500.00</p>\n--bb--\n--b\n\(pdf)--b--\n"
        ),
        Case(
            testDescription: "an attached text", type: "multipart/mixed; boundary=b",
            body: "--b\nContent-Disposition: attachment\n\n%\n--b\n\(text)--b--\n"),
        Case(
            testDescription: "a forwarded message", type: "multipart/mixed; boundary=b",
            body:
                "--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\(text)--c\n\(pdf)--c--\n--b\n\(text)--b--\n"
        ),
        Case(
            testDescription: "lines that look like delimiters", type: "multipart/mixed; boundary=b",
            body: "--b\nContent-Type: application/pdf\n\n--\n--bc\n--b-\n\n%\n--b\n\(text)--c\n--b--\n"),
        Case(
            testDescription: "no last delimiter", type: "multipart/mixed; boundary=b", body: "--b\n\(text)--b\n\(pdf)"),
        Case(
            testDescription: "a delimiter of a multipart that has ended", type: "multipart/mixed; boundary=b",
            body:
                "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\(text)--b\n\nRs.7.00 debited\n--c\nContent-Type: application/pdf\n\nRs.8.00\n--b--\n"
        ),
        Case(
            testDescription: "a forwarded message in Base64", type: "multipart/mixed; boundary=b",
            body:
                "--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n%\n--b\n\(text)--b--\n"
        ),
        Case(
            testDescription: "an attachment of a forwarded message", type: "multipart/mixed; boundary=b",
            body: "--b\nContent-Type: message/rfc822\n\nSubject: Bill\n\(pdf)--b\n\(text)--b--\n"),
        Case(testDescription: "an attachment alone", type: "application/pdf", body: "%\n"),
    ]

    private static let content = String(repeating: "JVBERi0xLjQK\n", count: 20_000)

    private static func copy(_ bytes: [UInt8], limit: Int = 10_000, pieces size: Int = 1 << 20) -> [UInt8]? {
        var filter = AttachmentFilter(limit: limit)
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { filter.append($0) }
        }
        return filter.finish()
    }

    @Test(arguments: cases) func theTextIsTheSame(_ item: Case) throws {
        let bytes = item.message(content: Self.content)
        let copy = try #require(Self.copy(bytes))
        let (whole, short) = (Message(parsing: bytes), Message(parsing: copy))
        #expect(
            short.text.bytes == whole.text.bytes && short.contentDigest == whole.contentDigest || item.body == "%\n")
        #expect(short.text.bytes == whole.text.bytes && short.limitHit == nil)
        for size in [1, 2, 7, 4096] { #expect(Self.copy(bytes, pieces: size) == copy) }
    }

    /// GMime ends a field at a NUL, so it may read as text what the field behind the NUL excludes.
    @Test(arguments: ["Content-Type: \0application/pdf", "Content-Disposition: \0attachment"])
    func aFieldWithANULExcludesNoText(field: String) throws {
        let bytes = Array(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\(field)\n\nRs.500.00 debited\n--b--\n".utf8)
        let copy = try #require(Self.copy(bytes))
        #expect(Message(parsing: copy).text.bytes == Message(parsing: bytes).text.bytes)
        #expect(String(decoding: Message(parsing: bytes).text.bytes, as: UTF8.self).contains("500.00"))
    }

    /// GMime ends the header at the first line, so what follows is text to it.
    @Test func aHeaderWithALoneCRExcludesNoText() throws {
        let bytes = Array("\r\r\nContent-Type: application/pdf\n\nRs.500.00 debited\n".utf8)
        let copy = try #require(Self.copy(bytes))
        #expect(Message(parsing: copy).text.bytes == Message(parsing: bytes).text.bytes)
    }

    /// GMime and ``HeaderSection`` read these headers differently, so nothing that depends on them is left out.
    @Test(arguments: [
        // GMime believes the last of two fields.
        "Content-Type: message/rfc8\n--c\nContent-Type: text/html\n\n<p>%</p>",
        "Content-Type: application/pdf\nContent-Type: text/plain\n\n%",
        "Content-Type: application/pdf\nContent-Type : text/plain\n\n%",
        "Content-Disposition: attachment\nContent-Disposition: inline\n\n%",
        "Content-Type: multipart/mixed; boundary=c\nContent-Type: multipart/mixed; boundary=d\n\n--d\n\n%\n--c\nContent-Type: application/pdf\n\n%\n--d--",
        // GMime takes the first delimiter for that of the inner multipart, so the second is not that of the outer one.
        "Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: text/plain\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf\n\n--c\n\n%\n--c--",
        // Attachments have this word alone.
        "Content-Disposition: attachment x\n\n%", "Content-Disposition: attachmentx; filename=x\n\n%",
        // A multipart is read whatever its disposition.
        "Content-Type: (a) multipart/mixed; boundary=c\nContent-Disposition: attachment\n\n--c\n\n%\n--c--",
        // Boundaries that GMime does not see as a string does.
        "Content-Type: multipart/mixed; boundary=\"c \"\n\n--c \n\n%\n--c --",
        "Content-Type: multipart/mixed; boundary=\"c\u{1}\"\n\n--c\u{1}\n\n%\n--c\nContent-Type: application/pdf\n\n%\n--c\u{1}--",
        "Content-Type: multipart/mixed; boundary=\"c\td\"\n\n--c\td\n\n%\n--c d\nContent-Type: application/pdf\n\n%\n--c\td--",
        "Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: multipart/mixed; boundary=\"\"\n\n--\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf\n\n--c\n\n%\n--c--",
        // The delimiters belong to the forwarded message first.
        "Content-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nRs.6.00\n--b--\n--b\n\n%",
    ]) func aDoubtfulHeaderExcludesNoText(part: String) throws {
        let pdf = "--b\nContent-Type: application/pdf\n\nJVBERi0xLjQK\n"
        for ending in ["\n", "\r\n"] {
            let bytes = Array(
                "Content-Type: multipart/mixed; boundary=b\n\n\(pdf)--b\n\(part.replacing("%", with: "Rs.500.00 debited"))\n\(pdf)--b--\n"
                    .replacing("\n", with: ending).utf8)
            let copy = try #require(Self.copy(bytes))
            let text = Message(parsing: bytes).text.bytes
            #expect(Message(parsing: copy).text.bytes == text)
            #expect(String(decoding: text, as: UTF8.self).contains("500.00"))
            #expect(copy.count < bytes.count)
        }
    }

    /// Texts above the limit are not cut.
    @Test func longTextsAreRefused() {
        let long = String(repeating: "word \n", count: 2000)
        let item = Case(testDescription: "", type: "multipart/mixed; boundary=b", body: "--b\n\n%\n--b--\n")
        #expect(Self.copy(item.message(content: long)) == nil)
        #expect(Self.copy(item.message(content: long), limit: 20_000) == item.message(content: long))
        #expect(Self.copy(Array(repeating: 0x78, count: 20_000)) == nil)
    }

    /// Hostile input ends in linear time.
    @Test(.timeLimit(.minutes(5)), arguments: ["--\n", "--b\n", "--b\nContent-Type: multipart/mixed; boundary=", "\n"])
    func hostileDelimiters(unit: String) {
        let body = (0..<200_000).map { "\(unit)\(unit.hasSuffix("=") ? "x\($0)\n\n" : "")" }.joined()
        let item = Case(testDescription: "", type: "multipart/mixed; boundary=b", body: body)
        _ = Self.copy(item.message(content: ""), limit: 1 << 20)
    }
}
