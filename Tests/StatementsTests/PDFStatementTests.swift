import Chronology
import Foundation
import Ledger
import PDFText
import PDFWords
import Processes
import Testing

@testable import Statements

/// Statements in PDF, generated in the layouts of ``PDFLayouts``.
@Suite struct PDFStatementTests {
    struct Expected: Sendable {
        var pages: [[PDFFile.Text]]
        var changes: [Int64]
        var texts: [String]
        var strength: StatementProof.Strength

        init(_ pages: [[PDFFile.Text]], _ changes: [Int64], _ texts: [String], _ strength: StatementProof.Strength) {
            (self.pages, self.changes, self.texts, self.strength) = (pages, changes, texts, strength)
        }
    }

    static let layouts = [
        Expected(
            PDFLayouts.columns, [-1250_50, 100_000_00, -749_50],
            [
                "UPI-CAFE MOON-MOON@BANK-0000000000- UPI PAYMENT 250 FOR COFFEE", "NEFT CR-SALARY",
                "POS 4321XXXX BOOK SHOP",
            ],
            .everyLine),
        Expected(
            PDFLayouts.stackedHeading, [-250_00, 5000_00],
            ["UPI/600512345678/Paid to FERN/fern@bank /INVENTED BANK", "NEFT-N006- SALARY JANUARY -EXAMPLE LTD"],
            .everyLine),
        Expected(
            PDFLayouts.wordyDates, [-250_00, 5000_00], ["TO TRANSFER-UPI/DR/6005/FERN /INVB/fern@bank", "BY SALARY"],
            .everyLine),
        Expected(
            PDFLayouts.signedAmounts, [-250_00, 5000_00], ["UPI/CAFE MOON", "NEFT SALARY EXAMPLE LTD"], .everyLine),
        Expected(PDFLayouts.balanceRows, [-250_00, 5000_00], ["UPI/P2M/FERN", "SALARY"], .everyLine),
        Expected(
            PDFLayouts.card, [-1250_50, 2000_00, -99_00], ["CAFE MOON BENGALURU", "PAYMENT RECEIVED", "BOOK SHOP"], .sum
        ),
        Expected(
            PDFLayouts.lettersForSigns, [-1250_50, 2000_00, -99_00], ["CAFE MOON", "PAYMENT", "BOOK SHOP"], .sum),
    ]

    /// Reads in this process.
    static func read(_ pages: [[PDFFile.Text]]) throws -> BankStatement { try read(PDFFile.bytes(pages)) }

    static func read(_ bytes: [UInt8]) throws -> BankStatement {
        let answer: PDFAnswer
        do throws(PDFTextError) { answer = .pages(try PDFText.pages(in: bytes)) } catch { answer = .refusal(error) }
        return try StatementReaderTests.parser().read(answer, currency: .inr)
    }

    @Test(arguments: layouts) func layoutsAreRead(expected: Expected) throws {
        let statement = try Self.read(expected.pages)
        #expect(statement.lines.map(\.change) == expected.changes)
        #expect(statement.lines.map(\.text) == expected.texts)
        #expect(statement.lines.map(\.day.day) == Array([5, 6, 7].prefix(expected.changes.count)))
        #expect(try StatementProof(statement).strength == expected.strength)
    }

    @Test func referencesAndRowsAreKept() throws {
        let statement = try Self.read(PDFLayouts.columns)
        #expect(statement.lines.map(\.reference) == ["0000600512345678", "N006", "R7"])
        #expect(statement.lines.map(\.valueDay) == statement.lines.map(\.day))
        #expect(try Self.read(PDFLayouts.wordyDates).lines[0].reference == "TRANSFER TO 4000001")
    }

