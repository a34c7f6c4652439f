import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Kills while a statement is booked, while it is undone, and while a list of payments is confirmed.
    @Suite struct StatementCrashes {
        /// `SPENDWISE_CRASHES=200 swift test --filter StatementCrashes` runs the long campaign.
        private static let count = ProcessInfo.processInfo.environment["SPENDWISE_CRASHES"].flatMap { Int($0) } ?? 8
        /// Lines of the statement: a booking takes long enough to be hit.
        private static let lines = 400

        private static func statement() -> String {
            var balance = 1_000_000
            let rows = (1...lines).map { line in
                balance -= line
                return "0\(line % 9 + 1)/01/2026,PAYEE \(line),R\(100_000 + line),\(line).00,,\(balance).00"
            }
            return (["Date,Narration,Ref No,Withdrawal Amt.,Deposit Amt.,Closing Balance"] + rows).joined(
                separator: "\n")
        }

        private static func payments() -> String {
            let rows = (1...lines).map { line in
                "\(line % 9 + 1)/02/2026,Paid to Payee \(line),-\(line).00,\(612_345_000_000 + line)"
            }
            return (["Date,Transaction Details,Amount,UPI Ref No."] + rows).joined(separator: "\n")
        }

        private let scratch: Scratch
        private let options: [String]
        private var ledger: LedgerFile { LedgerFile(path: scratch.path + "/ledger.db") }

        init() throws {
            scratch = try Scratch()
            options = ["--json", "--database", scratch.path + "/ledger.db", "--parsers", Program.root + "/parsers"]
        }

        private func run(_ arguments: [String]) throws {
            let program = try Program("parserctl", arguments + options, in: scratch)
            #expect([0, 2].contains(try program.exit()), "\(arguments): \(program.errors)")
        }

        /// Seconds that the command takes undisturbed.
        private func time(_ arguments: [String]) throws -> Double {
            let begun = Date()
            try run(arguments)
            return Date().timeIntervalSince(begun)
        }

        private func runAndKill(_ arguments: [String], within longest: Double) throws {
            let program = try Program("parserctl", arguments + options, in: scratch)
            usleep(UInt32(Double.random(in: 0...longest) * 1e6))
            try program.crash()
        }

        /// All lines are booked, or none is; every link has its transaction.
        private func expectAllOrNothing(_ what: String) throws {
            #expect(try ledger.column("PRAGMA integrity_check") == ["ok"])
            #expect(try ledger.column("PRAGMA foreign_key_check") == [])
            let live = try ledger.count("SELECT count(*) FROM transactions WHERE deleted_at IS NULL")
            let booked = try ledger.count("SELECT count(*) FROM statement_lines WHERE is_booked = 1")
            let stored = try ledger.count("SELECT count(*) FROM statement_lines")
            #expect([0, Self.lines].contains(live) && booked == live, "\(what): \(live) live, \(booked) booked")
            #expect([0, Self.lines].contains(stored), "\(what): \(stored) lines")
            let rest = try ledger.count(
                "SELECT count(*) FROM changes WHERE done = 'added' AND transaction_id IS NOT NULL")
            #expect(rest % Self.lines == 0, "\(what): \(rest) journal entries")
        }

        @Test(.timeLimit(.minutes(60))) func killsLeaveAllOrNothing() throws {
            try run(["account", "add", "Savings", "--type", "bank", "--currency", "INR"])
            let statement = try scratch.write(Self.statement(), to: "statement.csv")
            let payments = try scratch.write(Self.payments(), to: "payments.csv")
            let imports = [
                ["statement", "import", statement, "--account", "1", "--book"],
                ["statement", "import", payments, "--account", "1", "--payments", "paytm", "--book"],
            ]
            func undo() throws -> [String] {
                ["statement", "undo", try ledger.column("SELECT id FROM statements").first ?? "0", "--yes"]
            }
            var (longest, longestUndo): ([Double], Double) = ([], 0)
            for command in imports {
                longest.append(try time(command) * 1.2)
                longestUndo = try time(try undo()) * 1.2
            }
            var last = 0
            for crash in 0..<Self.count {
                // Each kill goes on from the state that the one before left, so that it costs one run.
                if try ledger.count("SELECT count(*) FROM statements") == 0 {
                    last = crash / 2 % 2
                    try runAndKill(imports[last], within: longest[last])
                } else {
                    try runAndKill(try undo(), within: longestUndo)
                }
                try expectAllOrNothing("crash \(crash)")
                guard crash % 10 == 3 else { continue }
                // The same file completes what was cut off, or changes nothing.
                try run(imports[last])
                #expect(
                    try ledger.count("SELECT count(*) FROM transactions WHERE deleted_at IS NULL") == Self.lines,
                    "after crash \(crash)")
                try expectAllOrNothing("after crash \(crash)")
            }
        }
    }
}
