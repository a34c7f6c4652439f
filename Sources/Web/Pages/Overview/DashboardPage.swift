import Chronology
import HTTPTypes
import Hummingbird
import Ledger
import Logging
import Review
import Store

/// `/`: the overview of a period.
enum DashboardPage {
    /// Browsers get the page; programs get the program's name and version.
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        router.get("/") { request, context -> Response in
            guard request.wantsPage else {
                return try WebApplication.About(version: pages.services.version).response(
                    from: request, context: context)
            }
            let call = PageCall(
                request: request, context: context, query: FormFields(query: request.uri.query), form: FormFields([]))
            return try await pages.answer(call) { try await pages.dashboard($0) }
        }
    }

    /// The period and the currency that the overview shows.
    struct Scope: Sendable {
        var query: FormFields
        var choice: PeriodChoice
        var period: ReportingPeriod
        /// `nil` for the currency with the most transactions.
        var currency: Currency?
        /// Values that are invalid, as sentences.
        var problems: [String]

        init(_ query: FormFields, today: CalendarDate) {
            self.query = query
            choice = PeriodChoice(query, today: today)
            period = choice.period ?? .recent(.month, through: today)
            problems = choice.problems
            currency = query.currency(&problems)
        }

        var days: DaySpan { period.days }
        var step: Statistics.Step { Statistics.Step(of: days, atMost: 31) }
    }

    /// The data of the overview.
    struct Sums: Sendable {
        var totals: [Statistics.Totals]
        /// The same days of the period that this one is compared with; `nil` if the ledger does not cover them.
        var before: Statistics.Totals?
        var currency: Currency
        var categories: [Statistics.CategorySum]
        var buckets: [Statistics.Bucket]
        var merchants: [Statistics.MerchantSum]
        var colors: [String: String]
        var cycles: [StatementCycle]
        var waiting: [ReviewLine]
        var waitingTotal: Int
        /// Proposed transfers and other links.
        var questions: Int
        /// Statements of mails that wait for a password or an account, or that have to be imported by hand.
        var statements: [StatementFile]
        /// Templates that are used since a person asked for it on the page, which no one acknowledged yet.
        var activations: [TemplateActivation]
        var health: [String]
        /// The signs of changed mails that are not hidden.
        var alarms: [NotedAlarm]
        /// The state of today; `nil` for a period that is over.
        var standing: Standing?
        var isEmpty: Bool

        init(_ scope: Scope, mailboxes: [String], in ledger: Snapshot) throws {
            var sums = try ledger.statistics.sums(of: scope.days, in: scope.currency, by: scope.step)
            if scope.step == .year { sums.dropEmptyYears() }
            let snapshot = try ledger.monitoring.snapshot()
            let currency = sums.currency
            self.currency = currency
            totals = sums.totals
            categories = sums.categories
            buckets = sums.buckets
            before = try scope.choice.other(than: scope.period).flatMap { other in
                try ledger.statistics.covered(
                    scope.period.comparable(other, on: scope.choice.today), in: currency)
            }
            cycles = try ledger.statistics.statementCycles()
            merchants = try ledger.statistics.topMerchants(of: scope.days, in: currency)
            colors = try ledger.categories.colors()
            (waiting, waitingTotal) = try ledger.review.lines(limit: 3)
            questions = try ledger.transfers.proposalCount() + ledger.eventLinks.proposalCount()
            statements = try ledger.statements.files(in: [.needsPassword, .needsAccount, .refused])
            activations = try ledger.templateActivations.active().filter { $0.seenAt == nil }
            health =
                try ReviewService(ledger).quarantineRuns().map(HealthText.sentence)
                + HealthText.sentences(HealthReport(snapshot, configured: mailboxes))
            alarms = try ledger.monitoring.noted(snapshot.drift).filter(\.isShown)
            standing = scope.days.contains(scope.choice.today) ? try ledger.userAccounts.standing() : nil
            isEmpty = snapshot.status.transactions.values.reduce(0, +) == 0
        }
    }
}

extension Pages {
    fileprivate func dashboard(_ call: PageCall) async throws -> Response {
        let scope = DashboardPage.Scope(call.query, today: today)
        do {
            return try await show(.dashboard, call) { [services] ledger in
                let mailboxes = try services.mailboxNames(in: ledger)
                let sums = try DashboardPage.Sums(scope, mailboxes: mailboxes, in: ledger)
                var view = DashboardView(sums, scope, zone: ledger.timeZone)
                view.alarm = sums.alarms.first.map { first in
                    let bank = services.profiles().name(of: first.alarm.bank)
                    return DashboardView.Alarm(
                        AlarmView(first, bank: bank, back: "/", zone: ledger.timeZone), others: sums.alarms.count - 1)
                }
                return view
            }
        } catch {
            services.logger.error("the ledger cannot be read", metadata: ["reason": "\(error)"])
            return try await message(
                call, status: .serviceUnavailable, title: PageText.of("problem.unreadable"),
                lines: [PageText.of("problem.log")])
        }
    }
}
