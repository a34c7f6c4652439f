import Randomness
import Testing
import YAMLSource

@testable import IMAP

/// For any bytes the grammar returns a value or throws ``Malformed``, and never reads outside them.
@Suite struct WireCursorTests {
    private func parse(_ bytes: [UInt8]) -> Response? {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { buffer in
            var cursor = WireCursor(buffer)
            let response = try? cursor.response()
            if case .fetch(let items)? = response, case .text(let range, _) = items.body {
                #expect(range.lowerBound >= 0 && range.upperBound <= buffer.count)
            }
            #expect(cursor.at <= buffer.count)
            return response
        }
    }

    static let samples = [
        "* 12 FETCH (UID 7 INTERNALDATE \"05-Jan-2026 12:00:00 +0530\" FLAGS (\\Seen) BODY[]<0> {5}\r\nab(\"\r)\r\n",
        "* 12 FETCH (BODY[] \"q\\\"\\\\\" UID 7 X[A (B)]<3> (a (b \"c\" {1}\r\nd) NIL))\r\n",
        "* ESEARCH (TAG \"S3\") UID COUNT 3 ALL 1:5,7\r\n", "* SEARCH 1 2 3 (MODSEQ 5)\r\n",
        "S12 NO [UNAVAILABLE x] words\r\n",
        "* OK [CAPABILITY IMAP4rev1 IDLE] hello\r\n", "* BYE\r\n", "+ go on\r\n", "* CAPABILITY A B C\r\n",
        "* 4294967295 EXISTS\r\n",
    ]

    @Test(arguments: samples) func truncatedAnywhere(_ sample: String) {
        let bytes = Array(sample.utf8)
        #expect(parse(bytes) != nil)
        for length in 0..<bytes.count { _ = parse(Array(bytes[..<length])) }
    }

    @Test(arguments: samples) func damagedAnywhere(_ sample: String) {
        var random = SplitMix64(state: 11)
        for _ in 0..<2000 {
            guard case .raw(let bytes) = random.damage(.raw(Array(sample.utf8))) else { continue }
            _ = parse(bytes)
        }
    }

    @Test(arguments: [
        "* 1 FETCH (BODY[] {99}\r\nabc)\r\n", "* 1 FETCH (BODY[] {18446744073709551615}\r\nabc)\r\n",
        "* 1 FETCH (BODY[] \"open)\r\n",
        "* 1 FETCH (BODY[] \"bad \\x\")\r\n", "* 1 FETCH (UID 4294967296)\r\n", "* 1 FETCH (UID)\r\n",
        "* 1 FETCH UID 1\r\n",
        "* 1 FETCH (UID 1) more\r\n", "* 1 FETCH (BODY[<0> \"x\")\r\n", "* 1 FETCH ((\r\n", "* 4294967296 EXISTS\r\n",
        "S NO x\r\n",
        "S1 MAYBE x\r\n", "S1\r\n", "A1 OK x\r\n", "", "\r\n", "*\r\n", "* SEARCH 4294967296\r\n",
        "* ESEARCH (TAG \"X\") ALL 1\r\n",
        "* ESEARCH UID ALL 1:*\r\n",
    ]) func refused(_ text: String) { #expect(parse(Array(text.utf8)) == nil) }
}
