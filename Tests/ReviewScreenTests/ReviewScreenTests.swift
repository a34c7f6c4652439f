import Ledger
import Testing

@testable import ReviewScreen
@testable import Store

/// What stands on the screen is made of printable cells only, whatever a mail holds.
@Suite struct PrintableTests {
    @Test(arguments: [
        ("plain", "plain", 5), ("a\u{1B}[2Jb", "a·[2Jb", 6), ("x\ny\tz", "x·y·z", 5),
        ("\u{7}\u{0}\u{7F}\u{9B}", "····", 4),
        ("\u{202E}evil\u{2066}", "·evil·", 6), ("CAFÉ", "CAFÉ", 4), ("e\u{301}", "e\u{301}", 1), ("東京", "東京", 4),
        ("☕", "☕", 2),
        ("\u{FEFF}\u{200B}a", "··a", 3), ("\u{E000}", "·", 1), ("\u{2028}", "·", 1),
    ])
    func keepsOnlyWhatMayBeShown(text: String, shown: String, width: Int) {
        let cells = Printable.cells(text)
        #expect(cells.map(\.text).joined() == shown)
        #expect(Printable.width(text) == width)
    }

    @Test func aPileOfAccentsIsCut() {
        let cells = Printable.cells("a" + String(repeating: "\u{301}", count: 500))
        #expect(cells.count == 1 && cells[0].text.unicodeScalars.count <= Printable.marksPerCell + 1)
    }

    @Test func whatTheTerminalCannotShowIsAQuestionMark() {
        #expect(Printable.cells("₹ 5 東", isASCII: true).map(\.text).joined() == "? 5 ?")
    }

    @Test(arguments: [
        (10, "東京ラーメン", "東京ラー…"), (12, "東京ラーメン", "東京ラーメン"), (3, "abcd", "ab…"), (1, "abcd", "…"), (2, "東京", "…"),
    ])
    func longTextIsCutBetweenCells(width: Int, text: String, shown: String) {
        var canvas = Canvas(Size(columns: 20, rows: 1))
        canvas.put(text, row: 0, column: 0, width: width)
        #expect(canvas.lines == [shown])
    }
}

@Suite struct FieldReadingTests {
    static let reading = FieldReading(currency: .inr, arrival: CalendarDate(year: 2026, month: 1, day: 10))

    @Test(arguments: [
        (Field.amount, "1,23,456.78", "INR 123456.78"), (.amount, "Rs.500/-", "INR 500.00"),
        (.amount, "USD 12.50", "USD 12.50"), (.amount, "12.50 EUR", "EUR 12.50"),
        (.amount, "(INR 4,000.00),", "INR 4000.00"), (.amount, "₹99", "INR 99.00"), (.amount, ".50", "INR 0.50"),
        (.amount, "JPY 1200", "JPY 1200"),
        (.date, "2026-01-05", "2026-01-05"), (.date, "05-01-26.", "2026-01-05"), (.date, "5 Jan", "2026-01-05"),
        (.date, "Jan 05, 2026", "2026-01-05"), (.date, "28 Dec", "2025-12-28"),
        (.time, "4:03 PM", "16:03:00"), (.time, "16:03:50", "16:03:50"), (.account, "XX4410,", "4410"),
        (.account, "**410", "410"),
        (.type, "Income", "income"), (.channel, "upi", "upi"), (.merchant, "(GREEN LEAF CAFE)", "GREEN LEAF CAFE"),
        (.merchant, "LAKE BAKERY,", "LAKE BAKERY"),
        (.merchant, "JOE'S (PUNE)", "JOE'S (PUNE)"), (.merchant, "  A   B ", "A B"),
        (.reference, "610000000009.", "610000000009"),
    ])
    func readsWhatIsPointedAt(field: Field, text: String, value: String) throws {
        #expect(try Self.reading.read(text, as: field, isPointed: true).text == value)
    }

    @Test(arguments: [
        (Field.amount, "twelve"), (.amount, "-5"), (.amount, "1.234"), (.amount, "12 rupiah notes"),
        (.date, "32-01-26"), (.date, "soon"), (.time, "25:00"), (.account, "x"),
        (.type, "gift"), (.merchant, " "), (.merchant, "()"), (.balance, "5"),
        (.merchant, String(repeating: "a", count: 201)),
    ])
    func refusesWhatIsNone(field: Field, text: String) {
        #expect(throws: FieldReading.Refusal.self) { try Self.reading.read(text, as: field, isPointed: true) }
    }

    @Test func typedWordsStayAsTheyAre() throws {
        #expect(try Self.reading.read("Dr. Rao & Co.", as: .merchant, isPointed: false).text == "Dr. Rao & Co.")
    }
}

@Suite struct MailTextTests {
    static let text = MailText(Array("Rs.1,234.50 was paid\nto GREEN LEAF CAFE, on 05-01-26.".utf8))
    static let spans: [Field: Range<Int>] = [.amount: 3..<11, .merchant: 24..<39, .date: 44..<52]

    @Test func wordsAreWhatStandsBetweenBlanks() {
        #expect(Self.text.words.count == 9)
        #expect(Self.text.string(Self.spans[.merchant] ?? 0..<0) == "GREEN LEAF CAFE")
        #expect(Self.text.words(in: 24..<39) == 4...6)
        #expect(Self.text.range(of: 4...6).map(Self.text.string) == "GREEN LEAF CAFE,")
        #expect(Self.text.range(of: 4...99) == nil)
    }

    @Test(
        arguments: [
            (80, ["Rs.a<1,234.50> was paid", "to m<GREEN LEAF CAFE>, on d<05-01-26>."]),
            (12, ["Rs.a<1,234.5", "0> was paid", "to m<GREEN", "LEAF CAFE>,", "on", "d<05-01-26>."]),
            (1, nil),
        ] as [(Int, [String]?)])
    func breaksLinesAndSetsFieldsOff(columns: Int, lines: [String]?) {
        let rows = TextRows(Self.text, spans: Self.spans, columns: columns, lettered: true).rows.map {
            $0.map(\.text).joined()
        }
        if let lines { #expect(rows == lines) }
        #expect(rows.allSatisfy { Printable.width($0) <= max(columns, 2) })
    }

    @Test func aFieldIsOnePieceAcrossItsWords() {
        let rows = TextRows(Self.text, spans: Self.spans, columns: 80, lettered: false).rows
        #expect(rows[1].filter { $0.field == .merchant }.map(\.text).joined() == "GREEN LEAF CAFE")
    }

    /// Spans are of another version of this program, or of nothing at all.
    @Test(
        arguments: [[Field.amount: 0..<5000], [.amount: 3..<11, .merchant: 5..<20], [.date: 52..<53], [.time: 7..<7]]
            as [[Field: Range<Int>]])
    func spansThatDoNotFitHarmNothing(spans: [Field: Range<Int>]) {
        let rows = TextRows(Self.text, spans: spans, columns: 30, lettered: false).rows
        #expect(
            rows.joined().map(\.text).joined().filter { $0 != " " } == "Rs.1,234.50waspaidtoGREENLEAFCAFE,on05-01-26.")
    }

    @Test(
        arguments: [
            (Field.merchant, "GREEN LEAF CAFE,"), (.date, "05-01-26."), (.account, nil), (.reference, nil),
        ] as [(Field, String?)])
    func guessesWhereAFieldStands(field: Field, words: String?) {
        let guess = FieldGuess(text: Self.text, amount: 0...0).words(of: field)
        #expect(guess.flatMap { Self.text.range(of: $0) }.map(Self.text.string) == words)
    }
}
