import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Review
import Store

extension ReviewCommand {
    /// Shows one item in full.
    struct ShowOne: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract:
                "Show one item in full: its mail with the words of each field, its fields, and the reasons why it waits."
        )
        @Argument(help: "The number of a transaction, or the id of its mail.")
        var id: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orReport(id, json: options.json) {
                let service = ReviewService(try options.locations.store())
                let id = ReviewID(id)
                guard let item = try service.item(id), let content = try service.content(id) else {
                    throw Refused("there is no item \(self.id): 'parserctl review list' shows what waits")
                }
                if options.json {
                    guard case .object(let pairs) = item.json else { return }
                    let places = content.spans.sorted {
                        ($0.value.lowerBound, $0.key.rawValue) < ($1.value.lowerBound, $1.key.rawValue)
                    }
                    .map {
                        (
                            $0.key.rawValue,
                            JSON.array([.integer(Int64($0.value.lowerBound)), .integer(Int64($0.value.upperBound))])
                        )
                    }
                    Output.line(
                        JSON.object(
                            pairs + [
                                ("category_why", JSON(content.categoryReason)),
                                ("text", JSON(content.wholeText.map { String(decoding: $0, as: UTF8.self) })),
                                ("spans", .object(places)),
                            ]
                        ).text)
                } else {
                    show(content)
                }
            }
        }

        private func show(_ item: ReviewItemContent) {
            func line(_ title: String, _ value: String?) {
                guard let value, !value.isEmpty else { return }
                Output.line(
                    "  " + title + String(repeating: " ", count: max(1, 12 - title.count)) + Terminal.printable(value))
            }
            Output.line(Terminal.styled(Terminal.printable(item.mail?.subject ?? "transaction \(id)"), .bold))
            line("from", item.mail?.fromAddress)
            line("received", (item.mail?.receivedAt ?? item.mail?.sentAt)?.description)
            if let row = item.draft {
                line("amount", row.amount.description)
                line("merchant", row.vendor)
                line("date", row.date.description + (row.time.map { " \($0)" } ?? ""))
                line("account", row.account)
                line(
                    "category",
                    row.category + (row.subcategory.map { " / \($0)" } ?? "")
                        + (item.categoryReason.map { " (\($0))" } ?? ""))
                let type = item.lacksDirection ? "- needed" : row.type.rawValue
                line("type", type + (row.channel.map { " by \($0.rawValue)" } ?? ""))
                line("reference", row.reference)
                line("vpa", row.vpa)
                line("balance", row.balance?.description)
                line("status", row.status.rawValue)
            } else {
                line("draft", "none: nothing could be read")
            }
            line("confidence", "\((item.confidence * 1000).rounded() / 1000)")
            for reason in item.reasons {
                Output.line("    x \(reason.weight)  \(reason.name): \(Terminal.printable(reason.note))")
            }
            if let other = item.possibleDuplicate {
                line(
                    "duplicate?",
                    "\(other.id): \(other.date) \(other.time?.description ?? "") \(other.amount) \(other.vendor ?? other.vpa ?? "") [\(other.status.rawValue)]"
                )
            }
            guard let text = item.wholeText else { return Output.line("  the mail is not retained") }
            Output.line("  text")
            for line in MarkedText(text, item.spans).lines(inColour: Terminal.hasColour) {
                Output.line("    | " + line)
            }
        }
    }
}
