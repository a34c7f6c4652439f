import Chronology
import Hummingbird
import Ledger
import Review
import Store

/// The state of the mailboxes and sinks, the outcomes of mails, and imported archives.
enum MailboxesPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/mailboxes", on: router) { call in
            try await pages.show(.mailboxes, call) { [configured = pages.services.mailboxes] ledger in
                try MailboxesView(in: ledger, configured: configured)
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
    }

    struct Folder: Sendable {
        var name: String
        var counts: String
        var last: String?
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
    var missing: [String]
    var isEmpty: Bool
    var outcomes: [DashboardView.Choice]
    var failed: [Problem]
    var quarantined: [Problem]
    var imports: [Problem]
    var sinks: [Box]

    init(in ledger: Snapshot, configured: [String]) throws {
        let figures = try ledger.monitoring.snapshot()
        let zone = ledger.timeZone
        let report = HealthReport(figures, configured: configured)
        reasons = try ReviewService(ledger).quarantineRuns().map(\.sentence) + report.reasons
        let known = figures.status.mailboxes
        boxes = known.map { Self.box($0, figures, zone) }
        missing = configured.filter { name in !known.contains { $0.mailbox == name } }
        isEmpty = configured.isEmpty && known.isEmpty
        var all: [Outcome: Int] = [:]
        for count in figures.mails { all[count.outcome, default: 0] += count.mails }
        outcomes = Outcome.allCases.compactMap { outcome in
            all[outcome].map {
                .init(
                    title: "\($0) \(outcome.words)", path: "/app/mails?outcome=\(outcome.rawValue)", isCurrent: false)
            }
        }
        failed = try ledger.mails.failed(limit: Self.problems).map { entry in
            Problem(
                title: entry.mail.subject ?? entry.mail.fromAddress ?? "A mail",
                reason: (entry.mail.reason ?? "no reason")
                    + (entry.nextAttemptAt.map { "; tried again \(DayText.instant($0, zone))" } ?? ""),
                date: DayText.instant(entry.mail.processedAt, zone), path: "/app/mails/\(entry.mail.id)")
        }
        quarantined = try ledger.mails.latest([.quarantined], limit: Self.problems).map {
            Problem(
                title: $0.subject ?? "A mail",
                reason: [$0.fromAddress, $0.reason].compactMap { $0 }.joined(separator: ": "),
                date: DayText.instant($0.receivedAt ?? $0.processedAt, zone), path: "/app/mails/\($0.id)")
        }
        sinks = figures.sinks.map { Self.sink($0, zone) }
        imports = try ledger.imports.all().map {
            Problem(
                title: $0.root,
                reason:
                    "\($0.mailbox), \($0.isFinished ? "finished" : "not finished: run parserctl import again to go on"), \(PageText.count($0.mails, "mail"))",
                date: DayText.instant($0.updatedAt, zone))
        }
    }

    private static func box(_ box: MailboxHealth, _ figures: MonitoringSnapshot, _ zone: IANATimeZone) -> Box {
        let overdue = box.isOverdue(at: figures.at)
        let level =
            overdue || box.state == .refused || box.state == .waiting
            ? "bad" : box.state == .stopped ? "off" : "good"
        let facts: [String?] = [
            box.lastProbe.map { "answered \(DayText.instant($0, zone))" },
            box.lastBankMail.map { "last mail of a bank \(DayText.instant($0, zone))" },
            box.attempts > 0 ? "failed \(box.attempts) times in a row" : nil,
            box.nextAttempt.map { "next try \(DayText.instant($0, zone))" },
        ]
        return Box(
            name: box.mailbox, state: overdue ? "overdue" : box.state.words, level: level, reason: box.reason,
            facts: facts.compactMap { $0 },
            folders: figures.status.folders.filter { $0.key.mailbox == box.mailbox }.map { Self.folder($0, zone) })
    }

    private static func sink(_ sink: SinkState, _ zone: IANATimeZone) -> Box {
        let facts: [String?] = [
            sink.waiting > 0 ? "\(PageText.count(sink.waiting, "message")) waiting" : nil,
            sink.failures > 0 ? "failed \(sink.failures) times in a row" : nil,
            sink.blockedUntil.map { "next try \(DayText.instant($0, zone))" },
            sink.lastSentAt.map { "last sent \(DayText.instant($0, zone))" } ?? "nothing sent yet",
        ]
        let isTrouble = sink.parked > 0 || sink.failures > 0
        return Box(
            name: sink.name,
            state: sink.parked > 0
                ? "\(sink.parked) refused"
                : sink.failures > 0 ? "does not answer" : sink.waiting > 0 ? "waits" : "everything sent",
            level: isTrouble ? "bad" : "good",
            reason: sink.parked > 0 ? sink.parkedReason : sink.failures > 0 ? sink.reason : nil,
            facts: facts.compactMap { $0 }, folders: [])
    }

    private static func folder(_ folder: StatusSummary.Folder, _ zone: IANATimeZone) -> Folder {
        let counts = Outcome.allCases.compactMap { outcome in
            folder.counts[outcome].flatMap { $0 > 0 ? "\($0) \(outcome.words)" : nil }
        }
        return Folder(
            name: folder.key.folder, counts: counts.isEmpty ? "no mail of a bank yet" : counts.joined(separator: " · "),
            last: folder.lastReceivedAt.map { DayText.instant($0, zone) })
    }
}

extension MailboxHealth.State {
    var words: String {
        switch self {
        case .connecting: "connecting"
        case .reading: "reading"
        case .watching: "watching"
        case .waiting: "waits to try again"
        case .refused: "needs your attention"
        case .stopped: "stopped"
        }
    }
}

extension Outcome {
    var words: String {
        switch self {
        case .recorded: "booked"
        case .review: "to review"
        case .duplicate: "copies"
        case .ignored: "ignored"
        case .unclaimed: "from unknown senders"
        case .quarantined: "set aside as not genuine"
        case .failed: "failed"
        }
    }
}
