import Codecs
import Testing

@Suite struct HexadecimalTests {
    @Test func everyByteRoundTrips() {
        let bytes = (0...255).map { UInt8($0) }
        let text = Hexadecimal.text(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
        #expect(Hexadecimal.bytes(text) == bytes)
        #expect(Hexadecimal.bytes(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "0g", "-1", "+1", "é0", " 0", "0x"]) func refuses(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    @Test func numbersHaveAllDigits() {
        #expect(Hexadecimal.text(UInt64(0)) == "0000000000000000")
        #expect(Hexadecimal.text(UInt64(0xFE)) == "00000000000000fe")
        #expect(Hexadecimal.text(UInt64.max) == "ffffffffffffffff")
    }

    @Test func digits() {
        #expect((0..<16).map { Hexadecimal.digit($0) } == Array("0123456789abcdef".utf8))
        #expect((0..<16).map { Hexadecimal.upperDigit($0) } == Array("0123456789ABCDEF".utf8))
    }

    @Test func hashOfKnownText() {
        var hash = FNV1a()
        #expect(hash.hexadecimal == "cbf29ce484222325")
        hash.combine(Array("foobar".utf8))
        #expect(hash.hexadecimal == "85944171f73967e8")
    }
    /// Every changed, added, removed and exchanged byte gives another digest.
    @Test func interleavedHashDistinguishesTexts() {
        func digest(_ bytes: [UInt8]) -> UInt64 {
            var hash = FNV1a()
            hash.combine(interleaved: bytes)
            return hash.value
        }
        let text = Array("name: SOME BANK\ndomains: [a.example]".utf8)
        var others: [[UInt8]] = []
        for index in text.indices {
            var changed = text
            changed[index] ^= 1
            others += [changed, Array(text[..<index]), Array(text[..<index]) + [0] + text[index...]]
            for other in (index + 1)..<text.count where text[other] != text[index] {
                var exchanged = text
                exchanged.swapAt(index, other)
                others.append(exchanged)
            }
        }
        let digests = Set((others + [text]).map(digest))
        #expect(digests.count == Set(others + [text]).count)
    }
}
