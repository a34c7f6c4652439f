import Testing

@testable import Ledger

/// A name needs one character that a reader can see.
@Suite struct FieldCheckTests {
    private static func problems(_ text: String) -> [String] {
        var check = FieldCheck()
        check.text("name", text, atMost: TextLimit.name)
        return check.problems.map(\.detail)
    }

    /// Scalars by their numbers, because most of them cannot be seen here either.
    static let invisible: [[UInt32]] = [
        [], [0x20], [0x9, 0xA], [0xA0], [0x3000], [0x200B], [0x200D, 0x200C], [0x2060], [0xFEFF], [0xAD], [0x34F],
        [0x115F], [0x3164], [0xFFA0], [0x17B4], [0x180E], [0xFE0F], [0xE0101], [0x2800], [0x2800, 0x20, 0x200B],
        [0xE000], [0xF0000], [0x378], [0x600], [0x7], [0x1D159 + 0x1A],
    ]

    @Test(arguments: invisible) func aNameWithoutAVisibleCharacterIsRefused(_ scalars: [UInt32]) {
        let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
        #expect(Self.problems(text) == ["must not be empty"])
    }

    @Test(arguments: [
        "a", "\u{2800}a", "क", "❤\u{FE0F}", "\u{2801}", "-", "₹", "👨\u{200D}👩\u{200D}👧", "a\u{200B}", "ᅟ힣", "0",
    ]) func aNameWithOneIsAccepted(_ text: String) { #expect(Self.problems(text) == []) }
}
