import Chronology
import ChronologyFixture
import Ledger
import Review
import Testing

@testable import ReviewScreen
@testable import Store

/// Every text of a mail becomes printable cells.
@Suite struct PrintableTests {
    @Test(arguments: [
        ("plain", "plain", 5), ("a\u{1B}[2Jb", "a·[2Jb", 6), ("x\ny\tz", "x·y·z", 5),
        ("\u{7}\u{0}\u{7F}\u{9B}", "····", 4),
        ("\u{202E}evil\u{2066}", "·evil·", 6), ("CAFÉ", "CAFÉ", 4), ("e\u{301}", "e\u{301}", 1), ("東京", "東京", 4),
        ("☕", "☕", 2),
        ("\u{FEFF}\u{200B}a", "··a", 3), ("\u{E000}", "·", 1), ("\u{2028}", "·", 1),
    ])
    func replacesUnprintableCharacters(text: String, shown: String, width: Int) {
        let cells = Printable.cells(text)
        #expect(cells.map(\.text).joined() == shown)
        #expect(Printable.width(text) == width)
    }

    @Test func cutsStackedAccents() {
        let cells = Printable.cells("a" + String(repeating: "\u{301}", count: 500))
        #expect(cells.count == 1 && cells[0].text.unicodeScalars.count <= Printable.marksPerCell + 1)
    }

    @Test func showsQuestionMarksOnASCIITerminals() {
        #expect(Printable.cells("₹ 5 東", isASCII: true).map(\.text).joined() == "? 5 ?")
    }

    @Test(arguments: [
        (10, "東京ラーメン", "東京ラー…"), (12, "東京ラーメン", "東京ラーメン"), (3, "abcd", "ab…"), (1, "abcd", "…"), (2, "東京", "…"),
    ])
    func cutsLongTextBetweenCells(width: Int, text: String, shown: String) {
        var canvas = Canvas(Size(columns: 20, rows: 1))
        canvas.write(text, row: 0, column: 0, width: width)
        #expect(canvas.lines == [shown])
    }
}

@Suite struct TextRowsTests {
    static let text = MailText(Array("Rs.1,234.50 was paid\nto GREEN LEAF CAFE, on 05-01-26.".utf8))
    static let spans: [Field: Range<Int>] = [.amount: 3..<11, .merchant: 24..<39, .date: 44..<52]

    @Test(
        arguments: [
            (80, ["Rs.a<1,234.50> was paid", "to m<GREEN LEAF CAFE>, on d<05-01-26>."]),
            (12, ["Rs.a<1,234.5", "0> was paid", "to m<GREEN", "LEAF CAFE>,", "on", "d<05-01-26>."]),
            (1, nil),
        ] as [(Int, [String]?)])
    func breaksLinesAndMarksFields(columns: Int, lines: [String]?) {
        let rows = TextRows(Self.text, spans: Self.spans, columns: columns, lettered: true).rows.map {
            $0.map(\.text).joined()
        }
        if let lines { #expect(rows == lines) }
        #expect(rows.allSatisfy { Printable.width($0) <= max(columns, 2) })
    }

    @Test func marksAFieldAcrossItsWords() {
        let rows = TextRows(Self.text, spans: Self.spans, columns: 80, lettered: false).rows
        #expect(rows[1].filter { $0.field == .merchant }.map(\.text).joined() == "GREEN LEAF CAFE")
    }

    /// Spans may come from another version of the program.
    @Test(
        arguments: [[Field.amount: 0..<5000], [.amount: 3..<11, .merchant: 5..<20], [.date: 52..<53], [.time: 7..<7]]
            as [[Field: Range<Int>]])
    func ignoresSpansThatDoNotFit(spans: [Field: Range<Int>]) {
        let rows = TextRows(Self.text, spans: spans, columns: 30, lettered: false).rows
        #expect(
            rows.joined().map(\.text).joined().filter { $0 != " " } == "Rs.1,234.50waspaidtoGREENLEAFCAFE,on05-01-26.")
    }
}
