import Foundation
import Ledger
import Testing

@testable import Statements

/// Statements as the child process reads them.
@Suite struct StatementChildTests {
    static let programs =
        URL(
            filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        ).deletingLastPathComponent().path + "/"

    /// In Windows-1252, whose table is a file of the system.
    static let page = Array(
        """
        <html><head><meta charset="windows-1252"></head><body><table>
        <tr><th>Date</th><th>Narration</th><th>Debit</th><th>Credit</th><th>Balance</th></tr>
        <tr><td>05/01/2026</td><td>CAF# MOON</td><td>250.00</td><td></td><td>9750.00</td></tr>
        <tr><td>06/01/2026</td><td>SALARY</td><td></td><td>5000.00</td><td>14750.00</td></tr>
        </table></body></html>
        """.utf8
    ).map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }

    static let files: [[UInt8]] =
        [StatementReaderTests.columns, StatementFormatTests.sgml, StatementFormatTests.xml].map { Array($0.utf8) }
        + [page]

    static func reader(_ program: String) throws -> StatementReader {
        try StatementReader(profiles: [StatementReaderTests.profiles], program: program)
    }

    @Test(arguments: ["parserctl", "spendwised"], files) func readsAsTheParser(program: String, file: [UInt8]) throws {
        let read = try Self.reader(Self.programs + program).read(file, currency: .inr)
        #expect(try read == StatementReaderTests.parser().read(file, currency: .inr))
        if file == Self.page { #expect(read.lines.first?.text == "CAF\u{E9} MOON") }
    }

    @Test(
        arguments: [
            ("", .unknownFormat), ("a,b\n1,2", .noTable), ("Date,Details,Amount\n05/01/2026,X,12x", .unreadableRow(2)),
            (
                "Date,Details,Amount,Balance\n05/01/2026,X,12.00,12.00\n06/01/2026,X,12.00,25.00",
                .doesNotAddUp(.init(row: 3, expected: 24_00, printed: 25_00), currency: .inr)
            ),
        ] as [(String, StatementReadingError)]) func refusals(text: String, expected: StatementReadingError) throws
    {
        let reader = try Self.reader(Self.programs + "parserctl")
        #expect(throws: expected) { try reader.read(Array(text.utf8), currency: .inr) }
    }

    @Test func aBinaryWorkbookIsNamedByTheChild() throws {
        let reader = try Self.reader(Self.programs + "parserctl")
        #expect(throws: StatementReadingError.binaryWorkbook) {
            try reader.read([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], currency: .inr)
        }
    }

    /// A child that was taken over answers what it likes.
    @Test(arguments: [
        "exit 0", "exit 3", "kill -9 $$", "echo '{}'", "head -c 100000000 /dev/zero",
        answer(closing: 11), answer(closing: 10) + "; exit 1", answer(closing: 10, version: 1),
    ]) func otherAnswersAreRefused(command: String) throws {
        #expect(throws: StatementReadingError.limitExceeded) { try Self.read(by: command) }
    }

    @Test func theAnswerOfAProgramIsRead() throws {
        let read = try Self.read(by: Self.answer(closing: 10))
        #expect(read.lines.map(\.change) == [10] && read.closing == 10)
    }

    @Test func aProgramThatCannotBeStartedIsNamed() {
        #expect(throws: StatementReadingError.notConfined) {
            try Self.reader("/nowhere/program").read([1], currency: .inr)
        }
        #expect(throws: StatementReadingError.notConfined) { try Self.read(by: "exit 71") }
    }

    private static func answer(closing: Int, version: Int64 = StatementAnswer.version) -> String {
        """
        echo '{"version":\(version),"statement":{"currency":"INR","opening":0,"closing":\(closing),"lines":[{"row":1,"day":"2026-01-05","change":10,"text":"X"}]}}'
        """
    }

    /// Reads with a shell script in place of the child.
    private static func read(by command: String) throws -> BankStatement {
        let script = NSTemporaryDirectory() + "statement-child-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: script) }
        try "#!/bin/sh\nPATH=/usr/bin:/bin\n\(command)\n".write(toFile: script, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
        return try reader(script).read([1], currency: .inr)
    }
}
