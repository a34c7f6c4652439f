import Access
import ArgumentParser
import Chronology
import Codecs
import Console
import Glibc
import Ledger
import Review
import Settings
import Store

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the mailboxes and the outcomes of their mails.")

    @OptionGroup var options: LedgerOptions

    func run() async throws {
        try options.read { store in
            let figures = try store.monitoring.snapshot()
            let (summary, drift) = (figures.status, figures.drift)
            let web = try store.access.webServer()
            if options.json {
                let added = try store.mailboxSetups.added().map(\.name)
                let names = try configured().map { names in names + added.filter { !names.contains($0) } }
                return Output.line(
                    object(
                        figures, HealthReport(figures, configured: names ?? summary.mailboxes.map(\.mailbox)), web
                    ).text)
            }
            show(summary)
            if let web {
                Output.line(
                    "web: \(web.url)"
                        + (web.certificate.map { ", certificate SHA-256 \(CertificateFingerprint.grouped($0))" } ?? ""))
            }
            let new = drift.shapes.count { $0.isNew }
            let signs = [
                drift.changed > 0
                    ? "\(drift.changed) template\(drift.changed == 1 ? " looks" : "s look") changed" : nil,
                new > 0 ? "\(new) new form\(new == 1 ? "" : "s") of mail about money that no template claims" : nil,
            ].compactMap { $0 }
            for fault in [
                figures.check.defects.first.map { "the ledger is damaged (\($0)); see 'parserctl salvage'" },
                figures.backup.isOutdated ? figures.backup.outdatedSentence : nil,
            ].compactMap(\.self) { Output.line(Terminal.styled(fault, .yellow)) }
            for line in figures.sinks.compactMap(\.sentence) {
                Output.line(Terminal.styled("notifications to \(line)", .yellow))
            }
            if !signs.isEmpty {
                Output.line(Terminal.styled("drift: \(signs.joined(separator: ", ")); see 'parserctl drift'", .yellow))
            }
        }
    }

    private func show(_ summary: StatusSummary) {
        var mailboxes = Table([
            ("mailbox", .left), ("state", .left), ("since", .left), ("last answer", .left), ("last mail", .left),
            ("last bank mail", .left),
            ("tries", .right), ("next try", .left), ("reason", .left),
        ])
        let now = UnixTime.now
        for health in summary.mailboxes {
            mailboxes.add([
                health.mailbox, health.isOverdue(at: now) ? "silent" : health.state.rawValue,
                health.since.description, instant(health.lastProbe),
                instant(health.lastMail), instant(health.lastBankMail),
                health.attempts == 0 ? "" : "\(health.attempts)",
                health.nextAttempt.map(\.description) ?? "",
                health.isOverdue(at: now)
                    ? "spendwised has not reported in time; see systemctl status spendwise-ingest"
                    : health.reason ?? "",
            ])
        }
        if mailboxes.rows.isEmpty { Output.line("no mailbox has been read yet") } else { mailboxes.print() }
        if !summary.folders.isEmpty {
            Output.line("")
            var folders = Table(
                [("folder", .left), ("last mail", .left)] + Outcome.allCases.map { ($0.rawValue, .right) })
            for folder in summary.folders {
                folders.add(
                    ["\(folder.key.mailbox)/\(folder.key.folder)", folder.lastReceivedAt?.description ?? ""]
                        + Outcome.allCases.map { "\(folder.counts[$0] ?? 0)" })
            }
            folders.print()
        }
        let counts = TransactionStatus.allCases.compactMap { status in
            summary.transactions[status].map { "\($0) \(status.rawValue)" }
        }
        Output.line(
            "\ntransactions: \(counts.isEmpty ? "none" : counts.joined(separator: ", ")); waiting for review: \(summary.waiting)"
        )
    }

    private func instant(_ instant: UnixTime?) -> String { instant?.description ?? "never" }

    /// The configured mailboxes; `nil` without a configuration.
    private func configured() throws -> [String]? {
        try options.locations.settings().map { $0.mailboxes.map(\.name) + $0.maildirs.map(\.name) }
    }

    private func object(_ figures: MonitoringSnapshot, _ report: HealthReport, _ web: WebServer?) -> JSON {
        let (summary, drift) = (figures.status, figures.drift)
        let transactions = TransactionStatus.allCases.map { ($0.rawValue, JSON(summary.transactions[$0] ?? 0)) }
        let server = web.map { web in
            JSON.object([("url", .string(web.url)), ("certificate_sha256", JSON(web.certificate))])
        }
        return .object([
            ("status", .string(report.level.rawValue)), ("reasons", .array(report.reasons.map(JSON.string))),
            ("mailboxes", .array(summary.mailboxes.map { mailbox($0, at: figures.at) })),
            ("folders", .array(summary.folders.map(folder))), ("mails", .array(mails(figures))),
            ("templates", .array(templates(summary))), ("transactions", .object(transactions)),
            ("waiting_for_review", JSON(summary.waiting)), ("drift", drift.summary),
            ("notifications", .array(figures.sinks.map(\.json))), ("web", server ?? .null),
            ("database_bytes", .integer(figures.databaseBytes)), ("integrity", integrity(figures.check)),
            ("newest_backup_at", JSON(describing: figures.backup.newest?.madeAt)),
        ])
    }

    private func integrity(_ last: CheckRecord) -> JSON {
        .object([
            ("checked_at", JSON(describing: last.checkedAt)), ("defects", .array(last.defects.map(JSON.string))),
        ])
    }

    private func mailbox(_ health: MailboxHealth, at now: UnixTime) -> JSON {
        .object([
            ("name", .string(health.mailbox)), ("state", .string(health.state.rawValue)),
            ("reason", JSON(health.reason)), ("changed_at", JSON(describing: health.since)),
            ("last_probe_at", JSON(describing: health.lastProbe)),
            ("last_mail_at", JSON(describing: health.lastMail)),
            ("last_bank_mail_at", JSON(describing: health.lastBankMail)),
            ("attempts", JSON(health.attempts)),
            ("next_attempt_at", JSON(describing: health.nextAttempt)),
            ("overdue", .bool(health.isOverdue(at: now))),
        ])
    }

    private func folder(_ folder: StatusSummary.Folder) -> JSON {
        .object([
            ("mailbox", .string(folder.key.mailbox)), ("folder", .string(folder.key.folder)),
            ("last_received_at", JSON(describing: folder.lastReceivedAt)),
            ("last_processed_at", JSON(describing: folder.lastProcessedAt)),
            ("next_uid", JSON(folder.cursor.map { Int64($0.nextUID) })),
            ("outcomes", .object(Outcome.allCases.map { ($0.rawValue, JSON(folder.counts[$0] ?? 0)) })),
        ])
    }

    private func mails(_ figures: MonitoringSnapshot) -> [JSON] {
        figures.mails.map { row in
            .object([
                ("bank", row.bank.isEmpty ? .null : .string(row.bank)), ("outcome", .string(row.outcome.rawValue)),
                ("mails", JSON(row.mails)),
            ])
        }
    }

    private func templates(_ summary: StatusSummary) -> [JSON] {
        summary.templates.map { row in
            .object([
                ("mailbox", .string(row.key.mailbox)), ("folder", .string(row.key.folder)),
                ("outcome", .string(row.outcome.rawValue)), ("template", JSON(row.template)),
                ("mails", JSON(row.count)),
            ])
        }
    }
}
