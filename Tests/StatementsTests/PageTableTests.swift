import PDFWords
import Testing

@testable import Statements

/// The table on a page from words at places.
@Suite struct PageTableTests {
    static func words(_ texts: [PDFFile.Text]) -> [PDFWord] {
        texts.flatMap { text in
            var x = text.x
            return text.text.split(separator: " ").map { word in
                defer { x += Double(word.count + 1) * 4 }
                return PDFWord(
                    String(word), left: x, right: x + Double(word.count) * 4, top: text.y - 6, bottom: text.y + 2)
            }
        }
    }

    static let header = words([.init(30, 50, "Date"), .init(100, 50, "Details"), .init(300, 50, "Amount")])

    /// Headings without a gap between them, as words of the header.
    @Test func headingsThatTouchAreDivided() throws {
        let line = PageLine.lines(of: Self.words([.init(30, 50, "Date Details Debit Credit Closing Balance")]))
        let header = try #require(PageHeader.find(in: line, StatementReaderTests.words()))
        #expect(header.texts == ["Date", "Details", "Debit", "Credit", "Closing Balance"])
    }

    /// Lines between two rows belong to the nearer one; far ones to none.
    @Test(
        arguments: [
            ([80.0, 90], 110, ["FIRST a b", "SECOND"]), ([80, 101], 110, ["FIRST a", "b SECOND"]),
            ([92, 101], 110, ["FIRST", "a b SECOND"]), ([110, 300], 320, ["FIRST", "SECOND"]),
        ] as [([Double], Double, [String])])
    func furtherLinesOfADescription(lines: [Double], second: Double, expected: [String]) throws {
        let rows = Self.words([
            .init(30, 70, "05/01/2026"), .init(100, 70, "FIRST"), .init(300, 70, "1.00"),
            .init(100, lines[0], "a"), .init(100, lines[1], "b"), .init(30, second, "06/01/2026"),
            .init(100, second, "SECOND"), .init(300, second, "2.00"),
        ])
        let table = try PageTable.rows([Self.header + rows], StatementReaderTests.words())
        #expect(table.dropFirst().map { $0.cells[1] } == expected)
    }

    @Test(arguments: [
        ("1,250.00", true), ("Rs.1,250.00", true), ("250.00Cr", true), ("2026", false), ("05.01.2026", false),
        ("12.50%", false), ("1,00", true), (".50", false), ("05/01/26", false), ("", false),
    ]) func amountsAreKnown(text: String, isAmount: Bool) { #expect(PageBalances.isAmount(text) == isAmount) }

    /// Any words at any places give rows or an error.
    @Test func anyWordsAreRead() throws {
        let texts = [
            "Date", "Details", "Amount", "Balance", "05/01/2026", "1.00", "x", "Opening", "(", "\u{301}", "Cr",
        ]
        let shared = try StatementReaderTests.words()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let words = (0..<60).map { _ in
                let (x, y) = (Double.random(in: -50...600, using: &random), Double.random(in: 0...90, using: &random))
                return PDFWord(
                    texts.randomElement(using: &random) ?? "", left: x, right: x + 20, top: y.rounded(),
                    bottom: y.rounded() + Double.random(in: 0...9, using: &random))
            }
            _ = try? PageTable.rows([words + Self.header, words, Self.header + words], shared)
        }
    }
}
