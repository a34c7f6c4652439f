import Chronology
import Foundation
import Ledger
import Testing
import YAMLSource

@testable import Statements

@Suite struct StatementReaderTests {
    static let profiles = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "parsers").path

    /// The shared words.
    static func words() throws -> StatementWords {
        try StatementWords(YAMLFile(path: profiles + "/_statement-words.yaml"))
    }

    static func parser() throws -> StatementParser { StatementParser(words: try words()) }

    static func read(_ text: String) throws -> BankStatement {
        try parser().read(Array(text.utf8), currency: .inr)
    }

    static let columns = """
        Statement of account
        Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
        ,Opening Balance,,,,,"1,00,000.00"
        05/01/2026,"FERN STORES, CITY",R1,05/01/26,"1,250.50",,"98,749.50"
        ,second line,,,,,
        06/01/2026,SALARY,R2,06/01/26,0.00,"1,00,000.00","1,98,749.50"
        """
    static let signed = """
        Txn Date\tDescription\tAmount (INR)\tDr / Cr\tBalance
        06 Jan 2026\tRENT\t500.00\tDR\t400.00 Dr
        05 Jan 2026\tREFUND\t100.00\tCR\t100.00 Cr
        """

    @Test(arguments: ["\n", "\r\n"]) func debitAndCreditColumns(lineBreak: String) throws {
        let text = Self.columns.split(separator: "\n").joined(separator: lineBreak)
        let statement = try Self.read(text)
        #expect(statement.opening == 1_00_000_00)
        #expect(statement.lines.map(\.change) == [-125050, 1_00_000_00])
        #expect(statement.lines.map(\.text) == ["FERN STORES, CITY second line", "SALARY"])
        #expect(statement.lines.map(\.day.description) == ["2026-01-05", "2026-01-06"])
        #expect(statement.lines.map(\.row) == [4, 6])
        #expect(try StatementProof(statement).strength == .everyLine)
    }

    @Test func newestFirstWithSignColumn() throws {
        let statement = try Self.read(Self.signed)
        #expect(statement.lines.map(\.change) == [10000, -50000])
        #expect(statement.lines.map(\.balance) == [10000, -40000])
        #expect(statement.lines.map(\.row) == [3, 2])
    }

    @Test(arguments: [
        (columns.replacingOccurrences(of: "\"1,250.50\",,", with: ",\"1,250.50\","), 4),
        (columns.replacingOccurrences(of: "1,98,749.50", with: "1,98,749.51"), 6),
    ]) func aTableThatDoesNotAddUpIsRefused(text: String, row: Int) throws {
        let error = #expect(throws: StatementReadingError.self) { try Self.read(text) }
        guard case .doesNotAddUp(let defect, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(defect.row == row)
    }

    @Test(
        arguments: [
            ("", .unknownFormat), ("a,b\n1,2", .noTable),
            ("Date,Details,Amount\n05/01/2026,X,12x", .unreadableRow(2)),
            ("Date,Details,Amount\n05 Jan,X,12.00", .unreadableRow(2)),
            ("Date,Details,Amount\n12/31/2026,X,12.00", .unreadableRow(2)),
        ] as [(String, StatementReadingError)]) func refusals(text: String, expected: StatementReadingError)
    {
        #expect(throws: expected) { try Self.read(text) }
    }

    /// The first bytes of a binary workbook, whole and cut.
    @Test(
        arguments: [
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], .binaryWorkbook),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .binaryWorkbook),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0], .unknownFormat),
        ] as [([UInt8], StatementReadingError)]) func binaryWorkbooksAreNamed(
            bytes: [UInt8], expected: StatementReadingError
        ) throws
    {
        #expect(throws: expected) { try Self.parser().read(bytes, currency: .inr) }
        #expect(StatementReadingError.binaryWorkbook.remedy.contains("save it as .xlsx or .csv"))
    }

    @Test(arguments: [columns, signed]) func truncationAtEveryByte(text: String) throws {
        let reader = try Self.parser()
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            let cut = Array(bytes.prefix(length))
            if let read = try? reader.read(cut, currency: .inr) { #expect((try? StatementProof(read)) != nil) }
        }
    }

    /// A file with an error is reported, not passed over for the one of an earlier folder.
    @Test func lastFileOfWordsCounts() throws {
        let folder = NSTemporaryDirectory() + "statement-words-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try StatementReader(profiles: [Self.profiles, folder])
        try Data("date: [day]\n".utf8).write(to: URL(filePath: folder + "/_statement-words.yaml"))
        #expect(throws: (any Error).self) { try StatementReader(profiles: [Self.profiles, folder]) }
        #expect(throws: (any Error).self) { try StatementReader(profiles: []) }
    }
}
