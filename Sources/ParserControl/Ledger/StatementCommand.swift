import ArgumentParser
import Chronology
import Codecs
import Console
import Glibc
import Ledger
import Review
import Settings
import Statements
import Store
import YAMLSource

struct StatementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statement", abstract: "Statements of accounts, beside what is booked.",
        subcommands: [
            Compare.self, Import.self, Listing.self, Show.self, Undo.self, Read.self, Discard.self,
            ColumnMappingCommand.self,
        ], defaultSubcommand: Compare.self)

    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "Show the lines of a statement that are not booked, and what is booked without a line.",
            discussion: """
                Reads the file that a bank offers for download: a PDF, OFX, QIF, MT940, camt.053, a workbook or another table. Refuses one whose balances do not follow from its lines. Changes nothing. Exit status 2 if statement and ledger differ.
                """)
        @OptionGroup var source: StatementSource
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            var agrees = true
            try options.read { store in
                let comparison = try store.read { ledger in
                    let statement = try source.read(in: ledger, options.locations).statement
                    return try StatementComparison(statement, account: source.account, in: ledger)
                }
                agrees = comparison.agrees
                if options.json { Output.line(comparison.json.text) } else { comparison.show() }
            }
            if !agrees { throw Exit.differs }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Store a statement, link its lines with what is booked, and book the rest.",
            discussion: """
                The same file again stores nothing new and books nothing twice. With --payments, the file is the list of payments of an app, of which --book books those that the ledger does not have. The balances of the statement take part in the check of the account's balances. Exit status 2 if statement and ledger differ afterwards.
                """)
        @OptionGroup var source: StatementSource
        @Flag(help: "Book the lines that are only in the statement.")
        var book = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            var agrees = true
            try options.write { store in
                let (statement, bytes) = try store.read { try source.read(in: $0, options.locations) }
                let result = try store.write { ledger in
                    try StatementService(ledger, by: .terminal).add(
                        statement, of: source.account, bytes: bytes, file: source.name, books: book)
                }
                agrees = result.comparison.agrees
                if options.json { Output.line(result.json.text) } else { result.show() }
            }
            if !agrees { throw Exit.differs }
        }
    }

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show the stored statements, the latest period first, and those in mails that wait.")
        @Option(help: "Only of the account with this number.")
        var account: Int64?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                options.show(try store.statements.all(of: account), as: .statements)
                let waiting = try store.statements.files().filter {
                    $0.state.isOpen && (account == nil || $0.account == account)
                }
                guard !waiting.isEmpty else { return }
                if !options.json { Output.line("\nIn mails, see 'parserctl statement read':") }
                options.show(waiting, as: .mailedStatements)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a stored statement beside the ledger as it is now.")
        @Argument(help: "Its number, see 'parserctl statement list'.")
        var id: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let result = try store.read { ledger in
                    let content = try ledger.statements.content(of: id)
                    return StatementResult(
                        row: content.row, comparison: try StatementComparison(content, in: ledger))
                }
                if options.json { Output.line(result.json.text) } else { result.show() }
            }
        }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Delete a stored statement and the transactions that it booked.",
            discussion: "A transaction that a person has changed since stays. The file can be imported again.")
        @Argument(help: "Its number, see 'parserctl statement list'.")
        var id: Int64
        @Flag(help: "Do not ask if the statement is reconciled.")
        var yes = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let row = try store.statements.content(of: id).row
                if row.reconciledAt != nil, !yes {
                    let question =
                        "Statement \(id) of \(row.period.first) to \(row.period.last) is reconciled. Delete it?"
                    guard try options.confirm(question, unattended: "statement \(id) is reconciled") else { return }
                }
                let (deleted, kept) = try store.statements.undo(id, by: .terminal, confirmsReconciled: true)
                let object = JSON.object([
                    ("id", .integer(id)), ("deleted", .array(deleted.map(JSON.integer))),
                    ("kept", .array(kept.map(JSON.integer))),
                ])
                let rest = kept.isEmpty ? "" : "; \(kept.count) stay, because they were changed or linked since"
                options.show(object, "statement \(id) deleted with \(deleted.count) booked transactions\(rest)")
            }
        }
    }
}

/// A statement's file and its account.
struct StatementSource: ParsableArguments {
    @Argument(help: "The file.", completion: .file())
    var file: String
    @Option(help: "The number of the account, see 'parserctl account list'.")
    var account: Int64
    @Option(help: "The file whose first line is the password of an encrypted PDF. Default: ask.")
    var passwordFile: String?
    @Option(help: "The file is a list of payments: paytm, phonepe, googlepay, or one of 'parserctl statement columns'.")
    var payments: String?

    /// The file's name without its folders.
    var name: String { file.split(separator: "/").last.map(String.init) ?? file }

    func read(in ledger: some ReadScope, _ locations: Locations) throws -> (statement: BankStatement, bytes: [UInt8]) {
        guard let row = try ledger.userAccounts.all(merged: true).first(where: { $0.id == account }) else {
            throw Refused("there is no account \(account): see 'parserctl account list'")
        }
        // Read whole and with a limit, as every other file of a person.
        let bytes = try YAMLFile(path: file).bytes
        let folders = try locations.profileFolders()
        let reader = try StatementReader(profiles: folders)
        let list = try payments.map { try mapping($0, in: ledger, folders) }
        var passwords = try passwordFile.map { [try StatementSource.password(in: $0)] } ?? known(row, locations)
        var password: String?
        while true {
            do throws(StatementReadingError) {
                let statement = try reader.read(
                    bytes, currency: row.currency, banks: row.numbers.map(\.profile), password: password, list: list)
                return (statement, bytes)
            } catch {
                guard error == .needsPassword || error == .wrongPassword && password != nil else {
                    throw Refused("\(file): \(error)\n\(error.remedy)")
                }
                if !passwords.isEmpty {
                    password = passwords.removeFirst()
                } else if error == .needsPassword, isatty(STDIN_FILENO) == 1 {
                    password = try HiddenInput.line("Password of the PDF: ")
                } else {
                    throw Refused("\(file): \(error)\n\(error.remedy)")
                }
            }
        }
    }

    static func password(in file: String) throws -> String {
        String(decoding: try SecretFile(.password, name: SetupPlace.absolute(file), folder: "/").read(), as: UTF8.self)
    }

    /// The passwords that the configuration names for the account. One that this user cannot read is left out.
    private func known(_ account: UserAccountRow, _ locations: Locations) -> [String] {
        guard let entries = (try? locations.settings())?.statements else { return [] }
        let banks = Dictionary(grouping: account.numbers, by: \.profile)
        return banks.sorted { $0.key < $1.key }.flatMap { bank, numbers in
            entries.passwords(bank: bank, numbers: numbers.map(\.digits)).passwords
        }
    }

    private func mapping(
        _ name: String, in ledger: some ReadScope, _ folders: [String]
    ) throws -> PaymentColumns {
        let choices = PaymentColumns.choices(
            try StatementReader.paymentLists(profiles: folders), try ledger.statements.mappings())
        guard let found = choices.first(where: { $0.name == name }) else {
            let names = choices.map(\.name).joined(separator: ", ")
            throw Refused("there is no list of payments '\(name)'; known: \(names)")
        }
        return found
    }
}
