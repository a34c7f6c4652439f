import Chronology

/// State of the whole program, with the reasons of faults.
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
    /// Sentences with remedies, the mailbox first; without secrets and mail text.
    public private(set) var reasons: [String] = []

    /// Seconds after a temporary fault before the state is degraded: connections break, and servers restart.
    static let gracePeriod: Int64 = 900

    /// - Parameter configured: the mailboxes of the configuration; former ones are ignored.
    public init(_ figures: MonitoringSnapshot, configured: [String]) {
        let known = Dictionary(figures.status.mailboxes.map { ($0.mailbox, $0) }) { $1 }
        for name in configured {
            guard let box = known[name] else {
                add(.degraded, "mailbox \(name): has not been read yet; start 'spendwised ingest'")
                continue
            }
            let reason = box.reason ?? box.state.rawValue
            if box.isOverdue(at: figures.at) {
                add(
                    .failing,
                    "mailbox \(name): nothing was heard of spendwised since it promised to; see systemctl status spendwise-ingest"
                )
                continue
            }
            switch box.state {
            case .refused: add(.failing, "mailbox \(name): \(reason)")
            case .waiting:
                add(figures.at - box.since > Self.gracePeriod ? .failing : .degraded, "mailbox \(name): \(reason)")
            case .stopped:
                add(.degraded, "mailbox \(name): \(box.reason ?? "is not read at present; start 'spendwised ingest'")")
            case .connecting, .reading, .watching:
                if let reason = box.reason { add(.degraded, "mailbox \(name): \(reason)") }
            }
        }
        for alarm in figures.drift.alarms { add(.degraded, alarm.message) }
        for sink in figures.sinks {
            if sink.parked > 0 {
                add(
                    .degraded,
                    "notifications to \(sink.name): \(sink.parked) refused (\(sink.parkedReason ?? "no reason given")); mend it, then 'parserctl notify retry \(sink.name)'"
                )
            }
            if let oldest = sink.oldestWaiting, sink.failures > 0, figures.at - oldest > Self.gracePeriod {
                add(
                    .degraded,
                    "notifications to \(sink.name): \(sink.waiting) wait (\(sink.reason ?? "no answer")); see 'parserctl notify list'"
                )
            }
        }
    }

    private mutating func add(_ level: Level, _ reason: String) {
        self.level = max(self.level, level)
        reasons.append(reason)
    }
}
