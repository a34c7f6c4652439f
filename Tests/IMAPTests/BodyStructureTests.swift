import Randomness
import Testing
import YAMLSource

@testable import IMAP

@Suite struct BodyStructureTests {
    private static func parse(_ text: String) throws(Malformed) -> BodyStructure {
        var bytes = Array(text.utf8)
        let count = bytes.count
        var result: Result<BodyStructure, Malformed> = .failure(Malformed(what: "empty"))
        bytes.withUnsafeMutableBytes { buffer in
            var cursor = WireCursor(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            result = Result { () throws(Malformed) in try cursor.bodyStructure() }
        }
        return try result.get()
    }

    private static let statement = """
        ((("text" "plain" ("charset" "utf-8") NIL NIL "quoted-printable" 1152 23 NIL NIL NIL NIL)\
        ("TEXT" "HTML" ("charset" "utf-8") "<id>" "a \\"description\\"" "base64" 5000 64) "ALTERNATIVE" ("boundary" "b2"))\
        ("application" "pdf" ("name" "statement.pdf") NIL NIL "base64" 12000000 NIL ("attachment" ("filename" "a.pdf")) NIL)\
        ("text" "plain" NIL NIL NIL "7bit" 9 1 NIL ("ATTACHMENT" NIL))\
        ("message" "rfc822" NIL NIL NIL "7bit" 300 ("date" "subject" ((NIL NIL "a" "b")) NIL NIL NIL NIL NIL NIL NIL) \
        ("text" "plain" NIL NIL NIL "7bit" 9 1) 12) "mixed" ("boundary" "b1") NIL NIL)
        """

    @Test func aStatementWithAttachments() throws {
        #expect(
            try Self.parse(Self.statement)
                == .multipart(
                    subtype: "mixed",
                    parts: [
                        .multipart(
                            subtype: "alternative",
                            parts: [
                                .part(BodyPart(type: "text", subtype: "plain", size: 1152)),
                                .part(BodyPart(type: "text", subtype: "html", size: 5000)),
                            ]),
                        .part(BodyPart(type: "application", subtype: "pdf", size: 12_000_000, isAttachment: true)),
                        .part(BodyPart(type: "text", subtype: "plain", size: 9, isAttachment: true)),
                        .part(BodyPart(type: "message", subtype: "rfc822", size: 300)),
                    ]))
    }

    /// Literals in place of quoted strings, and blanks between parts, which some servers send.
    @Test func otherForms() throws {
        #expect(
            try Self.parse(
                "(({4}\r\ntext \"plain\" NIL NIL NIL \"7bit\" 9 1) (\"text\" \"html\" NIL NIL NIL NIL 8) \"mixed\")")
                == .multipart(
                    subtype: "mixed",
                    parts: [
                        .part(BodyPart(type: "text", subtype: "plain", size: 9)),
                        .part(BodyPart(type: "text", subtype: "html", size: 8)),
                    ]))
    }

    @Test(arguments: [
        "", "(", "()", "(\"text\")", "(\"text\" \"plain\" NIL NIL NIL \"7bit\" x)",
        "((\"text\" \"plain\" NIL NIL NIL NIL 1)",
        "((\"text\" \"plain\" NIL NIL NIL NIL 1))", "(NIL \"plain\" NIL NIL NIL NIL 1)",
        "(\"text\" \"plain\" NIL NIL NIL NIL 99999999999999999999)",
    ]) func malformed(text: String) { #expect(throws: Malformed.self) { try Self.parse(text) } }

    /// Depth and number of parts are limited.
    @Test func limits() {
        let deep = String(repeating: "(", count: 5000) + String(repeating: ")", count: 5000)
        #expect(throws: Malformed.self) { try Self.parse(deep) }
        let wide =
            "(" + String(repeating: "(\"a\" \"b\" NIL NIL NIL NIL 1)", count: WireLimits.bodyParts) + " \"mixed\")"
        #expect(throws: Malformed.self) { try Self.parse(wide) }
    }

    /// Total: for any bytes, parsing ends with a value or an error.
    @Test func anyBytes() throws {
        var random = SplitMix64(state: 11)
        let text = Array(Self.statement.utf8)
        for cut in 0..<text.count { _ = try? Self.parse(String(decoding: text[..<cut], as: UTF8.self)) }
        for _ in 0..<5000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    Array("()\"\\{}1 N\r\n".utf8).randomElement(using: &random) ?? 0
            }
            _ = try? Self.parse(String(decoding: bytes, as: UTF8.self))
        }
    }
}
