import Chronology
import Foundation
import Ledger
import PDFText
import PDFWords
import Testing
import YAMLSource

@testable import Statements

/// Statement profiles: the shipped ones with their samples, as text, PDF and workbook, and faulty ones.
@Suite struct StatementProfileTests {
    private static let folders = [StatementReaderTests.profiles]
    private static let six = ["axis", "hdfc", "icici", "kotak", "sbi", "sbicard"]

    @Test func theShippedSamplesHold() throws {
        let results = try StatementReader.checkSamples(profiles: Self.folders)
        for result in results {
            #expect(result.differences.isEmpty, "\(result.profile), \(result.sample): \(result.differences)")
        }
        #expect(Set(results.map(\.bank)).isSuperset(of: Self.six))
        #expect(results.allSatisfy { $0.line > 0 && $0.path.hasSuffix($0.profile + ".yaml") })
    }

    /// The samples that are read, with the words of their profile.
    private static func readable() throws -> [(StatementSample, StatementWords)] {
        let shared = try StatementReader.sharedWords(folders)
        return try StatementProfileFiles(folders).entries.flatMap { entry in
            try StatementSample.samples(in: entry.file).compactMap { sample -> (StatementSample, StatementWords)? in
                if case .statement = sample.expectation { return (sample, shared.mapped(by: entry.profile)) }
                return nil
            }
        }
    }

    /// A PDF with the same text at the same places gives the same statement.
    @Test func pagesAreReadAlikeFromPDF() throws {
        var count = 0
        for (sample, words) in try Self.readable() {
            guard case .pages(let pages) = sample.content else { continue }
            count += 1
            let parser = StatementParser(words: words)
            let typed = try parser.read(
                .pages(pages.map(StatementSample.words(onPage:))), currency: sample.currency)
            let pdf = try PDFText.pages(in: PDFFile.typed(pages))
            let read: BankStatement
            do { read = try parser.read(.pages(pdf), currency: sample.currency) } catch {
                Issue.record("\(sample.name): \(error)")
                continue
            }
            #expect(read.lines.map(\.text) == typed.lines.map(\.text), "\(sample.name)")
            #expect(read.lines.map(\.change) == typed.lines.map(\.change), "\(sample.name)")
            #expect(read.lines.map(\.reference) == typed.lines.map(\.reference), "\(sample.name)")
        }
        #expect(count >= 6)
    }

