import Ledger
import Review
import Testing

@testable import ParserControl

@Suite struct MarkedTextTests {
    private static let text = Array("Rs.5 spent\nat TEA\nSTALL on\u{1B}[2J Monday".utf8)
    private static let spans: [Field: Range<Int>] = [.amount: 3..<4, .merchant: 14..<23]

    @Test func namesFieldsWithoutColour() {
        let lines = MarkedText(Self.text, Self.spans).lines(inColour: false)
        #expect(lines == ["Rs.[amount: 5] spent", "at [merchant: TEA", "STALL] on\u{B7}[2J Monday"])
    }

    @Test func closesColoursOnEachLineAndRemovesControlCodes() {
        let lines = MarkedText(Self.text, Self.spans).lines(inColour: true)
        #expect(lines[0] == "Rs.\u{1B}[32m5\u{1B}[0m\u{1B}[2m(amount)\u{1B}[0m spent")
        #expect(
            lines[1] == "at \u{1B}[33mTEA\u{1B}[0m"
                && lines[2].hasPrefix("\u{1B}[33mSTALL\u{1B}[0m\u{1B}[2m(merchant)\u{1B}[0m on\u{B7}[2J"))
    }

    @Test func leavesOutSpansThatDoNotFit() {
        #expect(
            MarkedText(Self.text, [.amount: 3..<400]).lines(inColour: false)
                == MarkedText(Self.text, [:]).lines(inColour: false))
        #expect(
            MarkedText(Self.text, [.amount: 3..<8, .merchant: 4..<6]).lines(inColour: false)[0]
                == "Rs.[amount: 5 spe]nt")
        #expect(MarkedText([], [:]).lines(inColour: true).isEmpty)
    }
}
