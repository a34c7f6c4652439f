import Chronology

/// State of the whole program.
public struct HealthReport: Sendable {
    public enum Level: String, Comparable, Sendable {
        case ok
        /// Something needs attention, but mail is read or will be soon.
        case degraded
        /// Mail is not read, and an operator must act.
        case failing

        private var rank: Int { self == .ok ? 0 : self == .degraded ? 1 : 2 }
        public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
    }

    public private(set) var level = Level.ok
    /// Damage of the ledger first, then the faults of mailboxes.
    public private(set) var faults: [HealthFault] = []

    /// Seconds after a temporary fault before the state is degraded: connections break, and servers restart.
    static let gracePeriod: Int64 = 900

    /// - Parameter configured: the mailboxes of the configuration; former ones are ignored.
    public init(_ figures: MonitoringSnapshot, configured: [String]) {
        if let defect = figures.check.defects.first { add(.failing, .damaged(defect)) }
        let known = Dictionary(figures.status.mailboxes.map { ($0.mailbox, $0) }) { $1 }
        for name in configured {
            guard let box = known[name] else {
                add(.degraded, .notReadYet(mailbox: name))
                continue
            }
            if box.isOverdue(at: figures.at) {
                add(.failing, .silent(mailbox: name))
                continue
            }
            switch box.state {
            case .refused: add(.failing, .mailbox(box))
            case .waiting: add(figures.at - box.since > Self.gracePeriod ? .failing : .degraded, .mailbox(box))
            case .stopped: add(.degraded, .mailbox(box))
            case .connecting, .reading, .watching: if box.reason != nil { add(.degraded, .mailbox(box)) }
            }
        }
        for activation in figures.faultyTemplates {
            add(.degraded, .templateLeftOut(activation.template, fault: activation.fault ?? ""))
        }
        for alarm in figures.drift.alarms { add(.degraded, .drift(alarm)) }
        if figures.backup.isOutdated { add(.degraded, .backupOutdated(figures.backup)) }
        for sink in figures.sinks {
            if sink.parked > 0 { add(.degraded, .notificationsRefused(sink)) }
            if let oldest = sink.oldestWaiting, sink.failures > 0, figures.at - oldest > Self.gracePeriod {
                add(.degraded, .notificationsWaiting(sink))
            }
        }
    }

    private mutating func add(_ level: Level, _ fault: HealthFault) {
        self.level = max(self.level, level)
        faults.append(fault)
    }
}

/// A fault of the running program that a person can mend.
public enum HealthFault: Sendable {
    /// No role has read the mailbox since it was configured.
    case notReadYet(mailbox: String)
    /// The ingest role has not reported within the time that it promised.
    case silent(mailbox: String)
    /// The mailbox is not read, or is read with a fault.
    case mailbox(MailboxHealth)
    case drift(Drift.Alarm)
    /// An activated template does not load and is not used.
    case templateLeftOut(String, fault: String)
    /// A sink refused messages for good.
    case notificationsRefused(SinkState)
    /// The check of the ledger's file found this first; nothing is booked any more.
    case damaged(String)
    /// The newest backup is too old, with the remedy.
    case backupOutdated(BackupState)
    /// Messages have waited longer than a short fault lasts.
    case notificationsWaiting(SinkState)
}
