import Randomness
import Testing

@testable import InternetMessage

/// The fast reading of multiparts: the result is that of GMime, or there is none.
@Suite struct PlainMultipartTests {
    /// Content-Type and body.
    private struct Mail {
        var type: [UInt8]
        var body: [UInt8]
    }

    private static let plain = "Content-Type: text/plain; charset=utf-8\r\n\r\nRs.5.00 spent\r\n"
    private static let html =
        "Content-Type: text/html;\r\n charset=\"utf-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Rs.5\r\n"
    private static let nested =
        "Content-Type: multipart/alternative; boundary=\"inner\"\r\n\r\nprologue\r\n--inner\r\n\(plain)--inner\r\n\(html)--inner--\r\n"
    private static let picture =
        "Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <1>\r\n\r\niVBOR\r\n"
    private static let attached =
        "Content-Type: text/plain; name=\"a.txt\"\r\nContent-Disposition: attachment; filename=\"a.txt\"\r\n\r\nRs.9\r\n"

    private static let usual: [(type: String, body: String)] = [
        ("multipart/mixed; boundary=b", "--b\r\n\(plain)--b--\r\n"),
        (
            "multipart/mixed; boundary=\"=_b 1\"",
            "--=_b 1\r\n\(plain)--=_b 1\r\n\(html)--=_b 1--\r\nepilogue\r\n--=_b 1\r\n"
        ),
        (
            "multipart/alternative; charset=utf-8; boundary=\"b\"",
            "prologue\r\n\r\n--b\r\n\(plain)--b\r\n\(html)--b--\r\n"
        ),
        ("Multipart/Related; type=\"text/html\"; boundary=b;", "--b\r\n\(html)--b\r\n\(picture)--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\n\(nested)\r\n--b\r\n\(attached)--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b \t\r\n\(picture)--b\t\r\n\(plain)\r\n\r\n--b-- \r\n"),
        ("multipart/mixed; boundary=b", "--b\n\(plain.replacing("\r\n", with: "\n"))--b--\n"),
        ("multipart/mixed; boundary=b", "--b\r\nX-Other: 1\r\n 2\r\n\(plain)--b\r\n\(html)--b--\r\n"),
    ]

    @Test(arguments: usual.indices) func readsUsualFormsLikeGMime(index: Int) throws {
        let form = Self.usual[index]
        let mail = Mail(type: Array(form.type.utf8), body: Array(form.body.utf8))
        let read = try #require(Self.read(mail))
        let (expected, defects) = Self.reference(mail)
        #expect(read == expected && defects.isEmpty)
    }

    @Test(arguments: [
        ("multipart/mixed", "--b\r\n\(plain)--b--\r\n"), ("multipart/mixed; boundary=", "--\r\n\(plain)----\r\n"),
        ("multipart/mixed; boundary=a; boundary=b", "--a\r\n\(plain)--a--\r\n"),
        ("multipart/mixed; boundary*=utf-8''b", "--b\r\n\(plain)--b--\r\n"),
        ("multipart/mixed; boundary=\"b\\\"c\"", "--b\"c\r\n\(plain)--b\"c--\r\n"),
        ("multipart/related; start=\"<2>\"; boundary=b", "--b\r\n\(plain)--b--\r\n"),
        ("multipart/signed; boundary=b", "--b\r\n\(plain)--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\n\(plain)--b--"),
        ("multipart/mixed; boundary=b", "--b\r\n\(plain)--b--\n"),
        ("multipart/mixed; boundary=b", "--b\r\nContent-Type: text/plain; charset=utf\t-8\r\n\r\nRs.5\r\n--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\n\(plain)"), ("multipart/mixed; boundary=b", "no part"),
        ("multipart/mixed; boundary=b", "--b--\r\n"), ("multipart/mixed; boundary=b", "--bc\r\n\(plain)--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\n\r\ntext\r\n--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\nno field\r\n\(plain)--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\nContent-Type: text/plain\r\n\(plain)--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\nContent-Type: text/plain (a)\r\n\r\nRs.5\r\n--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\nContent-Type: message/rfc822\r\n\r\n\(plain)--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\nContent-Type: text/plain\r\n--b--\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\nContent-Disposition: attachment x\r\n\(plain)--b--\r\n"),
    ]) func leavesOthersToGMime(type: String, body: String) {
        #expect(Self.read(Mail(type: Array(type.utf8), body: Array(body.utf8))) == nil)
    }

    /// Bytes are removed, inserted, replaced and copied at random.
    @Test func agreesWithGMimeOnDamage() {
        var numbers = SplitMix64(state: 0x6D_756C_7469)
        let signs = Array("\r\n\n -=:;\"b.\t-".utf8)
        var read = 0
        for _ in 0..<4000 {
            let form = Self.usual[Int(numbers.next() % UInt64(Self.usual.count))]
            var mail = Mail(type: Array(form.type.utf8), body: Array(form.body.utf8))
            for _ in 0..<(1 + numbers.next() % 3) {
                let at = Int(numbers.next() % UInt64(mail.body.count))
                let sign = signs[Int(numbers.next() % UInt64(signs.count))]
                switch numbers.next() % 5 {
                case 0: mail.body.remove(at: at)
                case 1: mail.body.insert(sign, at: at)
                case 2: mail.body[at] = sign
                case 3: mail.body.insert(contentsOf: mail.body[at...].prefix(Int(numbers.next() % 40)), at: at)
                default: mail.body.removeSubrange(at..<min(mail.body.count, at + Int(numbers.next() % 20)))
                }
                if mail.body.isEmpty { mail.body = [0x0A] }
            }
            guard let found = Self.read(mail) else { continue }
            read += 1
            let (expected, defects) = Self.reference(mail)
            #expect(
                found == expected && defects.isEmpty,
                "\(String(decoding: mail.body, as: UTF8.self).debugDescription)")
        }
        #expect(read > 500)
    }

    private static func read(_ mail: Mail) -> MIMEBody? {
        PlainMultipart.read(mail.type, mail.body.span, 0..<mail.body.count, .standard)
    }

    private static func reference(_ mail: Mail) -> (MIMEBody, [Defect]) {
        GMime.start()
        var structure = MIMEStructure(.standard)
        let body = structure.multipart(mail.type, mail.body.span, 0)
        return (body, structure.defects.all)
    }
}
