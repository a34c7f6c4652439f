import Chronology
import Glibc
import Ingest
import Settings
import Synchronization

/// Progress of a long pass: one line, redrawn, on a terminal. Writes nothing elsewhere; the log reports finished
/// passes.
final class ProgressLine: Sendable {
    private struct State {
        var started: [String: Double] = [:]
        var lastDrawn = 0.0
    }

    private let state = Mutex(State())
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Seconds before the first line: a shorter pass needs none.
    private static let delay = 1.0
    /// Seconds between two drawings.
    private static let interval = 0.1

    func show(_ step: PassProgress) {
        guard isTerminal, step.total > 0 else { return }
        let now = Double(SystemClock.monotonic.nanoseconds) / 1e9
        let line: String? = state.withLock { state in
            let key = step.mailbox + "/" + step.folder
            let started = step.done == 0 ? now : state.started[key] ?? now
            state.started[key] = started
            guard now - started > Self.delay, now - state.lastDrawn > Self.interval || step.done == step.total else {
                return nil
            }
            state.lastDrawn = now
            let rate = Double(step.done) / (now - started)
            let left = rate > 0 ? Int(Double(step.total - step.done) / rate) : 0
            return "\r\u{1B}[K\(key): \(step.done)/\(step.total) mails, \(Int(rate))/s, \(left) s left"
                + (step.done == step.total ? "\r\u{1B}[K" : "")
        }
        if let line { StandardError.write(line) }
    }
}
