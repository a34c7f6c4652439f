import Foundation
import Testing

extension EndToEnd {
    /// `parserctl statement` from a file to reconciled books and back.
    @Suite struct StatementCommands {
        static let table = """
            Date,Narration,Withdrawal Amt.,Deposit Amt.,Closing Balance
            05/01/2026,UPI CAFE MOON,250.00,,9750.00
            06/01/2026,NEFT SALARY,,5000.00,14750.00

            """

        /// The table as a PDF. Poppler finds the objects without a table of their places.
        static let pdf: String = {
            let columns = [40, 120, 280, 370, 460]
            let rows = table.split(separator: "\n").enumerated().map { row, line in
                zip(columns, line.split(separator: ",", omittingEmptySubsequences: false)).map { column, cell in
                    "BT /F1 8 Tf 1 0 0 1 \(column) \(782 - row * 20) Tm (\(cell)) Tj ET\n"
                }.joined()
            }.joined()
            let objects = [
                "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
                "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
                "<< /Length \(rows.utf8.count) >>\nstream\n\(rows)endstream",
            ]
            return "%PDF-1.4\n" + objects.enumerated().map { "\($0 + 1) 0 obj\n\($1)\nendobj\n" }.joined()
                + "trailer << /Size 6 /Root 1 0 R >>\n%%EOF\n"
        }()

        @Test(.timeLimit(.minutes(2))) func importBooksOnceAndUndoRemoves() throws {
            let scratch = try Scratch()
            let options = [
                "--json", "--database", scratch.path + "/ledger.db", "--parsers", Program.root + "/parsers",
            ]
            func run(_ arguments: [String], expecting status: Int32 = 0) throws -> [String: Any] {
                let program = try Program("parserctl", arguments + options, in: scratch)
                #expect(try program.exit() == status, "\(arguments): \(program.errors)\(program.output)")
                return try JSONOutput.lines(program.output).first ?? [:]
            }
            func refusal(_ arguments: [String], status: Int32 = 1) throws -> String {
                let program = try Program("parserctl", arguments + options, in: scratch)
                #expect(try program.exit() == status, "\(arguments): \(program.output)")
                return program.errors
            }
            _ = try run(["account", "add", "Savings", "--type", "bank", "--currency", "INR"])
            let file = try scratch.write(Self.table, to: "january.csv")
            let statement = ["statement", "import", file, "--account", "1"]
            let compared = try run(statement, expecting: 2)
            #expect((compared["only_in_statement"] as? [Any])?.count == 2 && compared["is_new"] as? Bool == true)
            let booked = try run(statement + ["--book"])
            #expect(booked["booked"] as? [Int] == [1, 2] && booked["reconciled"] as? Bool == true)
            let again = try run(statement + ["--book"])
            #expect(again["booked"] as? [Int] == [] && again["is_new"] as? Bool == false)
            #expect(try run(["statement", "list"])["open"] as? Int == 0)
            #expect((try run(["statement", "show", "1"])["matches"] as? [Any])?.count == 2)
            #expect(try refusal(["statement", "undo", "1"], status: 64).contains("is reconciled"))
            let undone = try run(["statement", "undo", "1", "--yes"])
            #expect(undone["deleted"] as? [Int] == [1, 2])

            let wrong = try scratch.write(
                Self.table.replacingOccurrences(of: "14750.00", with: "14751.00"), to: "wrong.csv")
            #expect(try refusal(["statement", "import", wrong, "--account", "1", "--book"]).contains("row 3"))
            #expect(try refusal(["statement", "import", file, "--account", "9"]).contains("no account 9"))
            #expect(try refusal(["statement", "import", file + "x", "--account", "1"]).contains("january.csvx"))
            #expect(try refusal(["statement", "show", "77"]).contains("77"))
            #expect(try refusal(["statement", "undo", "77"]).contains("77"))
        }
    }
}
