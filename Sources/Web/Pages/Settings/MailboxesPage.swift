import Access
import Chronology
import Hummingbird
import Ledger
import OAuth
import Review
import Store

/// The state of the mailboxes and sinks, the outcomes of mails, and imported archives.
enum MailboxesPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/mailboxes", on: router) { call in
            try await pages.show(.mailboxes, call) {
                [services = pages.services, identity = call.context.identity] ledger in
                var view = try MailboxesView(
                    in: ledger, configured: try services.mailboxNames(in: ledger),
                    mayAdd: identity.scopes.allow(.admin))
                view.takesMails = services.recordMails != nil
                return view
            }
        }
    }
}

struct MailboxesView: Sendable {
    struct Box: Sendable {
        var name: String
        var state: String
        /// `good`, `bad` or `off`.
        var level: String
        var reason: String?
        var facts: [String]
        var folders: [Folder]
        /// The page that asks before the mailbox is removed; `nil` for one of the configuration.
        var removal: String?
        /// The page that asks for a new consent; `nil` without OAuth, and for one of the configuration.
        var renewal: String?
    }

    /// A mailbox that is being added.
    struct Setup: Sendable {
        var name: String
        var path: String
    }

    /// A mailbox without a report so far.
    struct Missing: Sendable {
        var name: String
        /// Why a mailbox that was added on the page is not read.
        var problem: String?
        var removal: String?
    }

    struct Folder: Sendable {
        var name: String
        var counts: String
        var last: String?
    }

    /// The number of mails with one outcome, and the list of them.
    struct Count: Sendable {
        var title: String
        var path: String

        init(_ outcome: Outcome, _ mails: Int) {
            title = outcome.counted(mails)
            path = "/app/mails?outcome=\(outcome.rawValue)"
        }
    }

    struct Problem: Sendable {
        var title: String
        var reason: String
        var date: String
        /// The page of the mail; `nil` for an archive.
        var path: String?
    }

    private static let problems = 20

    var reasons: [String]
    var boxes: [Box]
    var missing: [Missing]
    /// True for a person who may add one.
    var mayAdd: Bool
    /// True if mails can be uploaded.
    var takesMails = false
    var setups: [Setup] = []
    var isEmpty: Bool
    var outcomes: [Count]
    var failed: [Problem]
    var quarantined: [Problem]
    var imports: [Problem]
    var sinks: [Box]

    init(in ledger: Snapshot, configured: [String], mayAdd: Bool) throws {
        self.mayAdd = mayAdd
        let added = try ledger.mailboxSetups.added()
        let canChange = try mayAdd && ledger.mailboxSetups.sealingKey() != nil
        func page(_ mailbox: AddedMailbox) -> String? {
            canChange && mailbox.removalRequested == nil
                ? "/app/settings/mailboxes/remove?" + FormFields.encoded([("name", mailbox.name)]) : nil
        }
        if mayAdd {
            let open = try ledger.mailboxSetups.all().filter {
                $0.state != .used && $0.state != .refused && !$0.renews
            }
            setups = open.map {
                Setup(name: $0.server.name, path: "/app/settings/mailboxes/\($0.id)")
            }
        }
        let figures = try ledger.monitoring.snapshot()
        let zone = ledger.timeZone
        let report = HealthReport(figures, configured: configured)
        reasons = try ReviewService(ledger).quarantineRuns().map(HealthText.sentence) + HealthText.sentences(report)
        let known = figures.status.mailboxes
        boxes = known.map { health in
            var box = Self.box(health, figures, zone)
            if let mailbox = added.first(where: { $0.name == health.mailbox }) {
                box.facts += Self.facts(mailbox)
                box.removal = page(mailbox)
                if box.removal != nil, mailbox.registration != nil { box.renewal = RenewalPage.path(for: mailbox.name) }
            }
            return box
        }
        missing = configured.filter { name in !known.contains { $0.mailbox == name } }.map { name in
            let mailbox = added.first { $0.name == name }
            return Missing(name: name, problem: mailbox?.problem, removal: mailbox.flatMap(page))
        }
        isEmpty = configured.isEmpty && known.isEmpty
        var all: [Outcome: Int] = [:]
        for count in figures.mails { all[count.outcome, default: 0] += count.mails }
        outcomes = Outcome.allCases.compactMap { outcome in all[outcome].map { Count(outcome, $0) } }
        failed = try ledger.mails.failed(limit: Self.problems).map { entry in
            Problem(
                title: entry.mail.subject ?? entry.mail.fromAddress ?? PageText.of("notice.item"),
                reason: (entry.mail.reason ?? PageText.of("mailboxes.no-reason"))
                    + (entry.nextAttemptAt.map {
                        PageText.of("mailboxes.tried-again", ["at": DayText.instant($0, zone)])
                    } ?? ""),
                date: DayText.instant(entry.mail.processedAt, zone), path: "/app/mails/\(entry.mail.id)")
        }
        quarantined = try ledger.mails.latest([.quarantined], limit: Self.problems).map {
            Problem(
                title: $0.subject ?? PageText.of("notice.item"),
                reason: [$0.fromAddress, $0.reason].compactMap { $0 }.joined(separator: ": "),
                date: DayText.instant($0.receivedAt ?? $0.processedAt, zone), path: "/app/mails/\($0.id)")
        }
        sinks = figures.sinks.map { Self.sink($0, zone) }
        imports = try ledger.imports.all().map {
            Problem(
                title: $0.root,
                reason:
                    PageText.of(
                        $0.isFinished ? "mailboxes.import-finished" : "mailboxes.import-open",
                        ["mailbox": $0.mailbox, "mails": PageText.count($0.mails, "mail")]),
                date: DayText.instant($0.updatedAt, zone))
        }
    }

