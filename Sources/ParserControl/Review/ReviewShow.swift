import ArgumentParser
import InternetMessage
import JSONText
import Ledger
import Store

extension Review {
    /// One item in full, as the screen shows it.
    struct ShowOne: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one item in full: its mail with the words of each field, its fields, and why it waits.")
        @Argument(help: "The number of a transaction, or the id of its mail.")
        var id: String
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orTell(id, json: json) {
                let store = try locations.store()
                guard let item = try store.reviewItem(ReviewID(id)) else {
                    throw Refused(description: "there is no item \(id): 'parserctl review list' shows what waits")
                }
                let text = try item.mail.flatMap { mail in try store.raw(ofMail: mail.id) }.map {
                    Message(parsing: $0).text.bytes
                }
                let spans = try store.spans(in: item.transaction?.provenance ?? item.mail?.provenance)
                let why = item.transaction?.categoryWhy
                if json {
                    guard case .object(let pairs) = item.json else { return }
                    let places = spans.sorted {
                        ($0.value.lowerBound, $0.key.rawValue) < ($1.value.lowerBound, $1.key.rawValue)
                    }
                    .map {
                        (
                            $0.key.rawValue,
                            JSON.array([.integer(Int64($0.value.lowerBound)), .integer(Int64($0.value.upperBound))])
                        )
                    }
                    print(
                        JSON.object(
                            pairs + [
                                ("category_why", JSON(why)),
                                ("text", JSON(text.map { String(decoding: $0, as: UTF8.self) })),
                                ("spans", .object(places)),
                            ]
                        ).text)
                } else {
                    show(item, text, spans, why)
                }
            }
        }

        private func show(_ item: ReviewItem, _ text: [UInt8]?, _ spans: [Field: Range<Int>], _ why: String?) {
            func line(_ title: String, _ value: String?) {
                guard let value, !value.isEmpty else { return }
                print(
                    "  " + title + String(repeating: " ", count: max(1, 12 - title.count)) + Terminal.printable(value))
            }
            print(Terminal.styled(Terminal.printable(item.mail?.subject ?? "transaction \(id)"), .bold))
            line("from", item.mail?.fromAddress)
            line("received", item.mail?.receivedAt ?? item.mail?.sentAt)
            if let row = item.transaction {
                line("amount", row.amount.description)
                line("merchant", row.vendor)
                line("date", row.date + (row.time.map { " " + $0 } ?? ""))
                line("account", row.account)
                line(
                    "category",
                    row.category + (row.subcategory.map { " / \($0)" } ?? "") + (why.map { " (\($0))" } ?? ""))
                line("type", row.type.rawValue + (row.channel.map { " by \($0.rawValue)" } ?? ""))
                line("reference", row.reference)
                line("vpa", row.vpa)
                line("balance", row.balance?.description)
                line("status", row.status.rawValue)
            } else {
                line("draft", "none: nothing could be read")
            }
            line("confidence", "\((item.confidence * 1000).rounded() / 1000)")
            for reason in item.reasons {
                print("    x \(reason.weight)  \(reason.name): \(Terminal.printable(reason.note))")
            }
            if let other = item.possibleDuplicate {
                line(
                    "beside it",
                    "\(other.id): \(other.date) \(other.time ?? "") \(other.amount) \(other.vendor ?? other.vpa ?? "") [\(other.status.rawValue)]"
                )
            }
            guard let text else { return print("  the mail is not kept") }
            print("  text")
            for line in MarkedText(text, spans).lines(inColour: Terminal.hasColour) { print("    | " + line) }
        }
    }
}
