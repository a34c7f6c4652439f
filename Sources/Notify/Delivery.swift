import Chronology
import Glibc
public import IMAP
import Ledger
public import Logging
import Randomness
public import Settings
public import Store
import Synchronization

/// Delivery of notifications: turns events into messages and sends them, on its own thread.
public final class Delivery: Sendable {
    /// Sinks in use.
    public var sinks: [SinkSettings] { inUse.withLock { $0 } }
    private let inUse: Mutex<[SinkSettings]>
    /// Sinks of a reload that the thread has not applied yet.
    private let reloaded = Mutex<[SinkSettings]?>(nil)
    let store: Store
    let logger: Logger
    let now: @Sendable () -> UnixTime
    let chance: @Sendable () -> Double
    /// Ends every wait, for a stop or for new events.
    public let wake = Wake()
    /// Ids of messages that their receivers have accepted, while the ledger cannot record that. They are not sent
    /// again.
    let accepted = Mutex<Set<String>>([])
    private let turns = Mutex(Turns())
    /// Error message of the database while it cannot be written.
    let databaseFault = Mutex<String?>(nil)

    /// Polling interval in seconds, because another process, such as `parserctl notify retry`, cannot wake this one.
    static let pollInterval: Int64 = 10
    static let housekeeping: Int64 = 3600
    /// Seconds between write attempts while the database fails.
    static let writeRetryInterval: Int64 = 60
    /// Minimum seconds between two reports of database failures.
    static let reportInterval: Int64 = 900

    public convenience init(sinks: [SinkSettings], store: Store, logger: Logger) {
        self.init(
            sinks: sinks, store: store, logger: logger, now: { .now }, chance: { .random(in: 0..<1) })
    }

    init(
        sinks: [SinkSettings], store: Store, logger: Logger, now: @escaping @Sendable () -> UnixTime,
        chance: @escaping @Sendable () -> Double
    ) {
        inUse = Mutex(sinks)
        self.store = store
        self.logger = logger
        self.now = now
        self.chance = chance
    }

    /// Starts recording notifications for everything written to the store. Call it before mail is read.
    /// - Parameter releasing: retry refused messages, because a new start may follow a corrected configuration.
    public func prepare(releasing: Bool = true) throws(StoreError) {
        let sinks = sinks
        if sinks.isEmpty {
            store.announce(nil)
            // Without sinks, the messages of former sinks need no further work.
            if try !store.outbox.sinkStates().isEmpty { try store.outbox.setSinks([], releasing: false, at: now()) }
            return
        }
        try store.outbox.setSinks(sinks.map(\.name), releasing: releasing, at: now())
        let kinds = sinks.reduce(into: Set<NotificationKind>()) { $0.formUnion($1.events) }
        store.announce(
            NotificationPolicy(
                kinds: kinds, maxAge: Int64(sinks.map(\.maxAge).max() ?? 0),
                changed: { [wake] in wake.wake() },
                databaseFault: { [weak self] error in self?.recordFault(error) }))
    }

    /// Replaces the sinks at a reload. The delivery thread applies them after the message that it is sending. Waiting
    /// messages of a sink that keeps its name use the new settings; its refused messages are retried.
    public func replace(sinks: [SinkSettings]) {
        reloaded.withLock { $0 = sinks }
        wake.wake()
    }

    /// - Returns: true if the sinks were replaced.
    private func applyReload() throws(StoreError) -> Bool {
        let new = reloaded.withLock { reloaded in
            defer { reloaded = nil }
            return reloaded
        }
        guard let new else { return false }
        let before = sinks
        inUse.withLock { $0 = new }
        do { try prepare() } catch {
            inUse.withLock { $0 = before }
            reloaded.withLock { $0 = $0 ?? new }
            throw error
        }
        logger.info("notifications reloaded", metadata: ["sinks": "\(new.map(\.name).joined(separator: ", "))"])
        return true
    }

    private func recordFault(_ error: StoreError) {
        let isNew = databaseFault.withLock { databaseFault in
            let isNew = databaseFault == nil
            databaseFault = error.message
            return isNew
        }
        if isNew { wake.wake() }
    }

    /// What stays from one turn to the next.
    private struct Turns {
        var round: DeliveryRound?
        var hasFailed = false
    }

    /// Delivers until ``Wake/stop()``. Blocks, so it needs its own thread.
    public func run() {
        while !wake.isStopped {
            let pause = turn()
            _ = wake.wait(until: .after(.seconds(sinks.isEmpty ? pause : min(pause, Self.pollInterval))))
        }
    }

    /// Applies a reload, and sends what is due. Blocks; a second thread would wait for the first.
    ///
    /// - Returns: seconds until the next turn, if ``wake`` does not ask for one before.
    public func turn() -> Int64 {
        turns.withLock { turns in
            var next = now() + Self.housekeeping
            do {
                if try applyReload() { turns.round = nil }
                let round = turns.round ?? DeliveryRound(self)
                turns.round = round
                if !sinks.isEmpty, let due = try round.run() { next = min(next, due) }
                turns.hasFailed = false
            } catch {
                if !turns.hasFailed {
                    logger.warning("notifications wait for the database", metadata: ["reason": "\(error)"])
                }
                turns.hasFailed = true
                next = now() + Self.pollInterval
            }
            turns.round?.reportDatabaseFault()
            return max(0, next - now())
        }
    }

    /// Closes the connections that a turn left open for the next one.
    public func closeConnections() { turns.withLock { $0.round?.closeConnections() } }

    /// Sends the messages that are due, then returns.
    public func runOnce() throws(StoreError) {
        _ = try DeliveryRound(self).run()
    }

    /// Sends a test message at once, without the outbox, to each device or to the sink's one receiver.
    /// - Returns: receivers with their failures.
    public static func trial(
        _ sink: SinkSettings, devices: () throws(StoreError) -> [PushDevice], wake: Wake = Wake()
    ) throws(StoreError) -> [(to: String, problem: String?)] {
        let sender = SinkSender(sink)
        let now = UnixTime.now
        let targets: [PushDevice?] = sender.isForDevices ? try devices() : [nil]
        guard !targets.isEmpty else { return [("", "no device has registered itself")] }
        return targets.map { device in
            let notice = Notice(trialOf: sink, id: UUIDText.version4(), at: now)
            let problem: String? =
                switch sender.send(notice, to: device, at: now, wake: wake) {
                case .accepted: nil
                case .later(let reason, _, _, _), .refused(let reason, _), .deviceUnregistered(let reason): reason
                case .stopped: "stopped"
                }
            return (device.map { "device \($0.id)" } ?? "", problem)
        }
    }
}
