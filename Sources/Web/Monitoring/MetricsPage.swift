import Chronology
import Ledger
import Monitoring
import Store

/// The metrics of the ledger and of this process for Prometheus. They name mailboxes, banks and templates, but no
/// amounts and no merchants.
struct MetricsPage {
    private typealias Sample = Exposition.Sample

    let text: String

    /// - Parameter responses: numbers of responses by status.
    init(
        _ figures: MonitoringSnapshot, version: String, process: ProcessMetrics, responses: [Int: Int] = [:]
    ) {
        var page = Exposition()
        page.family(
            "spendwise_build_info", .gauge, "Always 1; the version is a label.", [Sample([("version", version)], 1)])
        Self.mails(figures, &page)
        Self.mailboxes(figures, &page)
        Self.drift(figures.drift, &page)
        Self.sinks(figures.sinks, &page)
        Self.accounts(figures.accounts, &page)
        page.family(
            "spendwise_web_responses_total", .counter, "Responses of this process by status.",
            responses.sorted { $0.key < $1.key }.map { Sample([("status", "\($0.key)")], Double($0.value)) })
        page.gauge("spendwise_database_size_bytes", "The database file and its log.", Double(figures.databaseBytes))
        process.write(to: &page)
        text = page.text
    }

    private static func mails(_ figures: MonitoringSnapshot, _ page: inout Exposition) {
        var all: [String: Int] = [:]
        for count in figures.mails { all[count.bank, default: 0] += count.mails }
        page.family(
            "spendwise_mails_total", .counter,
            "Fetched mails with an outcome; an empty bank means unknown senders.",
            all.sorted { $0.key < $1.key }.map { Sample([("bank", $0.key)], Double($0.value)) })
        page.family(
            "spendwise_mail_outcomes", .gauge,
            "Mails by outcome; a review decision moves a mail from review to another outcome.",
            figures.mails.map { Sample([("bank", $0.bank), ("outcome", $0.outcome.rawValue)], Double($0.mails)) })
        page.family(
            "spendwise_transactions", .gauge, "Transactions in the ledger, without deleted ones.",
            TransactionStatus.allCases.map {
                Sample([("status", $0.rawValue)], Double(figures.status.transactions[$0] ?? 0))
            })
        page.gauge(
            "spendwise_review_queue_length", "Mails and drafts that wait for review.", Double(figures.status.waiting))
    }

    private static func mailboxes(_ figures: MonitoringSnapshot, _ page: inout Exposition) {
        let mailboxes = figures.status.mailboxes
        func family(_ name: String, _ help: String, _ value: (MailboxHealth) -> Int64?) {
            let samples = mailboxes.compactMap { box -> Sample? in
                value(box).map { Sample([("mailbox", box.mailbox)], Double($0)) }
            }
            page.family(name, .gauge, help, samples)
        }
        page.family(
            "spendwise_mailbox_state", .gauge, "1 for the current state of the mailbox, 0 for the others.",
            mailboxes.flatMap { box -> [Sample] in
                MailboxHealth.State.allCases.map {
                    Sample([("mailbox", box.mailbox), ("state", $0.rawValue)], $0 == box.state ? 1 : 0)
                }
            })
        family("spendwise_mailbox_overdue", "1 if the reading process missed its time to report.") {
            $0.isOverdue(at: figures.at) ? 1 : 0
        }
        family("spendwise_mailbox_failed_attempts", "Consecutive failed attempts.") { Int64($0.attempts) }
        family("spendwise_mailbox_state_since_timestamp_seconds", "Time at which the mailbox entered its state.") {
            $0.since.seconds
        }
        family("spendwise_mailbox_last_probe_timestamp_seconds", "Time of the server's last response.") {
            $0.lastProbe?.seconds
        }
        family("spendwise_mailbox_last_mail_timestamp_seconds", "Time at which the server last reported new mail.") {
            $0.lastMail?.seconds
        }
        family("spendwise_mailbox_last_bank_mail_timestamp_seconds", "Arrival of the newest recorded mail of a bank.") {
            $0.lastBankMail?.seconds
        }
    }

    private static func sinks(_ sinks: [SinkState], _ page: inout Exposition) {
        func family(_ name: String, _ help: String, _ value: (SinkState) -> Int64?) {
            page.family(
                "spendwise_notification_\(name)", .gauge, help,
                sinks.compactMap { sink in value(sink).map { Sample([("sink", sink.name)], Double($0)) } })
        }
        family("messages_waiting", "Messages that wait for a notification sink.") { Int64($0.waiting) }
        family("messages_refused", "Messages that a sink refused or that expired; see parserctl notify.") {
            Int64($0.parked)
        }
        family("failed_attempts", "Consecutive failed attempts.") { Int64($0.failures) }
        family("oldest_waiting_timestamp_seconds", "Creation time of the oldest waiting message.") {
            $0.oldestWaiting?.seconds
        }
        family("last_sent_timestamp_seconds", "Time of the last delivery to a sink.") { $0.lastSentAt?.seconds }
    }

    /// Accounts have their number as a label: a name can contain a person's.
    private static func accounts(_ checks: [AccountCheck], _ page: inout Exposition) {
        func family(_ name: String, _ help: String, _ value: (AccountCheck) -> Double) {
            page.family(
                "spendwise_account_\(name)", .gauge, help,
                checks.map { Sample([("account", "\($0.account)")], value($0)) })
        }
        family("findings", "Windows between printed balances that the booked transactions do not explain.") {
            Double($0.findings)
        }
        family("compared_windows", "Windows between printed balances that the last check compared.") {
            Double($0.windows)
        }
        family("drifting", "1 if the printed balances contain more than the booked transactions, such as holds.") {
            $0.isDrifting ? 1 : 0
        }
    }

    private static func drift(_ drift: Drift, _ page: inout Exposition) {
        var counts: [String: Int] = [:]
        for alarm in drift.alarms { counts["\(alarm.bank) \(alarm.kind.rawValue)", default: 0] += 1 }
        page.family(
            "spendwise_drift_alarms", .gauge, "Signs that a bank changed its mail templates; see parserctl drift.",
            drift.banks.flatMap { bank -> [Sample] in
                Drift.Alarm.Kind.allCases.map {
                    Sample(
                        [("bank", bank.bank), ("kind", $0.rawValue)], Double(counts["\(bank.bank) \($0.rawValue)"] ?? 0)
                    )
                }
            })
        page.family(
            "spendwise_bank_claimed_ratio", .gauge,
            "Proportion of a bank's mails about money that a template claims, recently and before.",
            drift.banks.flatMap { bank -> [Sample] in
                let windows: [(String, Proportion)] = [("recent", bank.recent), ("before", bank.before)]
                return windows.compactMap { window, share in
                    share.rate.map { Sample([("bank", bank.bank), ("window", window)], $0) }
                }
            })
        page.family(
            "spendwise_bank_silence_days", .gauge, "Days since a bank's last mail.",
            drift.banks.map { Sample([("bank", $0.bank)], Double($0.silence.days)) })
        page.family(
            "spendwise_template_silence_days", .gauge, "Days since a template's last mail.",
            drift.templates.map { Sample([("bank", $0.bank), ("template", $0.template)], Double($0.silence.days)) })
    }
}
