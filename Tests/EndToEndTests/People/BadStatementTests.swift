import Foundation
import GRDB
import Testing

extension EndToEnd {
    /// `parserctl statement import --book` with files as people have them: protected, cut, empty, twice, overlapping.
    @Suite struct BadStatements {
        private let scratch: Scratch
        private var ledger: LedgerFile { LedgerFile(path: scratch.path + "/ledger.db") }

        init() throws {
            scratch = try Scratch()
            try run(["account", "add", "Savings", "--type", "bank", "--currency", "INR"])
        }

        @discardableResult
        private func run(_ arguments: [String], expecting status: Int32 = 0) throws -> (output: String, errors: String)
        {
            let program = try Program(
                "parserctl",
                arguments + [
                    "--json", "--database", scratch.path + "/ledger.db", "--parsers", Program.root + "/parsers",
                ], in: scratch)
            #expect(try program.exit() == status, "\(arguments): \(program.errors)\(program.output)")
            return (program.output, program.errors)
        }

        private func booked() throws -> [String] {
            try ledger.column("SELECT parsed_vendor FROM transactions WHERE deleted_at IS NULL ORDER BY id")
        }

        private func book(
            _ file: String, _ more: [String] = [], expecting status: Int32 = 0
        ) throws -> (
            output: String, errors: String
        ) {
            try run(["statement", "import", file, "--account", "1", "--book"] + more, expecting: status)
        }

        @Test(
            .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/qpdf"), "qpdf encrypts the statement"),
            .timeLimit(.minutes(3)))
        func aProtectedPDFNeedsItsPassword() throws {
            let plain = try scratch.write(StatementCommands.pdf, to: "plain.pdf")
            let file = scratch.path + "/protected.pdf"
            let encryption = try Program(
                "/usr/bin/qpdf", ["--encrypt", "moon0501", "owner", "256", "--", plain, file], in: scratch)
            // 3: qpdf repairs the file and warns.
            #expect([0, 3].contains(try encryption.exit()), "\(encryption.errors)")
            #expect(try book(file, expecting: 1).errors.contains("is protected by a password"))
            for (password, status) in [("Moon0501", Int32(1)), ("moon0501", 0)] {
                let secret = try scratch.write(password + "\n", to: "secret")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
                let result = try book(file, ["--password-file", secret], expecting: status)
                #expect(!(result.output + result.errors).contains(password))
                if status == 1 { #expect(result.errors.contains("the password does not open the PDF")) }
            }
            #expect(try booked() == ["UPI CAFE MOON", "NEFT SALARY"])
        }

        /// A cut PDF is refused, or what is left of it is not proven and not booked.
        @Test(.timeLimit(.minutes(3)), arguments: [10, 30, 50, 70, 90, 98]) func aCutPDFBooksNothingWrong(
            percent: Int
        )
            throws
        {
            let bytes = Array(StatementCommands.pdf.utf8)
            let file = try scratch.write(
                String(decoding: bytes.prefix(bytes.count * percent / 100), as: UTF8.self), to: "cut.pdf")
            let program = try Program(
                "parserctl",
                [
                    "statement", "import", file, "--account", "1", "--book", "--database", scratch.path + "/ledger.db",
                    "--parsers", Program.root + "/parsers",
                ], in: scratch)
            let isRead = try program.exit() == 0
            #expect(try isRead || booked().isEmpty)
            #expect(try [[], ["UPI CAFE MOON", "NEFT SALARY"]].contains(booked()), "\(percent) %")
        }

        @Test(
            .timeLimit(.minutes(2)),
            arguments: [
                ("", "not in a known statement format"), ("\u{FEFF}", "not in a known statement format"),
                ("no table\n", "no table"), ("%PDF-1.7\n", "the PDF is damaged"),
                ("PK\u{3}\u{4}", "not in a known statement format"),
                ("Date,Narration,Amount,Balance\n05/01/2026,X,-1,9\n06/01/2026,Y,-1,9\n", "the lines before give"),
            ])
        func whatIsNoStatementIsRefused(text: String, fault: String) throws {
            let file = try scratch.write(text, to: "file")
            #expect(try book(file, expecting: 1).errors.contains(fault))
            #expect(try booked().isEmpty && ledger.count("SELECT count(*) FROM statements") == 0)
        }

        /// A line that two statements have is booked once, and so is a file with other line ends.
        @Test(.timeLimit(.minutes(2))) func overlappingStatementsBookALineOnce() throws {
            let table = StatementCommands.table
            let first = try scratch.write(table, to: "first.csv")
            _ = try book(first)
            let windows = try scratch.write(
                "\u{FEFF}" + table.replacing("\n", with: "\r\n"), to: "windows.csv")
            _ = try book(windows)
            #expect(try booked() == ["UPI CAFE MOON", "NEFT SALARY"])
            let lines = table.split(separator: "\n")
            let overlapping = try scratch.write(
                [lines[0], lines[2], "07/01/2026,POS BOOK SHOP,750.00,,14000.00"].joined(separator: "\n"),
                to: "next.csv")
            _ = try book(overlapping)
            #expect(try booked() == ["UPI CAFE MOON", "NEFT SALARY", "POS BOOK SHOP"])
        }

        /// A file that names the number of another account is refused.
        @Test(.timeLimit(.minutes(2))) func aStatementOfAnotherAccountIsRefused() throws {
            try run(["account", "add", "Current", "--type", "bank", "--currency", "INR"])
            let queue = try DatabaseQueue(path: ledger.path)
            try queue.write {
                try $0.execute(sql: "UPDATE user_accounts SET account_number_last4 = '4321' WHERE id = 2")
            }
            try queue.close()
            let file = try scratch.write("Account No : 00000000004321\n" + StatementCommands.table, to: "other.csv")
            #expect(try book(file, expecting: 1).errors.contains("is of account 2 'Current'"))
            #expect(try booked().isEmpty)
        }

        /// The form of a bank whose words the shared file does not have.
        @Test(.timeLimit(.minutes(2))) func aProfileReadsTheFormOfItsBank() throws {
            let text = """
                Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL
                05-01-2026,-,UPI/FERN,            250.00, ,           9750.00,123
                06-01-2026,-,SALARY, ,          5000.00,          14750.00,123

                Unless the constituent notifies the bank immediately of any discrepancy, it is taken as correct.

                """
            _ = try book(try scratch.write(text, to: "axis.csv"))
            #expect(try booked() == ["UPI/FERN", "SALARY"])
        }
    }
}
