import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Store

struct FormCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "form",
        abstract: "Forms of mails that no template claims: book those that you always accept unchanged.",
        discussion: """
            A form can be learned after \(LearnedForms.minimum) accepted mails, if none was corrected or rejected. Its mails are booked if they \
            are authentic, every field is read and every word but the values is the same. A correction ends it.
            """, subcommands: [Listing.self, Learn.self, Forget.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the forms with your decisions about their mails.")
        @Option(help: "The maximum number of rows, or all.")
        var limit = RowLimit.rows(100)
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { options.show(try $0.review.forms(limit: limit.count), as: .forms) }
        }
    }

    struct Learn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "learn", abstract: "Book mails of a form from now on. 'parserctl review undo' reverts it.")
        @Argument(help: "The form as the list shows it.")
        var form: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { options.show(try $0.review.learn(form, by: .terminal).form) }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Let mails of a form wait for review again; what is booked stays.")
        @Argument(help: "The form as the list shows it.")
        var form: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { options.show(try $0.review.forget(form, by: .terminal).form) }
        }
    }
}

extension LedgerOptions {
    fileprivate func show(_ form: MailForm) { show([form], as: .forms) }
}

extension MailForm {
    fileprivate var state: String { isLearned ? isReliable ? "booked" : "stopped" : isReliable ? "reliable" : "" }
}

extension RowFormat where Row == MailForm {
    fileprivate static var forms: RowFormat {
        RowFormat(
            empty: "no mails without a template that have a draft",
            object: {
                .object([
                    ("form", .string($0.id)), ("accepted", JSON($0.accepted)), ("corrected", JSON($0.corrected)),
                    ("rejected", JSON($0.rejected)), ("waiting", JSON($0.waiting)), ("booked", JSON($0.booked)),
                    ("right_from", .number($0.right.interval.lowerBound)), ("is_reliable", .bool($0.isReliable)),
                    ("is_learned", .bool($0.isLearned)), ("example", .string($0.example)),
                    ("last_date", .string($0.lastDay.description)), ("subject", JSON($0.subject)),
                ])
            },
            columns: [
                .left("form") { $0.id }, .right("accepted") { "\($0.accepted)" },
                .right("corrected") { "\($0.corrected)" }, .right("rejected") { "\($0.rejected)" },
                .right("waiting") { "\($0.waiting)" }, .right("booked") { "\($0.booked)" },
                .right("right at least") { Calibrate.percent($0.right.interval.lowerBound) }, .left("") { $0.state },
                .left("last") { $0.lastDay.description },
                .left("subject") { Terminal.printable(String(($0.subject ?? "").prefix(60))) },
            ])
    }
}
