import Chronology
import Glibc
public import IMAP
import Ledger
public import Logging
import Randomness
public import Settings
public import Store
import Synchronization

/// Tells what happens to whoever the configuration names: turns events into messages, and sends what is due, on one
/// thread of its own.
public final class Delivery: Sendable {
    /// The sinks in force.
    public var sinks: [SinkSettings] { told.withLock { $0 } }
    private let told: Mutex<[SinkSettings]>
    /// The sinks of a reload, until the thread takes them over.
    private let reloaded = Mutex<[SinkSettings]?>(nil)
    let store: Store
    let logger: Logger
    let now: @Sendable () -> Int64
    let chance: @Sendable () -> Double
    /// Ends every wait: for a stop, or where there is something new.
    public let wake = Wake()
    /// The message of the database when it could not be written.
    let trouble = Mutex<String?>(nil)

    /// Another process, such as `parserctl notify retry`, cannot wake this one: so often it looks by itself.
    static let look: Int64 = 10
    static let housekeeping: Int64 = 3600
    /// Seconds between tries to write while the database refuses.
    static let troubleLook: Int64 = 60
    /// And after it was well again.
    static let troublePause: Int64 = 900

    public convenience init(sinks: [SinkSettings], store: Store, logger: Logger) {
        self.init(
            sinks: sinks, store: store, logger: logger, now: { UnixTime.now.seconds }, chance: { .random(in: 0..<1) })
    }

    init(
        sinks: [SinkSettings], store: Store, logger: Logger, now: @escaping @Sendable () -> Int64,
        chance: @escaping @Sendable () -> Double
    ) {
        told = Mutex(sinks)
        self.store = store
        self.logger = logger
        self.now = now
        self.chance = chance
    }

    /// From here on everything that is written to the store is announced. Call it before mail is read.
    /// - Parameter releasing: what was refused is tried again: a new start may follow a mended configuration.
    public func prepare(releasing: Bool = true) throws(StoreError) {
        let sinks = sinks
        if sinks.isEmpty {
            store.announce(nil)
            // No sinks: the messages of former sinks need no further work.
            if try !store.outbox.sinkStates().isEmpty { try store.outbox.setSinks([], releasing: false, at: now()) }
            return
        }
        try store.outbox.setSinks(sinks.map(\.name), releasing: releasing, at: now())
        let kinds = sinks.reduce(into: Set<NotificationKind>()) { $0.formUnion($1.events) }
        store.announce(
            NotificationPolicy(
                kinds: kinds.subtracting([.database]), maxAge: Int64(sinks.map(\.maxAge).max() ?? 0),
                changed: { [wake] in wake.wake() },
                trouble: { [weak self] error in self?.note(error) }))
    }

    /// From a reload on others are told, or otherwise: the delivering thread takes them over when the message that it
    /// is sending is settled. What waits for a sink that keeps its name is sent to it as it is now; what it had refused
    /// is tried again.
    public func replace(sinks: [SinkSettings]) {
        reloaded.withLock { $0 = sinks }
        wake.wake()
    }

    /// - Returns: whether others are told now.
    private func takeOver() throws(StoreError) -> Bool {
        let taken = reloaded.withLock { reloaded in
            defer { reloaded = nil }
            return reloaded
        }
        guard let taken else { return false }
        let before = sinks
        told.withLock { $0 = taken }
        do { try prepare() } catch {
            told.withLock { $0 = before }
            reloaded.withLock { $0 = $0 ?? taken }
            throw error
        }
        logger.info("notifications reloaded", metadata: ["sinks": "\(taken.map(\.name).joined(separator: ", "))"])
        return true
    }

    private func note(_ error: StoreError) {
        let isNew = trouble.withLock { trouble in
            let isNew = trouble == nil
            trouble = error.message
            return isNew
        }
        if isNew { wake.wake() }
    }

    /// Delivers until ``Wake/stop()``. Blocks; call it from a thread of its own.
    public func run() {
        var round = DeliveryRound(self)
        var hasFailed = false
        while !wake.isStopped {
            let patience = sinks.isEmpty ? Self.housekeeping : Self.look
            var next = now() + patience
            do {
                if try takeOver() {
                    round = DeliveryRound(self)
                    continue
                }
                if !sinks.isEmpty { next = min(next, try round.run() ?? next) }
                hasFailed = false
            } catch {
                if !hasFailed {
                    logger.warning("notifications wait for the database", metadata: ["reason": "\(error)"])
                }
                hasFailed = true
                next = now() + Self.look
            }
            round.tellTrouble()
            _ = wake.wait(until: .after(.seconds(max(0, min(next - now(), patience)))))
        }
    }

    /// Sends what is due now, and ends.
    public func runOnce() throws(StoreError) {
        _ = try DeliveryRound(self).run()
    }

    /// Sends a trial message to each device, or to the sink's one receiver: past the outbox, at once.
    /// - Returns: to whom, and what went wrong.
    public static func trial(
        _ sink: SinkSettings, devices: () throws(StoreError) -> [PushDevice], wake: Wake = Wake()
    ) throws(StoreError) -> [(to: String, problem: String?)] {
        let sender = SinkSender(sink)
        let now = UnixTime.now.seconds
        let targets: [PushDevice?] = sender.isForDevices ? try devices() : [nil]
        guard !targets.isEmpty else { return [("", "no device has registered itself")] }
        return targets.map { device in
            let notice = Notice(trialOf: sink, id: UUIDText.version4(), at: now)
            let problem: String? =
                switch sender.send(notice, to: device, at: now, wake: wake) {
                case .taken: nil
                case .later(let reason, _, _, _), .refused(let reason, _), .deviceGone(let reason): reason
                case .stopped: "stopped"
                }
            return (device.map { "device \($0.id)" } ?? "", problem)
        }
    }
}
