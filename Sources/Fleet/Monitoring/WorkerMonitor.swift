import Chronology
import Codecs
import Monitoring
import Settings
import Store
import Synchronization

/// What the HTTP server of a worker shows. The worker's thread and those of its households write it.
public final class WorkerMonitor: Sendable {
    private struct State {
        var renewedAt: Int64?
        var stepAt = SystemClock.monotonic.seconds
        var runs: [HouseholdRun] = []
    }

    /// The health of an answer.
    public enum Health: String, Sendable {
        case ok
        /// A mailbox needs a person.
        case degraded
        case failing
    }

    public static let contentType = Exposition.contentType

    let meter = CommitMeter()
    private let state = Mutex(State())
    private let summary: Cached<FleetSummary>
    private let startTime = UnixTime.now

    /// Seconds for which figures of the whole fleet are shown.
    private static let summarySeconds: Int64 = 60

    init(_ fleet: FleetConfiguration) {
        let database = FleetDatabase(fleet.postgresql, connections: 1)
        let health = Cached(seconds: HouseholdRun.freshSeconds) { try FleetSummary.Health(database) }
        summary = Cached(seconds: Self.summarySeconds) {
            guard let health = health.value() else { throw FleetError("the health of the mailboxes cannot be read") }
            return try FleetSummary(database, health)
        }
    }

    func renewed() { state.withLock { $0.renewedAt = SystemClock.monotonic.seconds } }

    func stepped(_ runs: [HouseholdRun]) {
        state.withLock { state in
            state.stepAt = SystemClock.monotonic.seconds
            state.runs = runs
        }
    }

    var snapshot: WorkerSnapshot {
        let (state, now) = (self.state.withLock { $0 }, SystemClock.monotonic.seconds)
        let figures = state.runs.map { $0.figures }
        return WorkerSnapshot(
            leaseAge: state.renewedAt.map { now - $0 }, stepAge: now - state.stepAt, households: state.runs.count,
            mailboxes: figures.flatMap { $0.mailboxes }, areAlive: figures.allSatisfy { $0.areAlive },
            commits: meter.figures)
    }

    /// True if no thread hangs: a supervisor that finds false should start the worker anew.
    public var isAlive: Bool { snapshot.isAlive }

    /// The health as JSON, without names of households and mailboxes.
    public func health() -> (health: Health, body: String) {
        let snapshot = snapshot
        let health: Health = !snapshot.faults.isEmpty ? .failing : snapshot.refused > 0 ? .degraded : .ok
        let reasons =
            snapshot.faults
            + (snapshot.refused > 0
                ? ["\(snapshot.refused) mailboxes need a person; see 'spendwise-fleet mailboxes'"] : [])
        let states = MailboxHealth.State.allCases.map { state in
            (state.rawValue, JSON.integer(Int64(snapshot.mailboxes.count { $0.health.state == state })))
        }
        let body = JSON.object([
            ("status", .string(health.rawValue)), ("reasons", .array(reasons.map(JSON.string))),
            ("households", .integer(Int64(snapshot.households))), ("mailboxes", .object(states)),
            ("lease_age_seconds", JSON(snapshot.leaseAge)),
        ])
        return (health, body.text + "\n")
    }

    /// The metrics as text of ``Exposition``. Blocks while the database is read.
    public func metrics() -> String {
        WorkerMetrics(
            snapshot, summary.value(), version: ProgramVersion.text, process: .now(startTime: startTime), now: .now
        ).text
    }
}

/// A value that is made anew after some seconds; `nil` while it cannot be made.
final class Cached<Value: Sendable>: Sendable {
    private let seconds: Int64
    private let make: @Sendable () throws -> Value
    private let state = Mutex<(value: Value?, until: Int64)>((nil, .min))

    init(seconds: Int64, _ make: @escaping @Sendable () throws -> Value) { (self.seconds, self.make) = (seconds, make) }

    /// Blocks while it is made, which one caller does for all that wait.
    func value() -> Value? {
        state.withLock { state in
            let now = SystemClock.monotonic.seconds
            if state.value == nil || now >= state.until { state = (try? make(), now + seconds) }
            return state.value
        }
    }
}
