import ArgumentParser
import Codecs
import Console
import Glibc
import Ledger
import Review
import Settings
import Statements
import Store

extension StatementCommand {
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "read",
            abstract: "Read a statement that a bank attached to a mail and that waits for its password or account.",
            discussion: """
                The daemon reads it by itself if the configuration names its password under 'statements:'. Nothing is booked. Exit status 1 if it cannot be read.
                """)
        @Argument(help: "Its number, see 'parserctl statement list'.")
        var id: Int64
        @Option(help: "The number of its account, if the mail does not name it.")
        var account: Int64?
        @Option(help: "The file whose first line is the password. Default: the configuration's, or ask.")
        var passwordFile: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            var isRead = false
            try options.write { store in
                let reader = try StatementReader(profiles: options.locations.profileFolders())
                let statements = MailedStatements(store, reader, by: .terminal)
                var file = try statements.read(
                    id, passwords: try passwords(try store.statements.file(id)), account: account)
                if file.state == .needsPassword, passwordFile == nil, isatty(STDIN_FILENO) == 1 {
                    let password = try HiddenInput.line("Password of the statement: ")
                    file = try statements.read(id, passwords: [password], account: account)
                }
                isRead = file.state == .read
                let reason = file.reason.map { ": \($0)" } ?? ""
                let done = file.statement.map { "read as statement \($0)" } ?? "\(file.state.sentence)\(reason)"
                options.show(
                    RowFormat<StatementFile>.mailedStatements.object(file),
                    "the statement of mail \(file.mailID) \(done)")
            }
            if !isRead { throw ExitCode(1) }
        }

        private func passwords(_ file: StatementFile) throws -> [String] {
            if let passwordFile { return [try StatementSource.password(in: passwordFile)] }
            let known = try options.locations.settings()?.statements ?? []
            return known.passwords(bank: file.profile, numbers: file.accountNumbers).passwords
        }
    }

    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard",
            abstract: "Delete the bytes of a statement of a mail that is not wanted. The mail stays.")
        @Argument(help: "Its number, see 'parserctl statement list'.")
        var id: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                try store.statements.discard(file: id)
                options.show(.object([("mailed", .integer(id))]), "the statement of a mail \(id) is discarded")
            }
        }
    }
}

extension RowFormat where Row == StatementFile {
    static var mailedStatements: RowFormat {
        RowFormat(
            empty: "no statement of a mail waits",
            object: { file in
                .object([
                    ("mailed", .integer(file.id)), ("bank", .string(file.profile)),
                    ("account", file.account.map(JSON.integer) ?? .null),
                    ("account_digits", JSON(file.accountDigits)), ("file", JSON(file.name)),
                    ("state", .string(file.state.rawValue)), ("reason", JSON(file.reason)),
                    ("statement", file.statement.map(JSON.integer) ?? .null), ("mail", .string(file.mailID)),
                ])
            },
            columns: [
                .right("ID") { "\($0.id)" }, .left("BANK") { $0.profile },
                .right("ACCOUNT") { $0.account.map { "\($0)" } ?? "" },
                .left("STATE") { $0.state.sentence }, .left("FILE") { Terminal.printable($0.name ?? "") },
            ])
    }
}
