import InternetMessage
import Testing

/// The files of a message.
@Suite struct AttachmentTests {
    private static func files(_ mail: String, atMost count: Int = 4, bytes: Int = 100) -> [String] {
        let lines = mail.split(separator: "\n", omittingEmptySubsequences: false)
        let found = ["\n", "\r\n"].map { end in
            Message(
                parsing: Array(("From: a@b.example\n" + lines.joined(separator: "\n")).replacing("\n", with: end).utf8)
            )
            .attachments(atMost: count, bytes: bytes)
            .map { "\($0.name ?? "-"): \($0.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "no bytes")" }
        }
        #expect(found[0].map { $0.replacing("\r\n", with: "\n") } == found[1].map { $0.replacing("\r\n", with: "\n") })
        return found[0]
    }

    private static let mixed = """
        Content-Type: multipart/mixed; boundary=X

        --X
        Content-Type: multipart/alternative; boundary=Y

        --Y
        Content-Type: text/plain

        text
        --Y
        Content-Type: text/html

        <p>text</p>
        --Y--
        --X
        Content-Type: application/pdf; name="../../etc/a b.pdf"
        Content-Transfer-Encoding: base64

        JVBERi0x
        --X
        Content-Type: text/csv
        Content-Disposition: attachment; filename*=UTF-8''%C3%A9tat.csv

        a,b
        --X
        Content-Type: text/plain
        Content-Disposition: attachment; filename="notes.txt"

        attached text
        --X--

        """

    @Test func filesAreFoundInTheirOrder() {
        let all = ["a b.pdf: %PDF-1", "état.csv: a,b", "notes.txt: attached text"]
        #expect(Self.files(Self.mixed) == all)
        #expect(Self.files(Self.mixed, atMost: 1) == [all[0]] && Self.files(Self.mixed, atMost: 0).isEmpty)
        // A file beyond the limit is named, not cut.
        #expect(Self.files(Self.mixed, bytes: 7) == Array(all.prefix(2)) + ["notes.txt: no bytes"])
    }

    @Test(arguments: [
        ("Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0x\n", ["-: %PDF-1"]),
        ("Content-Type: text/plain\n\ntext\n", []), ("\ntext\n", []),
        (
            "Content-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: message/rfc822\n\nFrom: c@d.example\nContent-Type: application/pdf\n\n%PDF\n--X--\n",
            []
        ),
        ("Content-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: application/pdf\n\n--X--\n", ["-: no bytes"]),
    ]) func otherForms(mail: String, expected: [String]) { #expect(Self.files(mail) == expected) }

    @Test func truncationAtEveryByte() {
        let bytes = Array(("From: a@b.example\n" + Self.mixed).utf8)
        for length in 0..<bytes.count {
            #expect(Message(parsing: Array(bytes[..<length])).attachments(atMost: 4, bytes: 100).count <= 3)
        }
    }

    /// What is read of a message does not depend on its files.
    @Test func theTextStays() {
        let message = Message(parsing: Array(("From: a@b.example\n" + Self.mixed).utf8))
        let files = message.attachments(atMost: 4, bytes: 100).count
        #expect(files == 3 && message.text.description == "text")
    }
}
