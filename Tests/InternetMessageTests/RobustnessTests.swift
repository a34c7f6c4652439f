import InternetMessage
import Randomness
import Testing

/// Tests of limits, damage and the digest.
@Suite struct RobustnessTests {
    /// A message with every construct that is read.
    static let mail: [UInt8] = Array(
        """
        Received: from mail.bank.example (mail.bank.example [192.0.2.1]) by mx.home.example (Postfix) with ESMTPS id 1;
         Fri, 20 Nov 2026 12:00:00 +0530
        Authentication-Results: mx.home.example; dkim=pass (a (b) "c") header.d="bank.example"; dmarc=pass header.from=bank.example
        From: =?utf-8?q?Bank_=E2=82=B9?= <alerts@bank.example>
        Subject: =?utf-8?B?4pyU?= paid
        Date: Fri, 20 Nov 2026 12:00:00 +0530
        Message-ID: <1@bank.example>
        Content-Type: multipart/mixed; boundary="b=1"

        --b=1
        Content-Type: multipart/alternative; boundary=in

        --in
        Content-Type: text/plain; charset=utf-8; format=flowed

        see 
        below
        --in
        Content-Type: text/html; charset="iso-8859-15"
        Content-Transfer-Encoding: quoted-printable

        <!DOCTYPE html><style>p{}</style><!-- x --><p style=3D"font-size:0;display:/**/none">a</p>
        <table><tr><td hidden>b<td>Rs.&nbsp;1,2=
        34.50 &notin; &#8377; &copy; =A4</table><svg><path/></svg><script><!--<script></script>--></script>
        --in--
        --b=1
        Content-Type: text/plain; charset=shift_jis
        Content-Transfer-Encoding: base64

        k/qWe5P6lns=
        --b=1
        Content-Type: message/rfc822

        From: c@d.example

        INR 9
        --b=1--

        """.utf8)

    private func use(_ bytes: [UInt8], _ limits: MessageLimits = .standard) -> Message {
        let message = Message(parsing: bytes, limits: limits)
        _ = message.authentication(.pinned(authservID: "mx.home.example"))
        _ = message.authentication(.pinned(authservID: "*.home.example"))
        #expect(isCanonical(message.text.bytes))
        #expect(message.contentDigest.count == 32)
        return message
    }

    @Test func wholeMail() {
        let message = use(Self.mail)
        #expect(message.text.description == "Rs. 1,234.50 ∉ ₹ © €\n日本日本")
        #expect(message.authentication(.pinned(authservID: "mx.home.example")) == .pass(method: .dmarc))
        #expect(message.defects == [])
    }

    @Test func cutAtEveryByte() {
        for end in 0...Self.mail.count { _ = use(Array(Self.mail.prefix(end))) }
    }

    @Test func everyByteChanged() {
        var random = SplitMix64(state: 1)
        for index in Self.mail.indices {
            var bytes = Self.mail
            bytes[index] = UInt8(truncatingIfNeeded: random.next())
            _ = use(bytes)
        }
    }

    @Test func randomBytes() {
        var random = SplitMix64(state: 2)
        let pieces: [[UInt8]] = [
            "<", ">", "&#", "--", "\n", ": ", "=?utf-8?q?", "<!--", "</td>", "<p hidden ", "style='", "\r\n\r\n", ";",
        ].map { Array($0.utf8) }
        for _ in 0..<4000 {
            var bytes: [UInt8] =
                random.next() & 1 == 0 ? [] : Array("From: a@b.example\nContent-Type: text/html\n\n".utf8)
            for _ in 0..<Int(random.next() % 120) {
                if random.next() & 1 == 0 {
                    bytes.append(UInt8(truncatingIfNeeded: random.next()))
                } else {
                    bytes += pieces[Int(random.next() % UInt64(pieces.count))]
                }
            }
            _ = use(bytes)
        }
    }

    /// GMime and GLib have global state. Messages on different threads must not interfere.
    @Test func manyThreads() async {
        let expected = use(Self.mail).contentDigest
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<200).allSatisfy { _ in Message(parsing: Self.mail).contentDigest == expected }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    // MARK: Limits

    @Test func largeMessage() {
        var limits = MessageLimits()
        limits.messageBytes = 40
        let message = use(Self.mail, limits)
        #expect(message.limitHit == .messageBytes)
        let copy = Self.mail.withUnsafeBytes { Message(parsing: $0, limits: limits) }
        #expect(copy.limitHit == .messageBytes)
        limits.messageBytes = Self.mail.count
        #expect(use(Self.mail, limits).limitHit == nil)
    }

    @Test(arguments: ["From: a@b.example\n", "x", " \n"])
    func largeHeader(_ line: String) {
        var limits = MessageLimits()
        limits.headerBytes = 1000
        let message = use(Array(("From: a@b.example\n" + String(repeating: line, count: 2000)).utf8), limits)
        #expect(message.limitHit == .headerBytes)
        #expect(message.headerBytes.count <= 1000)
    }

    @Test func deepParts() {
        var mail = "From: a@b.example\n"
        for level in 0..<40 { mail += "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n" }
        let message = use(Array((mail + "\nINR 5").utf8))
        #expect(message.limitHit == .mimeDepth)
        #expect(message.text.bytes.isEmpty)
    }

