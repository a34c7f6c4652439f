import IMAP
import InternetMessage
import Ledger
import Store
import Testing

@testable import Ingest

/// Messages above the size limit, which is 1 MB in these tests: the text parts are fetched without the attachment.
@Suite struct OversizeTests {
    private static let plain = String(decoding: Sample.alert(7), as: UTF8.self).replacing("\r\n\r\n", with: "\u{0}")

    private static let header = plain.prefix { $0 != "\u{0}" }
    private static let text = plain.drop { $0 != "\u{0}" }.dropFirst()

    private static let mail = Array(
        """
        \(header)\r
        Content-Type: multipart/mixed; boundary="b"\r
        \r
        --b\r
        Content-Type: application/pdf\r
        Content-Disposition: attachment\r
        \r
        \(String(repeating: "JVBERi0xLjQK", count: 100_000))\r
        --b\r
        Content-Type: text/plain; charset=utf-8\r
        \r
        \(text)\r
        --b--\r

        """.utf8)

    private static let structure = """
        (("application" "pdf" NIL NIL NIL "base64" 1200000 NIL ("attachment" NIL))("text" "plain" NIL NIL NIL "7bit" \
        \(text.utf8.count) 3) "mixed")
        """

    private static func literal(_ text: some StringProtocol) -> String { "{\(text.utf8.count)}\r\n\(text)" }

    private static func server(_ from: String? = nil) -> FakeServer {
        let server = FakeServer()
        let bytes = from.map {
            Array(String(decoding: mail, as: UTF8.self).replacing("alerts@bank.example", with: $0).utf8)
        }
        server.folders["INBOX"]?.add(Sample.alert(1))
        server.folders["INBOX"]?.add(bytes ?? mail)
        server.folders["INBOX"]?.add(Sample.alert(2))
        return server
    }

    /// Answers the commands about parts as a server does.
    private static func answerParts(_ server: FakeServer, structure: String = structure, sections: String? = nil) {
        server.intercept = { _, command in
            if command == "UID FETCH 2 (UID BODYSTRUCTURE)" {
                return ["* 2 FETCH (UID 2 BODYSTRUCTURE \(structure))", "% OK done"]
            }
            guard command.hasPrefix("UID FETCH 2 (UID BODY.PEEK[2.MIME]") else { return nil }
            let texts =
                sections
                ?? "BODY[2.MIME] \(literal("Content-Type: text/plain; charset=utf-8\r\n\r\n")) BODY[2] \(literal(text))"
            return ["* 2 FETCH (UID 2 \(texts))", "% OK done"]
        }
    }

    @Test func theTextIsBooked() throws {
        let (server, book) = (Self.server(), try Book())
        Self.answerParts(server)
        let summary = try #require(try server.pass(book).first)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 recorded", "7:3 recorded"])
        #expect(summary.done == 3 && summary.outcomes == [.recorded: 3])
        #expect(try book.cursor()?.nextUID == 4)
        #expect(
            try book.store.mails.latest([.recorded], limit: 9).compactMap(\.subject) == [
                "Card alert", "Card alert", "Card alert",
            ])
    }

    /// Without the parts it is kept as failed, as before.
    @Test(arguments: ["NO", "BAD", "no text", "no answer", "cut"]) func otherwiseItFails(why: String) throws {
        let (server, book) = (Self.server(), try Book())
        switch why {
        case "NO", "BAD": server.intercept = { $1.contains("BODYSTRUCTURE") ? ["% \(why) not now"] : nil }
        case "no text":
            Self.answerParts(server, structure: "((\"application\" \"pdf\" NIL NIL NIL \"base64\" 12) \"mixed\")")
        case "no answer": server.intercept = { $1.contains("BODYSTRUCTURE") ? ["% OK done"] : nil }
        default: Self.answerParts(server, sections: "BODY[2.MIME] NIL")
        }
        try server.pass(book)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 failed", "7:3 recorded"])
        #expect(try book.store.mails.failed().first?.mail.reason?.contains("message-bytes") == true)
        #expect(try book.cursor()?.nextUID == 4)
    }

    /// A message that is not from a bank is not worth a second command.
    @Test func partsOfOtherMailAreNotRequested() throws {
        let (server, book) = (Self.server("bank.example@shop.test"), try Book())
        try server.pass(book)
        #expect(!server.commands.contains { $0.contains("BODYSTRUCTURE") })
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 unclaimed", "7:3 recorded"])
    }

    /// The connection breaks while the parts are fetched: the cursor has not passed the message, and in the end it is
    /// recorded.
    @Test func aBrokenConnectionLosesNothing() throws {
        let (server, book, caution) = (Self.server(), try Book(), FetchCaution())
        for _ in 0..<4 {
            server.reconnect()
            server.intercept = { $1.contains("BODYSTRUCTURE") ? ["* BYE too hard"] : nil }
            do { try server.pass(book, caution: caution) } catch is IMAPError {}
            let isRecorded = try book.outcomes().contains { $0.hasPrefix("7:2") }
            #expect(try isRecorded || book.cursor().map { $0.nextUID <= 2 } ?? true)
        }
        server.reconnect()
        Self.answerParts(server)
        try server.pass(book, caution: caution)
        #expect(try book.outcomes().map { $0.prefix(3) } == ["7:1", "7:2", "7:3"])
    }

    /// No text can imitate the line that separates parts, and alternatives stay alternatives.
    @Test func textOnlyMessageIsAssembled() throws {
        let structure = BodyStructure.multipart(
            subtype: "mixed",
            parts: [
                .multipart(
                    subtype: "alternative",
                    parts: [
                        .part(BodyPart(type: "text", subtype: "plain", size: 9)),
                        .part(BodyPart(type: "text", subtype: "html", size: 9)),
                    ]), .part(BodyPart(type: "image", subtype: "png", size: 9_000_000)),
            ])
        let parts = try #require(TextOnlyMessage(structure, limit: 1000))
        #expect(parts.sections == ["1.1.MIME", "1.1", "1.2.MIME", "1.2"])
        let bytes = try #require(
            parts.bytes(
                header: Array("Subject: a\r\n".utf8),
                sections: [
                    "1.1.MIME": Array("Content-Type: text/plain\r\n\r\n".utf8),
                    "1.1": Array("plain\r\n--text-only-0-1--\r\nstill plain".utf8),
                    "1.2.MIME": Array("Content-Type: text/html\r\n\r\n".utf8), "1.2": Array("<p>html</p>".utf8),
                ]))
        let message = Message(parsing: bytes)
        #expect(message.subject == "a")
        #expect(String(decoding: message.text.bytes, as: UTF8.self).contains("html"))
        #expect(!String(decoding: message.text.bytes, as: UTF8.self).contains("plain"), "the HTML part is read")
        #expect(TextOnlyMessage(structure, limit: 17) == nil)
        #expect(TextOnlyMessage(.part(BodyPart(type: "text", subtype: "plain", size: 9)), limit: 1000) == nil)
    }
}