    private static func box(_ box: MailboxHealth, _ figures: MonitoringSnapshot, _ zone: IANATimeZone) -> Box {
        let overdue = box.isOverdue(at: figures.at)
        let level =
            overdue || box.state == .refused || box.state == .waiting
            ? "bad" : box.state == .stopped ? "off" : "good"
        let facts: [String?] = [
            box.lastProbe.map { PageText.of("mailboxes.answered", ["at": DayText.instant($0, zone)]) },
            box.lastBankMail.map { PageText.of("mailboxes.last-bank-mail", ["at": DayText.instant($0, zone)]) },
            box.attempts > 0 ? PageText.of("mailboxes.failed-in-a-row", count: box.attempts) : nil,
            box.nextAttempt.map { PageText.of("mailboxes.next-try", ["at": DayText.instant($0, zone)]) },
        ]
        return Box(
            name: box.mailbox, state: overdue ? PageText.of("mailboxes.overdue") : box.state.words, level: level,
            reason: box.reason,
            facts: facts.compactMap { $0 },
            folders: figures.status.folders.filter { $0.key.mailbox == box.mailbox }.map { Self.folder($0, zone) })
    }

    /// What a person chose on the page.
    private static func facts(_ mailbox: AddedMailbox) -> [String] {
        let trust =
            mailbox.verifies
            ? PageText.of("mailboxes.verifies")
            : mailbox.authservID.map { PageText.of("mailboxes.trusts", ["name": $0]) }
        return [
            PageText.of("mailboxes.added-here"), trust,
            mailbox.registration.map { PageText.of("mailboxes.oauth", ["server": $0.server.name]) },
            mailbox.removalRequested.map { _ in PageText.of("mailboxes.removal-asked") }, mailbox.problem,
        ].compactMap(\.self)
    }

    private static func sink(_ sink: SinkState, _ zone: IANATimeZone) -> Box {
        let facts: [String?] = [
            sink.waiting > 0
                ? PageText.of("mailboxes.messages-waiting", ["messages": PageText.count(sink.waiting, "message")])
                : nil,
            sink.failures > 0 ? PageText.of("mailboxes.failed-in-a-row", count: sink.failures) : nil,
            sink.blockedUntil.map { PageText.of("mailboxes.next-try", ["at": DayText.instant($0, zone)]) },
            sink.lastSentAt.map { PageText.of("mailboxes.last-sent", ["at": DayText.instant($0, zone)]) }
                ?? PageText.of("mailboxes.nothing-sent"),
        ]
        let isTrouble = sink.parked > 0 || sink.failures > 0
        return Box(
            name: sink.name,
            state: sink.parked > 0
                ? PageText.of("mailboxes.refused", count: sink.parked)
                : sink.failures > 0
                    ? PageText.of("mailboxes.no-answer")
                    : sink.waiting > 0 ? PageText.of("mailboxes.waits") : PageText.of("mailboxes.all-sent"),
            level: isTrouble ? "bad" : "good",
            reason: sink.parked > 0 ? sink.parkedReason : sink.failures > 0 ? sink.reason : nil,
            facts: facts.compactMap { $0 }, folders: [])
    }

    private static func folder(_ folder: StatusSummary.Folder, _ zone: IANATimeZone) -> Folder {
        let counts = Outcome.allCases.compactMap { outcome in
            folder.counts[outcome].flatMap { $0 > 0 ? outcome.counted($0) : nil }
        }
        return Folder(
            name: folder.key.folder,
            counts: counts.isEmpty ? PageText.of("mailboxes.no-bank-mail") : counts.joined(separator: " · "),
            last: folder.lastReceivedAt.map { DayText.instant($0, zone) })
    }
}

extension MailboxHealth.State {
    var words: String {
        switch self {
        case .connecting: PageText.of("mailboxes.connecting")
        case .reading: PageText.of("mailboxes.reading")
        case .watching: PageText.of("mailboxes.watching")
        case .waiting: PageText.of("mailboxes.waits-to-try")
        case .refused: PageText.of("mailboxes.needs-attention")
        case .stopped: PageText.of("mailboxes.stopped")
        }
    }
}

extension Outcome {
    /// A number of mails with this outcome: `488 booked`.
    func counted(_ mails: Int) -> String {
        switch self {
        case .recorded: PageText.of("outcome.count-booked", count: mails)
        case .review: PageText.of("outcome.count-review", count: mails)
        case .duplicate: PageText.of("outcome.count-copies", count: mails)
        case .ignored: PageText.of("outcome.count-ignored", count: mails)
        case .unclaimed: PageText.of("outcome.count-unknown", count: mails)
        case .quarantined: PageText.of("outcome.count-quarantined", count: mails)
        case .failed: PageText.of("outcome.count-failed", count: mails)
        }
    }
}
