import InternetMessage
import Testing

/// What is read without GMime is read as GMime reads it.
@Suite struct PlainMultipartTests {
    @Test(arguments: MIMETests.multiparts)
    func fixtures(_ fixture: BodyFixture) {
        #expect(Message(parsing: fixture.bytes).agreesWithGMime != false)
        #expect(Message(parsing: fixture.bytes.flatMap { $0 == 10 ? [13, 10] : [$0] }).agreesWithGMime != false)
    }

    /// As banks' programs write it: none of these needs GMime.
    @Test(arguments: [
        ("alternative; boundary=\"----=_Part_1.2\"", "----=_Part_1.2"), ("mixed;\n\tboundary=a_b-c.9", "a_b-c.9"), ("related; type=\"text/html\"; boundary=\"x\";", "x"),
        ("Report; Charset=utf-8 ; Boundary=\"a b\"", "a b"),
    ])
    func plain(_ type: String, _ boundary: String) {
        let parts = "Content-Type: text/plain; charset=utf-8\n\none\n--\(boundary)\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/html;\n charset=utf-8\n\n<p>two\n\n"
        let mail = "Content-Type: multipart/\(type)\n\npreamble\n--\(boundary)\n\(parts)--\(boundary)--\nend\n"
        #expect(Message(parsing: Array(mail.utf8)).agreesWithGMime == true)
    }

    /// Whole mails of random pieces, most of which are nearly right.
    @Test func randomMails() {
        var random = Generator(seed: 8)
        var (plain, wrong) = (0, 0)
        for _ in 0..<20_000 {
            let mail = RandomMultipart.mail(&random)
            guard let agrees = Message(parsing: mail).agreesWithGMime else { continue }
            plain += 1
            if !agrees {
                Issue.record("GMime reads it otherwise: \(String(decoding: mail, as: UTF8.self).debugDescription)")
                wrong += 1
                if wrong > 5 { return }
            }
        }
        // Otherwise nothing was compared.
        #expect(plain > 5_000)
    }
}

/// Puts multiparts together from pieces by chance.
private enum RandomMultipart {
    static func mail(_ random: inout Generator) -> [UInt8] {
        var text = "From: a@b.example\n" + multipart(&random, depth: 0)
        // Something is damaged in every fourth.
        if one(of: 4, &random) {
            var scalars = Array(text.unicodeScalars)
            let at = Int(random.next() % UInt64(scalars.count))
            switch random.next() % 3 {
            case 0: scalars.remove(at: at)
            case 1: scalars.insert(contentsOf: pick(["\n", "\r", "-", " ", ";", "\"", ":", "\t", "=", "\0", "\u{80}"], &random).unicodeScalars, at: at)
            default: scalars.removeLast(scalars.count - at)
            }
            text = String(String.UnicodeScalarView(scalars))
        }
        if one(of: 2, &random) { text = text.replacing("\n", with: "\r\n") }
        return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func multipart(_ random: inout Generator, depth: Int) -> String {
        let boundary = usually(["b", "bb", "b-", "----=_Part_1.2", "a b", "Apple-Mail=_1"], or: ["--", "b--", "=_?x", "b "], &random)
        let subtype = usually(["mixed", "alternative", "Related", "signed", "encrypted", "report"], or: ["digest", "x-own", ""], &random)
        let before = usually([";", "; ", ";\n ", ";\n\t", " ; charset=utf-8; "], or: ["", ";;"], &random)
        let after = usually(["", ";", "; type=\"text/html\""], or: ["; start=\"<1>\"", "; boundary=b", " (x)"], &random)
        let written = usually(["\"\(boundary)\""], or: [boundary], &random)
        var text = "Content-Type: multipart/\(subtype)\(before)boundary\(usually(["="], or: [" = ", "*0=", ""], &random))\(written)\(after)\n"
        text += usually([""], or: ["Content-Disposition: attachment\n", "X-Own: 1\n", "Content-Transfer-Encoding: base64\n"], &random) + "\n"
        text += usually(["", "preamble\n", "\n", "--\n"], or: ["Content-Type: text/plain\n\n", "--b"], &random)
        for _ in 0..<Int(random.next() % 4) {
            text += "--" + boundary + usually(["\n"], or: [" \n", "x\n", "-\n", "\n\n"], &random)
            text += depth < 3 && one(of: 3, &random) ? multipart(&random, depth: depth + 1) : leaf(&random)
        }
        text += usually(["--\(boundary)--\n"], or: ["--\(boundary)--", "--\(boundary)\n", "--\(boundary)-- \n", ""], &random)
        return text + usually(["", "\n", "epilogue\n"], or: ["--\(boundary)\nContent-Type: text/plain\n\nlate\n--\(boundary)--\n"], &random)
    }

    private static func leaf(_ random: inout Generator) -> String {
        var text = usually(
            [
                "Content-Type: text/plain\n", "Content-Type: text/html; charset=\"utf-8\"\n", "content-type:TEXT/HTML;\n charset=ISO-8859-1\n",
                "Content-Type: text/plain; format=flowed; delsp=yes\n", "Content-Type: image/png; name=\"a.png\"\n", "Content-Type: text/plain; charset=utf-8 \n",
            ],
            or: [
                "", "Content-Type: text\n", "Content-Type: \n", "Content-Type: message/rfc822\n", "Content-Type: text/rfc822-headers\n", "Content-Type:\n text/html\n",
                "Content-Type: text/html; charset=utf-8; charset=us-ascii\n", "Content-Type: multipart/mixed\n", "Content-Type: text/plain (x)\n",
                "Content-Type: text/x y; a\n", "Content-Type: text/plain; charset=\"=?utf-8?q?a?=\"\n", "Content-Type: text/plain; charset*=utf-8''utf-8\n", "Content-Type: text/plain\n \n",
            ], &random)
        text += usually(
            ["", "", "Content-Transfer-Encoding: quoted-printable\n", "Content-Transfer-Encoding: BASE64\n", "Content-Transfer-Encoding: 8bit \n", "Content-ID: <1>\n"],
            or: [
                "Content-Transfer-Encoding: x-own\n", "Content-Transfer-Encoding:\n 7bit\n", "Content-Transfer-Encoding: \n", "Content-Transfer-Encoding: 7bit (x)\n",
                "Content-Transfer-Encoding: base64\nContent-Transfer-Encoding: 7bit\n", "X-Own : 1\n", "no field\n", " folded\n",
            ], &random)
        text += usually(
            ["", "", "", "Content-Disposition: inline\n", "Content-Disposition: attachment; filename=a.txt\n", "X-Long: a\n b\n\tc\n"],
            or: ["Content-Disposition: ATTACHMENT\n", "Content-Disposition: attachment (x)\n", "Content-Disposition: \n", "Content-Disposition: attachment ;x\n", "X:\n"], &random)
        text += usually(["\n"], or: ["", "\r\n", " \n"], &random)
        for _ in 0..<Int(random.next() % 3) {
            text += usually(["one\n", "\n", "--\n", "---\n", "two", "Content-Type: text/html\n"], or: ["--b \n", "From x\n", ">From x\n", "--bbb\n", " --b\n", "\r\n", "\r"], &random)
        }
        return text + usually(["\n", "\n\n"], or: [""], &random)
    }

    private static func usually(_ plain: [String], or odd: [String], _ random: inout Generator) -> String { pick(one(of: 40, &random) ? odd : plain, &random) }

    private static func one(of count: UInt64, _ random: inout Generator) -> Bool { random.next() % count == 0 }

    private static func pick(_ list: [String], _ random: inout Generator) -> String { list[Int(random.next() % UInt64(list.count))] }
}
