public import Store

extension HealthReport {
    /// Sentences with remedies, in the order of the faults; without secrets and mail text.
    public var reasons: [String] { faults.map(\.sentence) }
}

extension HealthFault {
    /// The fault with its remedy.
    public var sentence: String {
        switch self {
        case .notReadYet(let mailbox): "mailbox \(mailbox): has not been read yet; start 'spendwised ingest'"
        case .silent(let mailbox):
            "mailbox \(mailbox): spendwised has not reported in time; see systemctl status spendwise-ingest"
        case .mailbox(let health):
            "mailbox \(health.mailbox): "
                + (health.reason
                    ?? (health.state == .stopped
                        ? "is not read at present; start 'spendwised ingest'" : health.state.rawValue))
        case .drift(let alarm): alarm.sentence
        case .templateLeftOut(let template, let fault):
            "the activated template \(template) does not load and is not used (\(fault)); deactivate it under Settings, or draft it again"
        case .damaged(let defect):
            "the ledger is damaged (\(defect)), and nothing is booked any more; \(CheckRecord.remedy)"
        case .backupOutdated(let state): state.outdatedSentence
        case .notificationsRefused(let sink):
            "notifications to \(sink.name): \(sink.parked) refused (\(sink.parkedReason ?? "no reason given")); mend it, then 'parserctl notify retry \(sink.name)'"
        case .notificationsWaiting(let sink):
            "notifications to \(sink.name): \(sink.waiting) wait (\(sink.reason ?? "no answer")); see 'parserctl notify list'"
        }
    }
}