    /// So deep that a recursive parser would overflow the stack.
    @Test func extremelyDeepParts() {
        var mail = "From: a@b.example\n"
        for level in 0..<15000 { mail += "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n" }
        #expect(use(Array((mail + "\nINR 5").utf8)).limitHit != nil)
    }

    @Test(arguments: [600, 30_000])
    func manyParts(_ count: Int) {
        let mail =
            "From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n"
            + String(repeating: "--x\n\na\n", count: count)
        #expect(use(Array(mail.utf8)).limitHit == .partCount)
    }

    @Test func longText() {
        let mail = "From: a@b.example\n\n" + String(repeating: "word ", count: 100_000)
        let message = use(Array(mail.utf8))
        #expect(message.limitHit == .renderedTextBytes)
        #expect(message.text.bytes.count <= MessageLimits.standard.renderedTextBytes)
        #expect(message.defects == [.limit(.renderedTextBytes)])
    }

    @Test func longPart() {
        var limits = MessageLimits()
        limits.textPartBytes = 10
        for encoding in ["7bit", "quoted-printable"] {
            let mail = "From: a@b.example\nContent-Transfer-Encoding: \(encoding)\n\n0123456789ABC"
            let message = use(Array(mail.utf8), limits)
            #expect(message.limitHit == .textPartBytes)
            #expect(message.text.description == "0123456789")
        }
    }

    @Test func manyElements() {
        let html = String(repeating: "<div>", count: 600) + "a"
        #expect(CanonicalText(html: Array(html.utf8)).defects == [.limit(.elementDepth)])
        let pictures = String(repeating: "<img><svg><path/></svg><br>", count: 600) + "a"
        #expect(CanonicalText(html: Array(pictures.utf8)).defects == [])
    }

    /// Quadratic algorithms would exceed any time limit.
    @Test(arguments: [
        "<", "<b ", "<!--", "<script><!--", "&", "&#", "<b style='", "<a>", "</a>", "<p><b>", "(", "=?", "\n--x",
    ])
    func longRepetition(_ piece: String) {
        let body = String(repeating: piece, count: 200_000)
        _ = use(Array("From: a@b.example\nContent-Type: text/html\n\n\(body)".utf8))
        _ = use(
            Array(
                "From: \(body.prefix(200_000))\nSubject: \(body.prefix(200_000))\nAuthentication-Results: \(body.prefix(200_000))"
                    .utf8))
    }

    // MARK: Digest

    @Test func digestIsUnchangedByRedelivery() {
        let again = Array("Received: from x by y\nX-New: 1\n".utf8) + Self.mail
        #expect(use(Self.mail).contentDigest == use(again).contentDigest)
        let crlf = Self.mail.flatMap { $0 == 10 ? [13, 10] : [$0] }
        #expect(use(Self.mail).contentDigest == use(crlf).contentDigest)
    }

    @Test(arguments: [
        ("paid", "Paid"), ("12:00:00 +0530\nMessage", "12:00:01 +0530\nMessage"), ("34.50", "34.51"),
        ("alerts@bank", "alert@bank"),
    ])
    func digestDistinguishes(_ old: String, _ new: String) {
        let other = String(decoding: Self.mail, as: UTF8.self).replacing(old, with: new)
        #expect(use(Self.mail).contentDigest != use(Array(other.utf8)).contentDigest)
    }

    @Test func digestOfMailsWithoutText() {
        let head = "From: a@b.example\nContent-Type: image/png\n\n"
        #expect(use(Array((head + "a").utf8)).contentDigest != use(Array((head + "b").utf8)).contentDigest)
    }

    @Test func digestIsSHA256() {
        // SHA-256 of "a@b.example\0" "0\0" "x\0" "y\0".
        let digest = use(Array("From: a@b.example\nDate: Thu, 1 Jan 1970 00:00:00 +0000\nSubject: x\n\ny".utf8))
            .contentDigest
        let hex = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == "02168bafcd3cd72cdc4fb0078bcbc0a60f80b04cdb4fe05a988de3c9512cb5a1")
    }

    @Test(arguments: [
        ("Content-Type: multipart/mixed; boundary=b\r\n\r\nno part", true),
        ("Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\ntext", true),
        (
            "Content-Transfer-Encoding: base64\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nplain text, no Base64",
            true
        ),
        ("Content-Type: text/plain; charset=utf-8\r\n\r\nPaid, with one broken ~ in a longer sentence", false),
        ("Content-Transfer-Encoding: base64\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n!!!! ????", true),
        ("Content-Transfer-Encoding: base64\r\nContent-Type: text/html; charset=utf-8\r\n\r\n====", true),
        ("Content-Type: text/html; charset=utf-8\r\n\r\n<img src=offer.png>", false),
        ("Content-Type: text/plain; charset=utf-8\r\n\r\nPaid", false), ("Subject: x\r\n\r\n", false),
    ])
    func lostTextIsReported(mail: String, isLost: Bool) {
        let bytes = mail.utf8.map { $0 == UInt8(ascii: "~") ? 0xFF : $0 }
        #expect(Message(parsing: bytes).isTextLost == isLost)
    }
}
