import InternetMessage
import Testing

/// A message from its Content-Type on, and the expected text.
struct BodyFixture: Sendable, CustomTestStringConvertible {
    let name: String
    /// Each character is one byte (ISO 8859-1).
    let mail: String
    let text: String
    var source = CanonicalText.Source.plain
    var defects: [Defect] = []

    var bytes: [UInt8] { ("From: a@b.example\n" + mail).unicodeScalars.map { UInt8($0.value) } }
    var testDescription: String { name }
}

@Suite struct MIMETests {
    @Test(arguments: leaves + multiparts + charsets)
    func read(_ fixture: BodyFixture) {
        let message = Message(parsing: fixture.bytes)
        #expect(message.text.description == fixture.text)
        #expect(message.text.source == fixture.source)
        #expect(message.defects == fixture.defects)
    }

    @Test(arguments: leaves + multiparts)
    func readWithCRLF(_ fixture: BodyFixture) {
        let bytes = fixture.bytes.flatMap { $0 == 10 ? [13, 10] : [$0] }
        let message = Message(parsing: bytes)
        #expect(message.text.description == fixture.text)
        #expect(message.defects == fixture.defects)
    }

    /// Stored with CR LF on a server that expects LF.
    @Test(arguments: leaves + multiparts)
    func readWithDoubledReturns(_ fixture: BodyFixture) {
        let message = Message(parsing: fixture.bytes.flatMap { $0 == 10 ? [13, 13, 10] : [$0] })
        #expect(message.text.description == fixture.text)
        #expect(
            message.contentDigest
                == Message(parsing: fixture.bytes.flatMap { $0 == 10 ? [13, 10] : [$0] }).contentDigest)
    }

    @Test(arguments: leaves + multiparts + charsets)
    func cutAnywhere(_ fixture: BodyFixture) {
        let bytes = fixture.bytes
        for end in 0...bytes.count {
            let message = Message(parsing: Array(bytes.prefix(end)))
            #expect(isCanonical(message.text.bytes))
        }
    }

    static let leaves: [BodyFixture] = [
        BodyFixture(name: "no type", mail: "\none\n\n two  three \n", text: "one\ntwo three"),
        BodyFixture(name: "no body", mail: "", text: "", source: .none),
        BodyFixture(name: "html", mail: "Content-Type: TEXT/HTML\n\n<p>one<p>two", text: "one\ntwo", source: .html),
        BodyFixture(
            name: "quoted-printable amount over a soft break",
            mail: "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: Quoted-Printable\n\n"
                + "Rs.1,2=\n34=2E50 =E2=82=B95 a=3Db= \n c =ZZ =\n",
            text: "Rs.1,234.50 ₹5 a=b c =ZZ"),
        BodyFixture(
            name: "base64 html",
            mail:
                "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\nPHA+SU5SIDU8\nL3A+PHA+4oK5NjwvcD4=\n",
            text: "INR 5\n₹6", source: .html),
        BodyFixture(
            name: "base64 with damage",
            mail: "Content-Transfer-Encoding: base64\n\nSU5S\n!*IDUu\nMDA\n", text: "INR 5.00"),
        BodyFixture(
            name: "base64 in pieces", mail: "Content-Transfer-Encoding: BASE64 (x)\n\nSU4=UiA1LjAwMA==\nMA",
            text: "INR 5.0000"),
        BodyFixture(
            name: "uuencode", mail: "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a.txt\n(24Y2(#4N,#  \n`\nend\n",
            text: "INR 5.00"),
        BodyFixture(
            name: "unknown transfer encoding", mail: "Content-Transfer-Encoding: x-own\n\none", text: "one",
            defects: [.unknownTransferEncoding]),
        BodyFixture(
            name: "attachment",
            mail: "Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\none",
            text: "", source: .none),
        BodyFixture(name: "picture", mail: "Content-Type: image/png\n\none", text: "", source: .none),
        BodyFixture(
            name: "damaged type with html", mail: "Content-Type: html\n\n<html><p>one</html>", text: "one",
            source: .html,
            defects: [.malformedContentType]),
        BodyFixture(
            name: "text that looks like html", mail: "Content-Type: text/plain\n\n<html> 5 &lt; 6",
            text: "<html> 5 &lt; 6"),
        BodyFixture(
            name: "format=flowed",
            mail: "Content-Type: text/plain; format=flowed\n\nINR 5 \npaid\n> a \n> b\n> c\n-- \nx \n y\n",
            text: "INR 5 paid\n> a b\n> c\n--\nx y"),
        BodyFixture(
            name: "format=flowed; delsp=yes",
            mail: "Content-Type: text/plain; format=Flowed; delsp=Yes\n\n1,2 \n34 \n.50",
            text: "1,234.50"),
        BodyFixture(
            name: "type of many parameters, folded",
            mail: "Content-Type: text/html;\n charset=\"utf-8\";\n\tname*0=a; name*1=b\n\n<b>x</b>", text: "x",
            source: .html),
    ]

    static let multiparts: [BodyFixture] = [
        BodyFixture(
            name: "alternative: html wins",
            mail: multipart("alternative", [plain("see html"), html("<p>INR 5")]), text: "INR 5", source: .html),
        BodyFixture(
            name: "alternative: html without words",
            mail: multipart("alternative", [plain("INR 5"), html("<img src=x alt=y>")]),
            text: "INR 5"),
        BodyFixture(
            name: "alternative: html only", mail: multipart("alternative", [html("<p>a")]), text: "a", source: .html),
        BodyFixture(name: "alternative: plain only", mail: multipart("alternative", [plain("a")]), text: "a"),
        BodyFixture(
            name: "alternative: html in the wrong place", mail: multipart("alternative", [html("<p>a"), plain("b")]),
            text: "a",
            source: .html),
        BodyFixture(
            name: "mixed: texts follow each other",
            mail: multipart("mixed", [plain("a "), html("<b>b</b>"), "Content-Type: image/png\n\nx", plain("c")]),
            text: "a\nb\nc", source: .html),
        BodyFixture(
            name: "mixed: attachments are not read",
            mail: multipart(
                "mixed",
                [
                    plain("a"), "Content-Type: text/plain\nContent-Disposition: ATTACHMENT\n\nb",
                    "Content-Type: text/csv\n\nc",
                    "Content-Type: text/html\nContent-Disposition: inline; filename=x\n\n<i>d",
                ]),
            text: "a\nd", source: .html),
        BodyFixture(
            name: "a forwarded message is not read",
            mail: multipart(
                "mixed", [plain("see below"), "Content-Type: message/rfc822\n\nFrom: c@d.example\n\nINR 5 debited"]),
            text: "see below"),
        BodyFixture(
            name: "digest", mail: multipart("digest", ["\nFrom: c@d.example\n\nINR 5 debited"]), text: "", source: .none
        ),
        BodyFixture(
            name: "related in alternative",
            mail: multipart(
                "alternative",
                [
                    plain("see html"),
                    multipart("related", [html("<p>a"), "Content-Type: image/png\n\nx", html("<p>b")], boundary: "in"),
                ]),
            text: "a", source: .html),
        BodyFixture(
            name: "related with a root",
            mail: multipart(
                "related; start=\"<r@x>\"",
                ["Content-Type: text/plain\n\na", "Content-Type: text/html\nContent-ID: <r@x>\n\n<p>b"]),
            text: "b", source: .html),
        BodyFixture(
            name: "signed", mail: multipart("signed", [plain("a"), plain("appended by a list")]),
            text: "a"),
        BodyFixture(
            name: "encrypted", mail: multipart("encrypted", [plain("Version: 1"), plain("b")]), text: "", source: .none),
        BodyFixture(
            name: "preamble and epilogue are not read",
            mail: "Content-Type: multipart/mixed; boundary=x\n\nbefore\n--x\n\na\n--x--\nafter\n", text: "a"),
        BodyFixture(
            name: "last boundary missing",
            mail: "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>a\n",
            text: "a", source: .html),
        BodyFixture(
            name: "no boundary parameter", mail: "Content-Type: multipart/mixed\n\n--x\n\na\n--x--\n", text: "",
            source: .none,
            defects: [.malformedMultipart]),
        BodyFixture(
            name: "no parts", mail: "Content-Type: multipart/mixed; boundary=x\n\na\n", text: "", source: .none,
            defects: [.malformedMultipart]),
        BodyFixture(
            name: "quoted-printable in a part",
            mail: multipart(
                "alternative",
                [
                    "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<p>Rs.1=\n500=2E00"
                ]),
            text: "Rs.1500.00", source: .html),
        BodyFixture(
            name: "boundary that begins another",
            mail:
                "Content-Type: multipart/mixed; boundary=ab\n\n--ab\nContent-Type: multipart/mixed; boundary=abc\n\n--abc\n\none\n--abc--\n\n--ab\n\ntwo\n--ab--\n",
            text: "one\ntwo"),
    ]

    static let charsets: [BodyFixture] = [
        BodyFixture(name: "utf-8", mail: "Content-Type: text/plain; charset=utf8\n\n\u{E2}\u{82}\u{B9}5", text: "₹5"),
        BodyFixture(
            name: "utf-8 with damage", mail: "Content-Type: text/plain; charset=utf-8\n\na\u{E2}\u{82} b\u{FF}",
            text: "a\u{FFFD} b\u{FFFD}",
            defects: [.undecodableBytes]),
        BodyFixture(
            name: "latin 1 is windows-1252", mail: "Content-Type: text/plain; charset=iso-8859-1\n\n\u{80}5 caf\u{E9}",
            text: "€5 café"),
        BodyFixture(name: "iconv", mail: "Content-Type: text/plain; charset=\"koi8-r\"\n\n\u{C4}\u{C1}", text: "да"),
        BodyFixture(
            name: "two bytes each", mail: "Content-Type: text/plain; charset=Shift_JIS\n\n\u{93}\u{FA}\u{96}\u{7B}",
            text: "日本"),
        BodyFixture(
            name: "iconv with damage", mail: "Content-Type: text/plain; charset=euc-jp\n\n\u{C6}\u{FC}\u{FF}a\u{C6}",
            text: "日\u{FFFD}a\u{FFFD}",
            defects: [.undecodableBytes]),
        BodyFixture(
            name: "missing, utf-8", mail: "\n\u{E2}\u{82}\u{B9}5", text: "₹5", defects: [.unknownCharset]),
        BodyFixture(name: "missing, not utf-8", mail: "\n\u{80}5", text: "€5", defects: [.unknownCharset]),
        BodyFixture(
            name: "unknown", mail: "Content-Type: text/plain; charset=x-own\n\n\u{80}5", text: "€5",
            defects: [.unknownCharset]),
        BodyFixture(
            name: "named in the html",
            mail:
                "Content-Type: text/html\n\n<meta http-equiv=Content-Type content=\"text/html; charset=windows-1251\">\u{E4}\u{E0}",
            text: "да",
            source: .html),
        BodyFixture(
            name: "utf-16le", mail: "Content-Type: text/plain; charset=utf-16le\n\nI\0N\0R\0 \0\u{35}\0\u{B9}\u{20}",
            text: "INR 5₹"),
        BodyFixture(
            name: "utf-16 with a mark", mail: "Content-Type: text/plain; charset=utf-16\n\n\u{FE}\u{FF}\0I\0N",
            text: "IN"),
        BodyFixture(
            name: "ascii declared as utf-16", mail: "Content-Type: text/plain; charset=utf-16\n\nINR 5", text: "INR 5",
            defects: [.unknownCharset]),
        BodyFixture(
            name: "byte order mark",
            mail: "Content-Type: text/plain; charset=iso-8859-1\n\n\u{EF}\u{BB}\u{BF}\u{E2}\u{82}\u{B9}", text: "₹"),
    ]

    private static func multipart(_ type: String, _ parts: [String], boundary: String = "out") -> String {
        "Content-Type: multipart/\(type); boundary=\(boundary)\n\n" + parts.map { "--\(boundary)\n\($0)\n" }.joined()
            + "--\(boundary)--\n"
    }

    private static func plain(_ text: String) -> String { "Content-Type: text/plain; charset=us-ascii\n\n\(text)" }
    private static func html(_ text: String) -> String { "Content-Type: text/html; charset=us-ascii\n\n\(text)" }
}
