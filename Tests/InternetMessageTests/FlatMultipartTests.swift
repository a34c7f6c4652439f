import InternetMessage
import Testing

/// Multiparts that are read without GMime are read as GMime reads them, and those that it alone can read are left to it.
@Suite struct FlatMultipartTests {
    private static let head = "From: a@b.example\nContent-Type: multipart/alternative;\n boundary=\"=_x:1\"\n\n"
    private static let plain = "--=_x:1\nContent-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: 7bit\n\nINR 5\n"
    private static let html =
        "--=_x:1\nMIME-Version: 1.0\nContent-Type: text/html;\n charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<p>INR=205.00\n</p>\n"
    private static let end = "--=_x:1--\n"

    private func message(_ text: String) -> Message { Message(parsing: Array(text.utf8)) }

    static let flat: [String] = [
        "\(head)\(plain)\(html)\(end)",
        "\(head)preamble\n\n\(plain)\(html)\(end)epilogue\n--=_x:1\n",
        "\(head)\(html)\(end)",
        "\(head)\(plain)\(html.replacing("--=_x:1\n", with: "--=_x:1 \t\n"))--=_x:1-- \n",
        "\(head)\(plain)-- \n--not it\n\n\n\(html)\(end)",
    ]

    @Test(arguments: flat, [false, true])
    func read(_ mail: String, withCRLF: Bool) {
        let message = message(withCRLF ? mail.replacing("\n", with: "\r\n") : mail)
        #expect(message.isFlatMultipart)
        #expect(message.isReadAsByGMime)
        #expect(message.text.description == "INR 5.00")
    }

    static let unusual: [String] = [
        "\(head)\(plain)\(html)",
        "\(head)\(end)",
        head,
        "\(head)\(plain)\(html.replacing("\n\n<p>", with: "\n<p>"))\(end)",
        "\(head)\(plain)--=_x:12\n\(html)\(end)",
        "\(head)--=_x:1\n\nINR 5\n\(html)\(end)",
        altered("text/plain", "multipart/mixed; boundary=y"), altered("text/plain", "message/rfc822"), altered("7bit", "7bit (comment)"),
        altered("7bit", "wrong"), altered("Content-Type", "Content-Type "), altered("utf-8", "utf\t8"), altered("utf-8", "utf\u{E9}"),
        altered("Content-Transfer-Encoding: 7bit", "Content-Disposition: inline"),
    ]

    private static func altered(_ old: String, _ new: String) -> String {
        let part = plain.replacing(old, with: new)
        return "\(head)\(part)\(html)\(end)"
    }

    @Test(arguments: unusual)
    func leftToGMime(_ mail: String) {
        #expect(!message(mail).isFlatMultipart)
        #expect(message(mail).isReadAsByGMime)
    }

    @Test(arguments: flat)
    func cutAnywhere(_ mail: String) {
        let bytes = Array(mail.utf8)
        for end in 0...bytes.count { #expect(Message(parsing: Array(bytes.prefix(end))).isReadAsByGMime) }
    }

    @Test(arguments: flat)
    func everyByteChanged(_ mail: String) {
        let bytes = Array(mail.utf8)
        for index in bytes.indices {
            for byte in [0, 9, 10, 13, 32, 34, 40, 45, 58, 61, 128] as [UInt8] {
                var changed = bytes
                changed[index] = byte
                #expect(Message(parsing: changed).isReadAsByGMime, "byte \(index) is \(byte)")
            }
        }
    }
}

/// Decoders that take many bytes at once, with what is special at every place.
@Suite struct TransferEncodingTests {
    private func text(_ encoding: String, _ content: String) -> String {
        Message(parsing: Array("From: a@b.example\nContent-Transfer-Encoding: \(encoding)\n\n\(content)".utf8)).text.description
    }

    @Test(arguments: 0...20)
    func escapeAfter(_ count: Int) {
        let before = String(repeating: "a", count: count)
        #expect(text("quoted-printable", before + "=41=\nb=3Dc=4") == before + "Ab=c=4")
        #expect(text("quoted-printable", before + "=") == before)
        #expect(text("quoted-printable", before + "=4") == before + "=4")
    }

    @Test(arguments: 1...40, [4, 7, 76])
    func base64(_ count: Int, _ width: Int) {
        let plain = (0..<count).map { "abcdefghijklmnopqrstuvwxyz0123456789"[$0 * 7 % 36] }.joined()
        var digits = ""
        for group in stride(from: 0, to: count, by: 3) {
            let bytes = Array(Array(plain.utf8)[group..<min(group + 3, count)])
            let value = (0..<3).reduce(0) { $0 << 8 | ($1 < bytes.count ? Int(bytes[$1]) : 0) }
            for place in 0..<4 {
                digits += place > bytes.count ? "=" : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value >> (18 - 6 * place) & 63]
            }
        }
        let lines = stride(from: 0, to: digits.utf8.count, by: width).map { String(Array(digits)[$0..<min($0 + width, digits.count)]) }
        #expect(text("base64", lines.joined(separator: "\r\n")) == plain)
        #expect(text("base64", lines.joined(separator: "\n").filter { $0 != "=" }) == plain)
    }
}

extension String {
    fileprivate subscript(_ place: Int) -> String { String(self[index(startIndex, offsetBy: place)]) }
}