    /// A workbook and an HTML table with the same cells give the same statement.
    @Test func tablesAreReadAlikeFromWorkbooksAndHTML() throws {
        var count = 0
        for (sample, words) in try Self.readable() {
            guard case .text(let text) = sample.content else { continue }
            count += 1
            let parser = StatementParser(words: words)
            let read = try parser.read(Array(text.utf8), currency: sample.currency)
            let rows = try SeparatedText.rows(Array(text.utf8)[...])
            func escaped(_ cell: String) -> String {
                cell.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            }
            let cells = rows.map { row in
                row.cells.enumerated().map { column, cell in
                    let letter = ["A", "B", "C", "D", "E", "F", "G", "H", "I"][column]
                    return "<c r=\"\(letter)\(row.line)\" t=\"inlineStr\"><is><t>\(escaped(cell))</t></is></c>"
                }.joined()
            }
            let sheet =
                "<worksheet><sheetData>"
                + zip(rows, cells).map { "<row r=\"\($0.line)\">\($1)</row>" }.joined() + "</sheetData></worksheet>"
            let html =
                "<html><body><table>"
                + rows.map { row in "<tr>" + row.cells.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>" }.joined()
                + "</table></body></html>"
            for bytes in [ZipFile.bytes(WorkbookTests.files(sheet)), Array(html.utf8)] {
                let other = try parser.read(bytes, currency: sample.currency)
                #expect(other.lines.map(\.change) == read.lines.map(\.change), "\(sample.name)")
                #expect(other.lines.map(\.text) == read.lines.map(\.text), "\(sample.name)")
                #expect(other.lines.map(\.day) == read.lines.map(\.day), "\(sample.name)")
            }
        }
        #expect(count >= 6)
    }

    static let card = """
        Date,Transaction Details,Amount,Kind
        01/02/2026,CAFE MOON,250.00,
        03/02/2026,PAYMENT,100.00,Cr
        """

    /// Writes profiles of two banks beside the shared words.
    private static func folder(_ profiles: [String: String]) throws -> String {
        let folder = NSTemporaryDirectory() + "statement-profiles-" + UUID().uuidString
        for (path, text) in profiles {
            let file = URL(filePath: folder + "/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }

    /// The profiles of the account's banks are tried, those of every bank if none is known, and no others.
    @Test func theBanksOfTheAccountDecide() throws {
        let profile = "columns: { amount: [amount], sign: [kind] }\nunsigned: "
        let folder = try Self.folder([
            "fern/_statement-card.yaml": profile + "outgoing\n", "moon/_statement-card.yaml": profile + "incoming\n",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let reader = try StatementReader(
            profiles: [StatementReaderTests.profiles, folder], program: StatementChildTests.programs + "parserctl")
        func changes(_ banks: [String]) throws -> [Int64] {
            try reader.read(Array(Self.card.utf8), currency: .inr, banks: banks).lines.map(\.change)
        }
        #expect(try changes(["fern"]) == [-250_00, 100_00])
        #expect(try changes(["moon"]) == [250_00, 100_00])
        #expect(try changes([]) == [-250_00, 100_00])
        // Without a profile the column `Kind` means nothing.
        #expect(try changes(["hdfc"]) == [250_00, 100_00])
    }

    /// A profile that claims a table and reads it wrongly does not keep the shared words from proving it.
    @Test func aWrongProfileIsNoLoss() throws {
        let shared = try StatementReader.sharedWords(Self.folders)
        let file = YAMLFile(
            path: "fern/_statement-a.yaml",
            bytes: Array("columns: { debit: [credit], credit: [debit] }\ndate_format: MM/dd/yyyy\n".utf8))
        let wrong = shared.mapped(by: try StatementProfile("fern/_statement-a", file))
        let text = "Date,Details,Debit,Credit,Balance\n05/01/2026,A,10,,90\n06/01/2026,B,,5,95\n"
        #expect(throws: StatementReadingError.self) {
            try StatementParser(words: wrong).read(Array(text.utf8), currency: .inr)
        }
        let read = try StatementParser(words: [wrong, shared]).read(Array(text.utf8), currency: .inr)
        #expect(read.lines.map(\.change) == [-10_00, 5_00] && read.lines[0].day.description == "2026-01-05")
    }

    @Test func datesHaveTheOrderOfTheProfile() throws {
        let shared = try StatementReader.sharedWords(Self.folders)
        let file = YAMLFile(
            path: "a.yaml", bytes: Array("columns: { text: [memo] }\ndate_format: MM/dd/yyyy\n".utf8))
        let words = shared.mapped(by: try StatementProfile("fern/_statement-a", file))
        let text = "Date,Memo,Amount,Balance\n01/31/2026,A,-10,90\n02/01/2026,B,5,95\n"
        let read = try StatementParser(words: words).read(
            Array(text.utf8), currency: try #require(Currency(code: "USD")))
        #expect(read.lines.map(\.day.description) == ["2026-01-31", "2026-02-01"])
    }

    static let faults: [(text: String, fault: String)] = [
        ("", "is empty"), ("columns: {}\n", "at least one column"),
        ("date_format: dd/MM/yy\n", "'columns' is missing"),
        ("columns: { text: [a], amonut: [b] }\n", "Did you mean 'amount'"),
        ("columns: { status: [a] }\n", "unknown key"),
        ("columns: { text: [] }\n", "letters or digits"), ("columns: { text: ['--'] }\n", "letters or digits"),
        ("columns: { text: [a] }\nunsigned: omitted\n", "unknown value"),
        ("columns: { text: [a] }\ndate_format: dd\n", "is not a date format"),
        ("columns: { text: [a] }\nwords: { date: [b] }\n", "unknown key"),
    ]

    @Test(arguments: faults.indices) func faultsHaveTheirPlace(index: Int) throws {
        let (text, fault) = Self.faults[index]
        let folder = try Self.folder(["fern/_statement-a.yaml": text])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let error = #expect(throws: SourceError.self) {
            try StatementReader(profiles: [StatementReaderTests.profiles, folder])
        }
        #expect(error?.description.contains("fern/_statement-a.yaml") == true)
        #expect(error?.description.contains(fault) == true, "\(error?.description ?? "")")
    }

    /// A later folder replaces a file of the same path; a sample that differs is shown with its line.
    @Test func aSampleThatDiffersIsShown() throws {
        let profile = """
            columns: { text: [memo] }
            samples:
              - name: read
                text: "Date,Memo,Amount,Balance\\n01/02/2026,A,-10,90\\n02/02/2026,B,5,95\\n"
                expect: { proof: sum, lines: [{ date: 2026-02-01, amount: '-10', text: A }] }
              - { name: other, text: "Date,Details,Amount\\n01/02/2026,A,5\\n", expect: none }
            """
        let folder = try Self.folder(["fern/_statement-a.yaml": profile])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let results = try StatementReader.checkSamples(profiles: [StatementReaderTests.profiles, folder])
            .filter { $0.bank == "fern" }
        #expect(results.map(\.line) == [3, 6])
        #expect(results.map { $0.differences.map(\.field) } == [["proof", "line 2"], []])
        let only = profile.replacing("expect: none", with: "expect: { proof: none, lines: [] }")
        let alone = try Self.folder(["fern/_statement-a.yaml": only])
        defer { try? FileManager.default.removeItem(atPath: alone) }
        #expect(throws: SourceError.self) {
            try StatementReader.checkSamples(profiles: [StatementReaderTests.profiles, alone])
        }
    }

    /// What banks print below the lines is left out, and a line that cannot be read is not.
    @Test(arguments: [
        ("Generated On: 01-Feb-2026,,,,", true), ("\"1,00,000.00\",2,1,5,95", true), ("Page 1 of 2,,,,", true),
        ("Closing balance,as on 31/01/2026 INR 95.00,,,", true), ("31/02/2026,X,1.00,,94", false),
        ("03/02/2026,X,,,95", false), ("3 Feb,X,1.00,,94", false),
    ])
    func remarksAreNoLines(row: String, isRead: Bool) throws {
        let text = "Date,Details,Debit,Credit,Balance\n01/02/2026,A,10,,90\n02/02/2026,B,,5,95\n\(row)\n"
        let read = try? StatementReaderTests.read(text)
        #expect(read?.lines.count == (isRead ? 2 : nil))
    }

    /// The number above the table, if it can be told from others.
    @Test(arguments: [
        ("Account No :,00000000004321", "00000000004321"), ("Card No: XXXX XXXX XXXX 4321", "4321"),
        ("Statement of Account No - 900000000004321 for January", "900000000004321"),
        ("Credit Card Number XXXX XXXX XXXX XX21", nil), ("Customer ID 12345678", nil), ("Account No of Asha", nil),
    ]) func theAccountIsNamedAboveTheTable(line: String, number: String?) throws {
        let table = "Date,Details,Debit,Credit,Balance\n01/02/2026,A,10,,90\n02/02/2026,B,,5,95\n"
        #expect(try StatementReaderTests.read("\(line)\n\(table)").accountNumber == number)
        let page = PDFLayouts.columns[0]
        if number == nil { return }
        let pages = [page.map { $0.text.hasPrefix("Account No") ? PDFFile.Text($0.x, $0.y, "Account No : 4321") : $0 }]
        #expect(try PDFStatementTests.read(pages + [PDFLayouts.columns[1]]).accountNumber == "4321")
    }

    @Test(arguments: ["\n", "\r\n"]) func aMarkOfUTF8AndWindowsLineEndsDoNotMatter(lineBreak: String) throws {
        let lines =
            "Date~|~Details~|~Debit~|~Credit~|~Balance\n01/02/2026~|~A, B~|~1,010.00~|~~|~90\n02/02/2026~|~C~|~~|~5~|~95\n"
        let bytes = [0xEF, 0xBB, 0xBF] + Array(lines.replacing("\n", with: lineBreak).utf8)
        let read = try StatementReaderTests.parser().read(bytes, currency: .inr)
        #expect(read.lines.map(\.change) == [-101_000, 500] && read.lines[0].text == "A, B")
    }
}
