import Testing
import Zstandard

@Suite struct SingleFrameTests {
    static let text = Array(String(repeating: "Rs.1,234.50 spent on card 4321. ", count: 20).utf8)

    @Test func framesAreShorterAndGiveBackTheText() throws {
        let frame = try #require(SingleFrame.compress(Self.text))
        #expect(frame.count < Self.text.count / 4)
        #expect(SingleFrame.Reader().decompress(frame, count: Self.text.count) == Self.text)
        #expect(SingleFrame.count(of: frame) == Self.text.count && SingleFrame.count(of: Self.text) == nil)
        for text in [[], [1], Array(1...60)] as [[UInt8]] { #expect(SingleFrame.compress(text) == nil) }
    }

    @Test func damagedFramesGiveNothing() throws {
        let frame = try #require(SingleFrame.compress(Self.text))
        for count in 0..<frame.count {
            #expect(SingleFrame.Reader().decompress(Array(frame.prefix(count)), count: Self.text.count) == nil)
        }
        for count in [-1, 0, 1, Self.text.count - 1, Self.text.count + 1] {
            #expect(SingleFrame.Reader().decompress(frame, count: count) == nil)
        }
    }
}
