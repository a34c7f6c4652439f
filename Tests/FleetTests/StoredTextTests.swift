import Testing

@testable import Fleet

@Suite struct StoredTextTests {
    static let cases: [[UInt8]] = [
        [], Array("plain ₹ text".utf8), Array("a\u{0}b".utf8), [0], [0xFF, 0x41], [0xC3], [0xE2, 0x82],
        [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98, 0x80], [0xF4, 0x8F, 0xBF, 0xBD], [0xF4, 0x8F, 0xBF],
        [0xF4, 0x8F, 0xBF, 0xBE], [0xF4, 0x90, 0x80, 0x80], Array("\u{10FFFD}00".utf8), [0xC0, 0x80, 0x00, 0xE2],
    ]

    @Test(arguments: cases) func comesBackAndFitsIntoPostgreSQL(_ text: [UInt8]) {
        let stored = StoredText.encoded(text)
        #expect(!stored.contains(0))
        #expect(String(validating: stored, as: UTF8.self) != nil)
        #expect(StoredText.decoded(stored) == text)
    }

    @Test func plainTextStaysAsItIs() {
        for text in ["", "x", "₹250 बैंक", "😀"] { #expect(StoredText.encoded(Array(text.utf8)) == Array(text.utf8)) }
    }

    @Test func everyPairOfBytesComesBack() {
        for pair in UInt16.min ... .max {
            let text = [UInt8(pair >> 8), UInt8(pair & 0xFF)]
            if StoredText.decoded(StoredText.encoded(text)) != text { Issue.record("\(text)") }
        }
    }
}
