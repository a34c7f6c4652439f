import InternetMessage
import Testing

/// Decoders that read several bytes at once, with special characters at every offset.
@Suite struct TransferEncodingTests {
    private func text(_ encoding: String, _ content: String) -> String {
        Message(parsing: Array("From: a@b.example\nContent-Transfer-Encoding: \(encoding)\n\n\(content)".utf8)).text
            .description
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
                digits +=
                    place > bytes.count
                    ? "="
                    : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value >> (18 - 6 * place) & 63]
            }
        }
        let lines = stride(from: 0, to: digits.utf8.count, by: width).map {
            String(Array(digits)[$0..<min($0 + width, digits.count)])
        }
        #expect(text("base64", lines.joined(separator: "\r\n")) == plain)
        #expect(text("base64", lines.joined(separator: "\n").filter { $0 != "=" }) == plain)
    }
}

extension String {
    fileprivate subscript(_ place: Int) -> String { String(self[index(startIndex, offsetBy: place)]) }
}
