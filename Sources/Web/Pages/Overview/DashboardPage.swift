import HTTPTypes
import Hummingbird
import Ledger
import Logging
import Store

/// `/`: where the money went.
enum DashboardPage {
    /// A browser gets the page; programs get what the program is, as they always did.
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        router.get("/") { request, context -> Response in
            guard request.wantsPage else {
                return try WebApplication.About(version: pages.services.version).response(
                    from: request, context: context)
            }
            return try await pages.dashboard(
                PageCall(
                    request: request, context: context, query: FormFields(query: request.uri.query),
                    form: FormFields([])))
        }
    }

    /// Everything that the page shows, read in one visit to the ledger's thread.
    struct Sums: Sendable {
        var totals: [Statistics.Totals]
        var before: Statistics.Totals?
        var currency: Currency
        var categories: [Statistics.CategorySum]
        var buckets: [Statistics.Bucket]
        var merchants: [Statistics.MerchantSum]
        var colors: [String: String]
        var waiting: [ReviewLine]
        var waitingTotal: Int
        /// Possible transfers that a person is asked about.
        var questions: Int
        var health: [String]
        var isEmpty: Bool
    }

    static func sums(
        _ store: Store, span: DaySpan, step: Statistics.Step, currency wanted: Currency?, mailboxes: [String]
    ) throws -> Sums {
        let sums = try store.statistics.sums(of: span, in: wanted, by: step)
        let currency = sums.currency
        let (lines, waiting) = try store.review.lines(limit: 3)
        let figures = try store.monitoring.snapshot()
        // A period that the ledger knows the end of only is nothing to compare with.
        let isKnown = try store.statistics.firstBookedDay().map { $0 <= span.before.first } ?? false
        return Sums(
            totals: sums.totals,
            before: isKnown ? try store.statistics.totals(of: span.before).first { $0.currency == currency } : nil,
            currency: currency,
            categories: sums.categories, buckets: sums.buckets,
            merchants: try store.statistics.topMerchants(of: span, in: currency), colors: try store.categories.colors(),
            waiting: lines, waitingTotal: waiting, questions: try store.transfers.proposalCount(),
            health: HealthReport(figures, configured: mailboxes).reasons,
            isEmpty: figures.status.transactions.values.reduce(0, +) == 0)
    }
}

extension Pages {
    fileprivate func dashboard(_ call: PageCall) async throws -> Response {
        let period = call.query["period"].flatMap(Period.init) ?? .month
        let span = DaySpan(days: period.days, through: today)
        let wanted = call.query["currency"].flatMap { Currency(code: $0) }
        let sums: DashboardPage.Sums
        do {
            sums = try await services.ledger { [mailboxes = services.mailboxes] in
                try DashboardPage.sums($0, span: span, step: period.step, currency: wanted, mailboxes: mailboxes)
            }
        } catch {
            services.logger.error("the ledger cannot be read", metadata: ["reason": "\(error)"])
            return try await message(
                call, status: .serviceUnavailable, title: "The ledger cannot be read",
                lines: ["The log of spendwised says why."])
        }
        return await show("dashboard", DashboardView(sums, period, span), call, title: "Overview", section: .dashboard)
    }
}
