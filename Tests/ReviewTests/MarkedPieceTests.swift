import Ledger
import Review
import Testing

@Suite struct MarkedPieceTests {
    private func pieces(_ spans: [Field: Range<Int>], limit: Int? = nil) -> [String] {
        MarkedText(Array("₹250 to CAFÉ".utf8), spans, limit: limit).pieces.map {
            ($0.field.map { "\($0.rawValue):" } ?? "") + $0.text
        }
    }

    @Test func marksTheWordsOfFields() {
        #expect(pieces([.amount: 3..<6, .merchant: 10..<15]) == ["₹", "amount:250", " to ", "merchant:CAFÉ"])
        #expect(pieces([.amount: 0..<15]) == ["amount:₹250 to CAFÉ"])
        #expect(MarkedText([], [.amount: 0..<0]).pieces.isEmpty)
    }

    @Test func leavesOutSpansThatDoNotFit() {
        // Outside the text, within a character, empty, overlapping.
        #expect(pieces([.amount: 3..<99]) == ["₹250 to CAFÉ"])
        #expect(pieces([.amount: 1..<6]) == ["₹250 to CAFÉ"])
        #expect(pieces([.amount: 4..<4]) == ["₹250 to CAFÉ"])
        #expect(pieces([.amount: 3..<6, .balance: 4..<8]) == ["₹", "amount:250", " to CAFÉ"])
    }

    @Test func cutsAtACharacter() {
        #expect(pieces([:], limit: 14) == ["₹250 to CAF"])
        #expect(pieces([.merchant: 10..<15], limit: 14) == ["₹250 to CAF"])
        #expect(MarkedText(Array("abc".utf8), [:], limit: 2).isCut && !MarkedText(Array("abc".utf8), [:]).isCut)
    }
}
