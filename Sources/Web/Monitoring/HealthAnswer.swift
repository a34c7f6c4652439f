import Chronology
import Hummingbird
import Review
import Store

/// The body of `/health`. The keys of a mailbox are those of `parserctl status --json`.
struct HealthAnswer: ResponseEncodable {
    /// `ok`, `degraded`, or `failing` with status 503.
    var status: String
    /// Problems with their remedies, as sentences.
    var reasons: [String]
    var mailboxes: [Mailbox]

    struct Mailbox: Codable, Sendable {
        var name: String
        var state: String
        var reason: String?
        var changed_at: String
        var last_probe_at: String?
        var last_mail_at: String?
        var last_bank_mail_at: String?
        var attempts: Int
        var next_attempt_at: String?
        var overdue: Bool
    }

    init(_ figures: MonitoringSnapshot, _ report: HealthReport) {
        status = report.level.rawValue
        reasons = report.reasons
        mailboxes = figures.status.mailboxes.map { box in
            Mailbox(
                name: box.mailbox, state: box.state.rawValue, reason: box.reason,
                changed_at: box.since.description,
                last_probe_at: box.lastProbe.map(\.description), last_mail_at: box.lastMail.map(\.description),
                last_bank_mail_at: box.lastBankMail.map(\.description), attempts: box.attempts,
                next_attempt_at: box.nextAttempt.map(\.description),
                overdue: box.isOverdue(at: figures.at))
        }
    }

    /// The answer if the database cannot be read. The cause may name paths, so it is only logged.
    init(failing reason: String) {
        status = HealthReport.Level.failing.rawValue
        reasons = [reason]
        mailboxes = []
    }
}
