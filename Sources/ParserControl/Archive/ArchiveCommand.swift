import ArgumentParser
import Chronology
import Codecs
import Console
import Store

/// The retained bytes of mails.
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "The mails that the ledger retains: their size, copies of them, and their deletion.",
        discussion: """
            What is retained, how long, and how much of it, is set by keep_raw in the configuration. spendwised compresses and deletes once a day.
            """,
        subcommands: [Statistics.self, ExportMails.self, Purge.self, Compress.self],
        defaultSubcommand: Statistics.self)

    struct Statistics: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Show the number and size of the retained mails of each bank.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let banks = try store.archive.statistics()
                let dictionaries = try store.archive.dictionaryBytes()
                options.show(banks, as: .archivedMails)
                let mails = banks.map(\.mails).reduce(0, +)
                guard !options.json, mails > 0 else { return }
                let (kept, stored) = (banks.map(\.kept).reduce(0, +), banks.map(\.stored).reduce(0, +) + dictionaries)
                Output.line(
                    "\n\(mails) mails: \(Size(kept)) in \(Size(stored)), \((stored + Int64(mails) / 2) / Int64(mails)) bytes a mail, with \(Size(dictionaries)) of dictionaries"
                )
            }
        }
    }

    struct Compress: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compress",
            abstract: "Compress the retained mails now.",
            discussion:
                "The ledger file does not shrink: its free pages are used for new rows. A backup that is restored has none."
        )
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let interruption = Interruption()
            try options.write { store in
                let mails = try store.archive.compress(isStopped: { interruption.isRaised })
                options.show(.object([("compressed", JSON(mails))]), "\(mails) mails were compressed")
                if interruption.isRaised { throw Exit.interrupted }
            }
        }
    }

    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge",
            abstract: "Delete the retained bytes of mails.",
            discussion: """
                Transactions and the rows of mails stay, and so do the bytes of mails that wait for review. Without its bytes a mail \
                cannot be shown or decided again.
                """)
        @OptionGroup var selection: ArchiveConditions
        @Flag(help: "Delete without a question.")
        var yes = false
        @OptionGroup var options: LedgerOptions

        func validate() throws {
            if try selection.value().isEmpty {
                throw ValidationError("name the mails: --before, --since, --bank or --mailbox")
            }
        }

        func run() async throws {
            try options.write { store in
                let selected = try selection.value()
                let found = try store.archive.purgeable(selected)
                if found.mails > 0, !yes {
                    let question = "delete the bytes of \(found.mails) mails, \(Size(found.bytes))?"
                    guard try options.confirm(question, unattended: "archive purge deletes mails") else {
                        return Output.line("nothing was deleted")
                    }
                }
                let deleted = found.mails == 0 ? 0 : try store.archive.purge(selected)
                if deleted > 0 { try store.audit.append(.byOperator("retained mails deleted: \(deleted)")) }
                options.show(.object([("deleted", JSON(deleted))]), "the bytes of \(deleted) mails were deleted")
            }
        }
    }
}

/// The options that select retained mails.
struct ArchiveConditions: ParsableArguments {
    @Option(help: ArgumentHelp("Only this bank's mail; the name of its folder of profiles.", valueName: "key"))
    var bank: String?
    @Option(help: "Only mail of this mailbox.")
    var mailbox: String?
    @Option(help: "Only mail that arrived on this day or later, yyyy-mm-dd.")
    var since: String?
    @Option(help: "Only mail that arrived before this day, yyyy-mm-dd.")
    var before: String?

    func value() throws -> ArchiveSelection {
        ArchiveSelection(bank: bank, mailbox: mailbox, since: try day(since), before: try day(before))
    }
}

extension RowFormat where Row == ArchivedMails {
    fileprivate static var archivedMails: RowFormat {
        RowFormat(
            empty: "no mail is retained",
            object: { row in
                .object([
                    ("bank", JSON(row.bank)), ("mails", JSON(row.mails)), ("received_bytes", .integer(row.received)),
                    ("kept_bytes", .integer(row.kept)), ("stored_bytes", .integer(row.stored)),
                    ("compressed", JSON(row.compressed)), ("oldest", JSON(describing: row.oldest)),
                ])
            },
            columns: [
                .left("bank") { $0.bank ?? "others" }, .right("mails") { "\($0.mails)" },
                .right("received") { "\(Size($0.received))" }, .right("kept") { "\(Size($0.kept))" },
                .right("stored") { "\(Size($0.stored))" }, .right("compressed") { "\($0.compressed)" },
                .left("oldest") { $0.oldest.map { "\($0.day())" } ?? "" },
            ])
    }
}
