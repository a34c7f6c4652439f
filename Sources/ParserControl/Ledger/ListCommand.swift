import ArgumentParser
import Codecs
import Glibc
import Ledger
import Store

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show transactions, the newest first; with --follow, each new one as it is booked.")

    @Option(help: "The maximum number of rows.")
    var limit = 50
    @Option(help: "First day, yyyy-mm-dd.")
    var since: String?
    @Option(help: "confirmed, needs_review, rejected or all.")
    var status = "all"
    @Flag(help: "Then show new transactions until interrupted.")
    var follow = false
    @Flag(help: "One JSON object a line.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        var filter = TransactionFilter(since: try day(since), statuses: try statuses(status), newestFirst: true)
        try orExit {
            let store = try locations.store()
            var rows: [TransactionRow] = []
            try store.transactions.each(filter) {
                if rows.count < limit { rows.append($0) }
                filter.after = max(filter.after, $0.id)
                return follow || rows.count < limit
            }
            show(rows)
            guard follow else { return }
            while true {
                // Polling the database takes microseconds, and the two processes share nothing else.
                usleep(100_000)
                var new: [TransactionRow] = []
                try store.transactions.each(filter) {
                    new.append($0)
                    return true
                }
                guard !new.isEmpty else { continue }
                filter.after = max(filter.after, new.lazy.map(\.id).max() ?? 0)
                show(new, headed: false)
            }
        }
    }

    private func show(_ rows: [TransactionRow], headed: Bool = true) {
        if json { return rows.forEach { Output.line($0.json.text) } }
        if rows.isEmpty { return Output.line("no transactions") }
        var table = Table([
            ("id", .right), ("date", .left), ("time", .left), ("amount", .right), ("", .left), ("merchant", .left),
            ("category", .left), ("account", .left), ("via", .left), ("status", .left),
        ])
        for row in rows {
            let sign = row.type == .income ? "+" : row.type == .expense ? "-" : ""
            table.add([
                "\(row.id)", row.date, row.time.map { String($0.prefix(5)) } ?? "", sign + row.amount.decimal,
                row.amount.currency.code, row.vendor ?? row.vpa ?? "",
                row.category + (row.subcategory.map { " / \($0)" } ?? ""),
                [row.profile, row.accountDigits].compactMap { $0 }.joined(separator: " "),
                row.channel?.rawValue ?? "", row.status.rawValue,
            ])
        }
        table.print(headed: headed)
    }
}

struct Mails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the outcomes of mails that made no transaction, with the reasons.")

    @Option(
        help:
            "recorded, review, duplicate, ignored, unclaimed, quarantined or failed; may be given several times. Default: all but recorded and unclaimed."
    )
    var outcome: [String] = []
    @Option(help: "The maximum number of rows.")
    var limit = 100
    @Flag(help: "One JSON object a line.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        var outcomes: Set<Outcome> = [.review, .duplicate, .ignored, .quarantined, .failed]
        if !outcome.isEmpty {
            outcomes = Set(
                try outcome.map {
                    guard let value = Outcome(rawValue: $0) else {
                        throw ValidationError(
                            "unknown outcome '\($0)': use \(Outcome.allCases.map(\.rawValue).joined(separator: ", "))")
                    }
                    return value
                })
        }
        try orExit {
            let mails = try locations.store().mails.latest(outcomes, limit: limit)
            if json { return mails.forEach { Output.line($0.json.text) } }
            if mails.isEmpty { return Output.line("no mails") }
            var table = Table([
                ("received", .left), ("outcome", .left), ("template", .left), ("from", .left), ("subject", .left),
                ("why", .left),
            ])
            for mail in mails {
                table.add([
                    mail.receivedAt.map { String($0.prefix(16)) } ?? "", mail.outcome.rawValue, mail.template ?? "",
                    mail.fromAddress ?? "", mail.subject ?? "",
                    mail.reason ?? "",
                ])
            }
            table.print()
        }
    }
}

extension MailRow {
    var json: JSON {
        .object([
            ("id", .string(id)), ("mailbox", .string(mailbox)), ("folder", .string(folder)),
            ("uid_validity", .integer(Int64(uidValidity))), ("uid", .integer(Int64(uid))),
            ("message_id", JSON(messageID)), ("from", JSON(fromAddress)), ("subject", JSON(subject)),
            ("sent_at", JSON(sentAt)), ("received_at", JSON(receivedAt)),
            ("processed_at", .string(processedAt)), ("outcome", .string(outcome.rawValue)), ("reason", JSON(reason)),
            ("profile", JSON(profile)),
            ("template", JSON(template)), ("duplicate_of", JSON(duplicateOf)), ("transaction_id", JSON(transactionID)),
            ("attempts", JSON(attempts)), ("shape", JSON(shape)),
        ])
    }
}
