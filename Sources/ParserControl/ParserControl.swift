public import ArgumentParser
import Settings

/// `parserctl`: the tool for people. Proves profiles, explains a mail, reviews, exports.
public struct ParserControl: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "parserctl",
        abstract:
            "Set up a mailbox, prove the profiles, explain a mail, import archives, review and export the ledger.",
        version: ProgramVersion.text,
        subcommands: [
            Test.self, Explain.self, Lint.self, New.self, Redact.self, List.self, Mails.self, ReviewCommand.self,
            Export.self,
            Status.self, DriftCommand.self, Calibrate.self, FormCommand.self, Benchmark.self,
            Setup.self, Login.self, Import.self, Rescan.self, ReplayMails.self, Retry.self, CategoryCommand.self,
            MappingCommand.self,
            UserAccountCommand.self, StatementCommand.self, ExchangeRateCommand.self, TransferCommand.self,
            LinkCommand.self,
            BudgetCommand.self,
            DueCommand.self, RecurringCommand.self, TagCommand.self, PayeeCommand.self, SplitCommand.self,
            SenderCommand.self, NotifyCommand.self, TokenCommand.self,
            UserCommand.self,
            PassphraseCommand.self, Pair.self, Audit.self, ArchiveCommand.self, BackupCommand.self, Restore.self,
            Salvage.self,
        ])

    public init() {}
}

/// Exit statuses that scripts rely on.
enum Exit {
    /// Something could not be loaded, done or written, or the command was refused.
    static let failed = ExitCode(1)
    static let differs = ExitCode(2)
    static let nothingTested = ExitCode(3)
    static let interrupted = ExitCode(130)
}
