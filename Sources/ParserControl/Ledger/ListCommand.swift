import ArgumentParser
import Chronology
import Codecs
import Console
import Exports
import Glibc
import Ledger
import Store

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show transactions, the newest first; with --follow, each new one as it is booked.")

    @Option(help: "The maximum number of rows, or all.")
    var limit = RowLimit.rows(50)
    @Option(help: "First day, yyyy-mm-dd.")
    var since: String?
    @Option(help: "A period, such as 2026-10, 2026-W43, 2026-Q3, fy2026 or 2026-10-03..2026-11-02.")
    var period: String?
    @Option(help: "confirmed, needs_review, rejected or all.")
    var status = "all"
    @Option(help: "Only transactions with this tag.")
    var tag: String?
    /// Unconditional: a search may begin with a hyphen.
    @Option(
        parsing: .unconditional,
        help: "Only transactions that match a search, such as '>5000 last week category:food'.")
    var search: String?
    @Flag(help: "Then show new transactions until interrupted.")
    var follow = false
    @OptionGroup var options: LedgerOptions

    func validate() throws {
        if search != nil, follow { throw ValidationError("--follow shows every new transaction: leave out --search") }
    }

    func run() async throws {
        if period != nil, since != nil { throw ValidationError("use either --period or --since") }
        if let search { return try showFound(search) }
        var filter = TransactionFilter(since: try day(since), statuses: try statuses(status), newestFirst: true)
        filter.tag = tag
        try options.read { store in
            if let days = try days(today: store.today) { (filter.since, filter.until) = (days.first, days.last) }
            var newest: Int64 = 0
            var rows: [TransactionRow] = []
            try store.transactions.each(filter) {
                if rows.count < limit.count { rows.append($0) }
                newest = max(newest, $0.id)
                return follow || rows.count < limit.count
            }
            let isCut = rows.count == limit.count
            options.show(
                try ListedTransaction.all(rows, in: store), as: .transactions,
                more: isCut ? try store.transactions.count(filter) - rows.count : 0)
            if follow { try self.follow(store, filter, after: newest) }
        }
    }

    /// The days of `--period`.
    private func days(today: CalendarDate) throws -> DaySpan? {
        guard let period else { return nil }
        guard let found = ReportingPeriod(period, today: today) else {
            throw ValidationError("'\(period)' is not a period: write \(ReportingPeriod.forms)")
        }
        return found.days
    }

    private func showFound(_ text: String) throws {
        var query = TransactionQuery(limit: min(limit.count, TransactionQuery.maximumLimit))
        (query.since, query.statuses, query.tag) = (try day(since), try statuses(status), tag)
        try options.read { store in
            let search = SearchExpression(text, currency: store.homeCurrency)
            if let problem = search.problems.first { throw ValidationError("--search \(problem.detail)") }
            query.search = search
            if let days = try days(today: store.today) { (query.since, query.until) = (days.first, days.last) }
            try store.read { ledger in
                var rows: [TransactionRow] = []
                var page = try ledger.transactions.page(query)
                rows += page.rows
                while let next = page.next, rows.count < limit.count {
                    query.cursor = next
                    page = try ledger.transactions.page(query)
                    rows += page.rows
                }
                rows = Array(rows.prefix(limit.count))
                options.show(
                    try ListedTransaction.all(rows, in: ledger), as: .transactions, more: page.total - rows.count)
            }
        }
    }

    /// Shows each transaction that is booked after `newest`, until the program is interrupted.
    private func follow(_ store: Store, _ filter: TransactionFilter, after newest: Int64) throws {
        var filter = filter
        filter.after = newest
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
            let listed = try ListedTransaction.all(new, in: store)
            if options.json {
                options.show(listed, as: .transactions)
            } else {
                RowFormat.transactions.table(listed).print(headed: false)
            }
        }
    }
}

/// A transaction with the direction of its money.
struct ListedTransaction {
    var row: TransactionRow
    var flow: TransferLeg.Flow

    static func all(_ rows: [TransactionRow], in ledger: some ReadScope) throws -> [ListedTransaction] {
        let links = try ledger.transfers.links(of: rows.filter { $0.type == .transfer }.map(\.id))
        return rows.map { ListedTransaction(row: $0, flow: $0.flow(linked: links[$0.id]?.flow)) }
    }
}

extension RowFormat where Row == ListedTransaction {
    static var transactions: RowFormat {
        RowFormat(
            empty: "no transactions", object: \.row.json,
            columns: [
                .right("id") { "\($0.row.id)" }, .left("date") { $0.row.date.description },
                .left("time") { $0.row.time?.hoursAndMinutes ?? "" },
                .right("amount") { ($0.flow == .credit ? "+" : "-") + $0.row.amount.decimal },
                .left("") { $0.row.amount.currency.code }, .left("merchant") { $0.row.vendor ?? $0.row.vpa ?? "" },
                .left("category") { $0.row.isSplit ? "split" : $0.row.target },
                .left("account") { [$0.row.profile, $0.row.accountDigits].compactMap { $0 }.joined(separator: " ") },
                .left("tags") { $0.row.tags.joined(separator: " ") }, .left("via") { $0.row.channel?.rawValue ?? "" },
                .left("status") { $0.row.status.rawValue },
            ])
    }
}

struct Mails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mails",
        abstract: "Show the outcomes of mails that made no transaction, with the reasons.")

    @Option(
        help:
            "recorded, review, duplicate, ignored, unclaimed, quarantined or failed; may be given several times. Default: all but recorded and unclaimed."
    )
    var outcome: [String] = []
    @Option(help: "The maximum number of rows, or all.")
    var limit = RowLimit.rows(100)
    @OptionGroup var options: LedgerOptions

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
        try options.read { store in
            let mails = try store.mails.latest(outcomes, limit: limit.count)
            let isCut = mails.count == limit.count
            options.show(mails, as: .mails, more: isCut ? try store.mails.count(outcomes) - mails.count : 0)
        }
    }
}

extension RowFormat where Row == MailRow {
    static var mails: RowFormat {
        RowFormat(
            empty: "no mails", object: \.json,
            columns: [
                .left("received") { $0.receivedAt.map { String($0.description.prefix(16)) } ?? "" },
                .left("outcome") { $0.outcome.rawValue }, .left("template") { $0.template ?? "" },
                .left("from") { $0.fromAddress ?? "" }, .left("subject") { $0.subject ?? "" },
                .left("why") { $0.reason ?? "" },
            ])
    }
}

extension MailRow {
    var json: JSON {
        .object([
            ("id", .string(id)), ("mailbox", .string(mailbox)), ("folder", .string(folder)),
            ("uid_validity", .integer(Int64(uidValidity))), ("uid", .integer(Int64(uid))),
            ("message_id", JSON(messageID)), ("from", JSON(fromAddress)), ("subject", JSON(subject)),
            ("sent_at", JSON(describing: sentAt)), ("received_at", JSON(describing: receivedAt)),
            ("processed_at", JSON(describing: processedAt)), ("outcome", .string(outcome.rawValue)),
            ("reason", JSON(reason)),
            ("profile", JSON(profile)),
            ("template", JSON(template)), ("duplicate_of", JSON(duplicateOf)), ("transaction_id", JSON(transactionID)),
            ("attempts", JSON(attempts)), ("shape", JSON(shape)),
        ])
    }
}
