import Logging
import Processes
import Review
import ServiceLifecycle
import Store

/// Checks for signs that a bank changed its mails. Logs each sign twice: when it appears and when it disappears.
struct DriftWatch: Service {
    let store: Store
    let logger: Logger

    /// Seconds between two checks. Silence is measured in days.
    private static let interval = 1800.0

    func run() async throws {
        // Not at the start: the mailboxes are still being read.
        for await _ in Ticks(seconds: Self.interval, beginsAtOnce: false).cancelOnGracefulShutdown() {
            do {
                let (new, gone) = try await onThread { [store] in
                    Result { try store.monitoring.recordAlarms(store.monitoring.drift(), details: \.sentence) }
                }.get()
                for alarm in new { logger.warning("\(alarm.kind.sentence)", metadata: metadata(alarm)) }
                for alarm in gone { logger.info("back to normal", metadata: metadata(alarm)) }
            } catch {
                logger.warning("drift not checked", metadata: ["reason": "\(error)"])
            }
        }
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
