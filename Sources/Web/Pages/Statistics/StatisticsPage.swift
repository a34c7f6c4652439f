import Chronology
import Hummingbird
import Ledger
import Store

/// Income, spending and savings over time, by category, account, payee and tag, by day, and the net worth.
enum StatisticsPage {
    static let path = "/app/statistics"

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/statistics", on: router) { call in
            let scope = Scope(call.query, today: pages.today)
            return try await pages.show(.statistics, call) { ledger in
                try StatisticsView(scope, StatisticsContent(scope, in: ledger))
            }
        }
    }

    /// A part of the page. Each is one pass over the rows of the period, and below 60 kB.
    enum Part: String, Sendable, CaseIterable {
        case time, days, groups, worth

        var title: String {
            switch self {
            case .time: PageText.of("statistics.part-time")
            case .days: PageText.of("statistics.part-days")
            case .groups: PageText.of("statistics.part-groups")
            case .worth: PageText.of("statistics.part-worth")
            }
        }
    }

    /// The choices of a person, as the address has them.
    struct Scope: Sendable {
        var query: FormFields
        var choice: PeriodChoice
        var period: ReportingPeriod
        var part = Part.time
        /// `nil` for the currency with the most transactions.
        var currency: Currency?
        var category: String?
        var payee: Int64?
        var account: Int64?
        var problems: [String]

        init(_ query: FormFields, today: CalendarDate) {
            self.query = query
            choice = PeriodChoice(query, today: today)
            period = choice.period ?? .months(12, through: today)
            problems = choice.problems
            currency = query.currency(&problems)
            category = query.text("category").map { String($0.prefix(200)) }
            payee = number("payee", "statistics.no-payee-number")
            account = number("account", "statistics.no-account-number")
            if let word = query.text("part") {
                if let found = Part(rawValue: word) {
                    part = found
                } else {
                    problems.append(
                        PageText.of("statistics.no-part", ["text": "\(word.prefix(40))"]))
                }
            }
        }

        private mutating func number(_ name: String, _ problem: String) -> Int64? {
            guard let text = query.text(name) else { return nil }
            if let number = Int64(text), number > 0 { return number }
            problems.append(PageText.of(problem, ["text": "\(text.prefix(40))"]))
            return nil
        }

        /// The filter as a query of rows, to find names that nothing has.
        var named: TransactionQuery {
            var query = TransactionQuery()
            (query.category, query.payeeID, query.userAccountID) = (category, payee, account)
            return query
        }

        var filter: Statistics.Filter { Statistics.Filter(account: account, category: category, payee: payee) }
        var isFiltered: Bool { filter != .all }

        /// At most 18 steps: a stack of seven categories for each is 30 kB.
        var step: Statistics.Step { Statistics.Step(of: period.days, atMost: 18) }
    }
}

/// The figures of one part of the statistics.
struct StatisticsContent: Sendable {
    var totals: [Statistics.Totals]
    var currency: Currency
    var before: Statistics.Totals?
    var cycles: [StatementCycle]
    var categories: [CategoryRow]
    /// The name of the payee or the account that is chosen.
    var filterName: String?
    /// What the filter names and nothing in the ledger has.
    var unknown: [UnknownName]
    var sums: PeriodSums?
    /// Of the filter, or of each day.
    var buckets: [Statistics.Bucket] = []
    var accounts: [Statistics.Group] = []
    var payees: [Statistics.PayeeSum] = []
    var tags: [Statistics.TagSum] = []
    var worth: [NetWorth] = []

    init(_ scope: StatisticsPage.Scope, in ledger: Snapshot) throws {
        let (days, filter) = (scope.period.days, scope.filter)
        categories = try ledger.categories.all()
        cycles = try ledger.statistics.statementCycles()
        if scope.part == .time, !scope.isFiltered {
            var sums = try ledger.statistics.sums(of: days, in: scope.currency, by: scope.step)
            if scope.step == .year { sums.dropEmptyYears() }
            (self.sums, totals, currency) = (sums, sums.totals, sums.currency)
        } else {
            let all = try ledger.statistics.totals(of: days, filter)
            totals = all
            currency =
                scope.currency.flatMap { wanted in all.contains { $0.currency == wanted } ? wanted : nil }
                ?? all.first?.currency ?? scope.currency ?? .inr
        }
        unknown = try ledger.transactions.unknownNames(in: scope.named, banks: [])
        filterName =
            try scope.payee.map { try ledger.payees.find($0)?.name ?? PageText.of("statistics.payee", ["id": "\($0)"]) }
            ?? scope.account.map {
                try ledger.userAccounts.find($0)?.name ?? PageText.of("statistics.account", ["id": "\($0)"])
            }
        switch scope.part {
        case .time:
            if scope.isFiltered {
                buckets = try ledger.statistics.spendOverTime(of: days, in: currency, by: scope.step, filter)
                if scope.step == .year { buckets = Array(buckets[Statistics.Bucket.occupied(buckets)]) }
            }
            let (unit, period, today) = (currency, scope.period, scope.choice.today)
            before = try scope.choice.other(than: period).flatMap { other in
                try ledger.statistics.covered(period.comparable(other, on: today), in: unit, filter)
            }
        case .days:
            buckets = try ledger.statistics.spendOverTime(
                of: HeatMap.days(of: scope.period, on: scope.choice.today), in: currency, by: .day, filter)
        case .groups:
            accounts = try ledger.statistics.groups(of: days, in: currency, by: .account, filter)
            payees = try ledger.statistics.spendByPayee(of: days, in: currency, limit: 15, filter)
            tags = try ledger.statistics.spendByTag(of: days, in: currency, filter)
        case .worth:
            let elapsed = scope.period.elapsed(on: scope.choice.today)
            let all = try ledger.userAccounts.all()
            if all.contains(where: \.hasBalance), elapsed.days <= 3660 {
                worth = try ledger.userAccounts.netWorth(of: elapsed)
            }
        }
    }
}

extension StatisticsRepository {
    /// The figures of one currency in a range of days; `nil` if the ledger begins within it, so that there is nothing
    /// to compare with.
    func covered(
        _ days: DaySpan, in currency: Currency, _ filter: Statistics.Filter = .all
    ) throws -> Statistics.Totals? {
        guard let first = try firstBookedDay(), first <= days.first else { return nil }
        return try totals(of: days, filter).first { $0.currency == currency } ?? Statistics.Totals(currency: currency)
    }
}