    /// A wrong figure, and a page that is missing.
    @Test func aTableThatDoesNotAddUpIsRefused() throws {
        var pages = PDFLayouts.columns
        let place = try #require(pages[1].firstIndex { $0.text == "1,98,000.00" })
        pages[1][place].text = "1,98,000.01"
        let error = #expect(throws: StatementReadingError.self) { try Self.read(pages) }
        guard case .doesNotAddUp(let defect, _) = error else { throw try #require(error) }
        #expect(defect.expected == 198_000_00 && defect.printed == 198_000_01)
        var card = PDFLayouts.card
        card[0].removeAll { $0.text == "99.00" }
        #expect(throws: StatementReadingError.self) { try Self.read(card) }
    }

    @Test func pagesWithoutTextAreNamed() {
        #expect(throws: StatementReadingError.noText) { try Self.read([[]]) }
        #expect(throws: StatementReadingError.noTable) { try Self.read([[.init(40, 40, "No table here.")]]) }
        #expect(throws: StatementReadingError.damagedPDF) {
            try Self.read(Array("%PDF-1.7\nnothing".utf8))
        }
    }

    @Test func encryptedFilesNeedTheirPassword() throws {
        let bytes = try Self.encrypted(PDFFile.bytes(PDFLayouts.card), "asha0501")
        let reader = try StatementChildTests.reader(StatementChildTests.programs + "parserctl")
        #expect(throws: StatementReadingError.needsPassword) { try reader.read(bytes, currency: .inr) }
        #expect(throws: StatementReadingError.wrongPassword) {
            try reader.read(bytes, currency: .inr, password: "ASHA0501")
        }
        #expect(try reader.read(bytes, currency: .inr, password: "asha0501").lines.count == 3)
    }

    /// The program that reads PDFs may have been taken over: what it answers beyond words is refused, and words that do
    /// not add up are no statement.
    @Test(
        arguments: [
            ("exit 0", .limitExceeded), ("exit 3", .limitExceeded), ("kill -9 $$", .limitExceeded),
            ("exit 71", .notConfined), ("head -c 100000000 /dev/zero", .limitExceeded),
            ("echo 'spendwise-pdf 1 pages'", .limitExceeded), ("echo 'spendwise-pdf 2 no_text'", .limitExceeded),
            ("echo 'spendwise-pdf 1 no_text'", .noText), ("printf 'spendwise-pdf 1 no_text'", .limitExceeded),
            ("printf 'spendwise-pdf 1 pages\\npage\\n0 1 0 1 X\\n'", .noTable),
            ("printf 'spendwise-pdf 1 pages\\npage\\n1 0 0 1 X\\n'", .limitExceeded),
        ] as [(String, StatementReadingError)])
    func otherAnswersAreRefused(command: String, expected: StatementReadingError) throws {
        let script = NSTemporaryDirectory() + "pdf-program-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: script) }
        try "#!/bin/sh\nPATH=/usr/bin:/bin\n\(command)\n".write(toFile: script, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
        let reader = try StatementReader(
            profiles: [StatementReaderTests.profiles], program: StatementChildTests.programs + "parserctl",
            pdfProgram: script)
        #expect(throws: expected) { try reader.read(PDFFile.bytes(PDFLayouts.card), currency: .inr) }
    }

    /// The child reads the same without files as the parser with them.
    @Test(arguments: layouts) func theChildReadsTheSame(expected: Expected) throws {
        let bytes = PDFFile.bytes(expected.pages)
        let reader = try StatementChildTests.reader(StatementChildTests.programs + "spendwised")
        #expect(try reader.read(bytes, currency: .inr) == Self.read(expected.pages))
    }

    @Test func truncationNeverGivesAWrongStatement() throws {
        let bytes = PDFFile.bytes(PDFLayouts.columns)
        let reader = try StatementChildTests.reader(StatementChildTests.programs + "parserctl")
        for length in stride(from: 0, to: bytes.count, by: max(bytes.count / 12, 1)) {
            if let read = try? reader.read(Array(bytes.prefix(length)), currency: .inr) {
                #expect((try? StatementProof(read)) != nil)
            }
        }
    }

    private static func encrypted(_ bytes: [UInt8], _ password: String) throws -> [UInt8] {
        let path = NSTemporaryDirectory() + "pdf-statement-" + UUID().uuidString
        defer { for end in ["", "-encrypted"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try Data(bytes).write(to: URL(filePath: path))
        _ = try ChildProcess(
            "/usr/bin/qpdf",
            arguments: ["qpdf", "--encrypt", password, "owner", "256", "--", path, path + "-encrypted"], seconds: 60,
            outputBytes: 0
        ).run()
        return try Array(Data(contentsOf: URL(filePath: path + "-encrypted")))
    }
}
