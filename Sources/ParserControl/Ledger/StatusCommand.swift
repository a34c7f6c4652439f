import ArgumentParser
import Glibc
import JSONText
import Ledger
import Settings
import Store

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how the mailboxes stand and what became of their mails.")

    @Flag(help: "One JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        try orExit {
            let store = try locations.store()
            let figures = try store.figures()
            let (summary, drift) = (figures.status, figures.drift)
            let web = try store.webServer()
            if json {
                return print(
                    object(
                        figures,
                        HealthReport(figures, configured: try configured() ?? summary.mailboxes.map(\.mailbox)), web
                    ).text)
            }
            show(summary)
            if let web {
                print(
                    "web: \(web.url)"
                        + (web.certificate.map { ", certificate SHA-256 \(Fingerprint.grouped($0))" } ?? ""))
            }
            let new = drift.shapes.count { $0.isNew }
            let signs = [
                drift.changed > 0
                    ? "\(drift.changed) template\(drift.changed == 1 ? " looks" : "s look") changed" : nil,
                new > 0 ? "\(new) new form\(new == 1 ? "" : "s") of mail about money that no template claims" : nil,
            ].compactMap { $0 }
            for line in figures.sinks.compactMap(\.sentence) {
                print(Terminal.styled("notifications to \(line)", .yellow))
            }
            if !signs.isEmpty {
                print(Terminal.styled("drift: \(signs.joined(separator: ", ")); see 'parserctl drift'", .yellow))
            }
        }
    }

    private func show(_ summary: StatusSummary) {
        var mailboxes = Table([
            ("mailbox", .left), ("state", .left), ("since", .left), ("last answer", .left), ("last mail", .left),
            ("last bank mail", .left),
            ("tries", .right), ("next try", .left), ("reason", .left),
        ])
        let now = Int64(time(nil))
        for health in summary.mailboxes {
            mailboxes.add([
                health.mailbox, health.isOverdue(at: now) ? "silent" : health.state.rawValue,
                Store.timestamp(health.since), instant(health.lastProbe),
                instant(health.lastMail), instant(health.lastBankMail),
                health.attempts == 0 ? "" : "\(health.attempts)",
                health.nextAttempt.map(Store.timestamp) ?? "",
                health.isOverdue(at: now)
                    ? "nothing was heard of spendwised since it promised to; see systemctl status spendwise-ingest"
                    : health.reason ?? "",
            ])
        }
        if mailboxes.rows.isEmpty { print("no mailbox has been read yet") } else { mailboxes.print() }
        if !summary.folders.isEmpty {
            print("")
            var folders = Table(
                [("folder", .left), ("last mail", .left)] + Outcome.allCases.map { ($0.rawValue, .right) })
            for folder in summary.folders {
                folders.add(
                    ["\(folder.key.mailbox)/\(folder.key.folder)", folder.lastReceivedAt ?? ""]
                        + Outcome.allCases.map { "\(folder.counts[$0] ?? 0)" })
            }
            folders.print()
        }
        let counts = TransactionStatus.allCases.compactMap { status in
            summary.transactions[status].map { "\($0) \(status.rawValue)" }
        }
        print(
            "\ntransactions: \(counts.isEmpty ? "none" : counts.joined(separator: ", ")); waiting for review: \(summary.waiting)"
        )
    }

    private func instant(_ seconds: Int64?) -> String { seconds.map(Store.timestamp) ?? "never" }

    /// `nil` where no configuration is at hand.
    private func configured() throws -> [String]? {
        try locations.settings().map { $0.mailboxes.map(\.name) + $0.maildirs.map(\.name) }
    }

    private func object(_ figures: Figures, _ report: HealthReport, _ web: Store.WebServer?) -> JSON {
        let (summary, drift) = (figures.status, figures.drift)
        return .object([
            ("status", .string(report.level.rawValue)), ("reasons", .array(report.reasons.map(JSON.string))),
            (
                "mailboxes",
                .array(
                    summary.mailboxes.map {
                        .object([
                            ("name", .string($0.mailbox)), ("state", .string($0.state.rawValue)),
                            ("reason", JSON($0.reason)),
                            ("changed_at", .string(Store.timestamp($0.since))),
                            ("last_probe_at", JSON($0.lastProbe.map(Store.timestamp))),
                            ("last_mail_at", JSON($0.lastMail.map(Store.timestamp))),
                            ("last_bank_mail_at", JSON($0.lastBankMail.map(Store.timestamp))),
                            ("attempts", JSON($0.attempts)),
                            ("next_attempt_at", JSON($0.nextAttempt.map(Store.timestamp))),
                            ("overdue", .bool($0.isOverdue(at: figures.at))),
                        ])
                    })
            ),
            (
                "folders",
                .array(
                    summary.folders.map { folder in
                        .object([
                            ("mailbox", .string(folder.key.mailbox)), ("folder", .string(folder.key.folder)),
                            ("last_received_at", JSON(folder.lastReceivedAt)),
                            ("last_processed_at", JSON(folder.lastProcessedAt)),
                            ("next_uid", JSON(folder.cursor.map { Int64($0.nextUID) })),
                            ("outcomes", .object(Outcome.allCases.map { ($0.rawValue, JSON(folder.counts[$0] ?? 0)) })),
                        ])
                    })
            ),
            (
                "mails",
                .array(
                    figures.mails.map {
                        .object([
                            ("bank", $0.bank.isEmpty ? .null : .string($0.bank)),
                            ("outcome", .string($0.outcome.rawValue)), ("mails", JSON($0.mails)),
                        ])
                    })
            ),
            (
                "templates",
                .array(
                    summary.templates.map {
                        .object([
                            ("mailbox", .string($0.key.mailbox)), ("folder", .string($0.key.folder)),
                            ("outcome", .string($0.outcome.rawValue)), ("template", JSON($0.template)),
                            ("mails", JSON($0.count)),
                        ])
                    })
            ),
            (
                "transactions",
                .object(TransactionStatus.allCases.map { ($0.rawValue, JSON(summary.transactions[$0] ?? 0)) })
            ),
            ("waiting_for_review", JSON(summary.waiting)), ("drift", drift.summary),
            ("notifications", .array(figures.sinks.map(\.json))),
            (
                "web",
                web.map { .object([("url", .string($0.url)), ("certificate_sha256", JSON($0.certificate))]) } ?? .null
            ),
            ("database_bytes", .integer(figures.databaseBytes)),
        ])
    }
}
