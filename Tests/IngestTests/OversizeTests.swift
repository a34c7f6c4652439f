import IMAP
import InternetMessage
import Ledger
import Settings
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

    private static let statement = Array(
        """
        From: Bank <alerts@bank.example>\r
        Subject: Your statement\r
        Date: Mon, 5 Jan 2026 10:10:00 +0530\r
        Content-Type: multipart/mixed; boundary="b"\r
        \r
        --b\r
        Content-Type: text/plain\r
        \r
        Your statement is attached.\r
        --b\r
        Content-Type: application/octet-stream; name="january.csv"\r
        \r
        a,b\r
        --b\r
        Content-Type: application/pdf; name="year.pdf"\r
        Content-Transfer-Encoding: base64\r
        \r
        \(String(repeating: "JVBERi0xLjQK", count: 100_000))\r
        --b--\r

        """.utf8)

    private static let statementStructure = """
        (("text" "plain" NIL NIL NIL "7bit" 27 1)("application" "octet-stream" NIL NIL NIL "7bit" 3)\
        ("application" "pdf" NIL NIL NIL "base64" 1200000) "mixed")
        """

    /// Of a statement, the files that fit are fetched; one that does not, or that the server refuses, waits for a
    /// person by its name.
    @Test(arguments: [true, false]) func filesOfAStatementAreNotLost(areGiven: Bool) throws {
        let (server, book) = (FakeServer(), try Book())
        server.folders["INBOX"]?.add(Sample.alert(1))
        server.folders["INBOX"]?.add(Self.statement)
        let text =
            "BODY[1.MIME] \(Self.literal("Content-Type: text/plain\r\n\r\n")) "
            + "BODY[1] \(Self.literal("Your statement is attached."))"
        let files =
            " BODY[2.MIME] \(Self.literal("Content-Type: application/octet-stream; name=\"january.csv\"\r\n\r\n")) "
            + "BODY[2] \(Self.literal("a,b")) "
            + "BODY[3.MIME] \(Self.literal("Content-Type: application/pdf; name=\"year.pdf\"\r\n\r\n"))"
        server.intercept = { _, command in
            switch command {
            case "UID FETCH 2 (UID BODYSTRUCTURE)":
                ["* 2 FETCH (UID 2 BODYSTRUCTURE \(Self.statementStructure))", "% OK done"]
            case "UID FETCH 2 (UID BODY.PEEK[1.MIME] BODY.PEEK[1])":
                ["* 2 FETCH (UID 2 \(text))", "% OK done"]
            case "UID FETCH 2 (UID BODY.PEEK[1.MIME] BODY.PEEK[1] BODY.PEEK[2.MIME] BODY.PEEK[2] BODY.PEEK[3.MIME])":
                areGiven ? ["* 2 FETCH (UID 2 \(text)\(files))", "% OK done"] : ["% NO not now"]
            default: nil
            }
        }
        var intake = try Sample.intake()
        intake.decisions.keepsRaw = true
        try server.pass(book, intake: intake)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 ignored"])
        let found = try book.store.statements.files().reversed().map {
            "\($0.name ?? "-") \($0.state.rawValue) \($0.size.map { "\($0)" } ?? "not kept")"
        }
        #expect(found == (areGiven ? ["january.csv waiting 3", "year.pdf refused not kept"] : ["- refused not kept"]))
        if areGiven {
            #expect(try book.store.statements.openFile(1).bytes == Array("a,b".utf8))
            #expect(throws: StoreError.self) { try book.store.statements.openFile(2) }
        }
        #expect(try book.store.statements.files().first?.reason?.contains("import it") == true)
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
        let parts = try #require(PartialMessage(structure, limit: 1000))
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
        #expect(PartialMessage(structure, limit: 17) == nil)
        #expect(PartialMessage(.part(BodyPart(type: "text", subtype: "plain", size: 9)), limit: 1000) == nil)
    }
}
