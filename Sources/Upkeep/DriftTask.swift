import Logging
import Review
import Store

/// Checks for signs that a bank changed its mails. Logs each sign twice: when it appears and when it disappears.
struct DriftTask: UpkeepTask {
    let store: Store
    let logger: Logger

    /// Silence is measured in days.
    let schedule = UpkeepSchedule(interval: 1800, beginsAtOnce: false)
    let failure = "drift not checked"

    func run(isStopped: () -> Bool) throws {
        let (new, gone) = try store.monitoring.recordAlarms(store.monitoring.drift(), details: \.sentence)
        for alarm in new { logger.warning("\(alarm.kind.sentence)", metadata: metadata(alarm)) }
        for alarm in gone { logger.info("back to normal", metadata: metadata(alarm)) }
    }

    private func metadata(_ alarm: Drift.Alarm) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["sign": "\(alarm.kind.rawValue)", "bank": "\(alarm.bank)"]
        if !alarm.subject.isEmpty { metadata["subject"] = "\(alarm.subject)" }
        if alarm.measure != nil { metadata["details"] = "\(alarm.sentence)" }
        return metadata
    }
}

extension Drift.Alarm.Kind {
    fileprivate var sentence: String {
        switch self {
        case .bankSilent: "a bank is silent"
        case .templateSilent: "a template is silent"
        case .matchRate: "a bank's templates claim fewer of its messages"
        case .fieldMissing: "a template no longer finds a field"
        case .newShape: "a bank sends messages of a new form that no template claims"
        }
    }
}
