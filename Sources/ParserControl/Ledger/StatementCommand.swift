import ArgumentParser
import Codecs
import Ledger
import Review
import Settings
import Statements
import Store
import YAMLSource

struct StatementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statement", abstract: "Statements of accounts, beside what is booked.",
        subcommands: [Compare.self], defaultSubcommand: Compare.self)

    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "Show the lines of a statement that are not booked, and what is booked without a line.",
            discussion: """
                Reads a table of comma-, semicolon- or tab-separated text, as banks offer it for download, and refuses one whose balances do not follow from its lines. Changes nothing. Exit status 2 if statement and ledger differ.
                """)
        @Argument(help: "The file.", completion: .file())
        var file: String
        @Option(help: "The number of the account, see 'parserctl account list'.")
        var account: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            var agrees = true
            try options.read { store in
                let comparison = try store.read { ledger in
                    guard let row = try ledger.userAccounts.all(merged: true).first(where: { $0.id == account }) else {
                        throw Refused("there is no account \(account): see 'parserctl account list'")
                    }
                    let statement = try read(currency: row.currency)
                    return try StatementComparison(statement, account: account, in: ledger)
                }
                agrees = comparison.agrees
                if options.json { Output.line(comparison.json.text) } else { comparison.show() }
            }
            if !agrees { throw Exit.differs }
        }

        private func read(currency: Currency) throws -> BankStatement {
            // Read whole and with a limit, as every other file of a person.
            let bytes = try YAMLFile(path: file).bytes
            let reader = try StatementReader(profiles: options.locations.profileFolders())
            do throws(StatementReadingError) { return try reader.read(bytes, currency: currency) } catch {
                throw Refused("\(file): \(error)\n\(error.remedy)")
            }
        }
    }
}

extension StatementComparison {
    private func money(_ units: Int64) -> Money { Money(minorUnits: units, currency: statement.currency) }

    fileprivate func show() {
        let booked = result.matches.count { $0.differences.isEmpty }
        if let proof { Output.line(proof.sentence) }
        Output.line("\(booked) of \(statement.lines.count) lines are booked as the statement has them")
        let different = result.matches.filter { !$0.differences.isEmpty }
        section("Different in the ledger", different.count)
        for match in different {
            line(statement.lines[match.line])
            let words = match.differences.map(\.rawValue).sorted().joined(separator: ", ")
            Output.line("    transaction \(match.transaction): \(words)")
        }
        section("Only in the statement", result.onlyInStatement.count)
        for index in result.onlyInStatement { line(statement.lines[index]) }
        section("Only in the ledger", result.onlyInLedger.count)
        for missing in result.onlyInLedger {
            guard let row = transactions[missing.transaction] else { continue }
            let name = Terminal.printable(row.vendor ?? row.vpa ?? "")
            Output.line("  \(row.date)  \(row.amount)  \(name)  transaction \(row.id): \(missing.cause.sentence)")
        }
    }

    private func section(_ title: String, _ count: Int) {
        if count > 0 { Output.line("\n\(title): \(count)") }
    }

    private func line(_ line: StatementLine) {
        Output.line("  \(line.day)  \(money(line.change))  \(Terminal.printable(line.text))  row \(line.row)")
    }

    fileprivate var json: JSON {
        .object([
            ("currency", .string(statement.currency.code)), ("lines", JSON(statement.lines.count)),
            ("proof", JSON(proof?.rawValue)),
            (
                "matches",
                .array(
                    result.matches.map {
                        .object([
                            ("row", JSON(statement.lines[$0.line].row)), ("transaction_id", .integer($0.transaction)),
                            ("evidence", .string($0.strength.rawValue)),
                            ("differences", .array($0.differences.map(\.rawValue).sorted().map(JSON.string))),
                        ])
                    })
            ),
            ("only_in_statement", .array(result.onlyInStatement.map { json(statement.lines[$0]) })),
            (
                "only_in_ledger",
                .array(
                    result.onlyInLedger.map {
                        .object([("transaction_id", .integer($0.transaction)), ("cause", .string($0.cause.rawValue))])
                    })
            ),
        ])
    }

    private func json(_ line: StatementLine) -> JSON {
        .object([
            ("row", JSON(line.row)), ("date", JSON(describing: line.day)),
            ("amount", .string(money(line.change).decimal)), ("text", .string(line.text)),
            ("reference", JSON(line.reference)),
        ])
    }
}
