import Chronology
import IMAP
import Ledger
import Logging
import Randomness
import Settings
import Store
import Synchronization

/// State of the delivery thread between its rounds.
final class DeliveryRound {
    /// It keeps the round.
    private unowned let delivery: Delivery
    private let senders: [String: SinkSender]
    private let groupings: [EventGrouping]
    /// Creation times of each sink's latest messages, for the limit per minute.
    private var creationTimes: [String: [UnixTime]] = [:]
    private var lastHousekeeping: UnixTime?
    /// Report of a database failure: sinks still to be notified, and the time of the next write attempt.
    private var unnotified: [SinkSender]?
    private var notified: [SinkSender] = []
    private var nextWriteAttempt = UnixTime.epoch

    private static let batch = 200

    private var store: Store { delivery.store }

    init(_ delivery: Delivery) {
        self.delivery = delivery
        senders = Dictionary(delivery.sinks.map { ($0.name, SinkSender($0)) }) { $1 }
        groupings = delivery.sinks.map(EventGrouping.init)
    }

    /// Creates messages from new events and sends the due ones.
    /// - Returns: the time when the next message is due.
    func run() throws(StoreError) -> UnixTime? {
        try sendTrials()
        while try store.outbox.hasUnposted(), try post() {}
        while try send(), !delivery.wake.isStopped {}
        try prune()
        return try store.outbox.nextDue()
    }

    /// Sends the test messages that a person requested on the page, each once, whatever quiet hours say.
    private func sendTrials() throws(StoreError) {
        for name in try store.outbox.requestedTrials() {
            guard !delivery.wake.isStopped, let sink = senders[name]?.sink else { continue }
            try store.confirmWriter()
            let results = try Delivery.trial(
                sink, devices: { () throws(StoreError) in try store.devices.activePushDevices() }, wake: delivery.wake)
            let problems = results.compactMap { to, problem in
                problem.map { to.isEmpty ? $0 : "\(to): \($0)" }
            }
            try store.outbox.finishTrial(
                of: name, problem: problems.isEmpty ? nil : problems.joined(separator: "; "), at: delivery.now())
        }
    }

    /// - Returns: true if any sink had new events.
    private func post() throws(StoreError) -> Bool {
        var hasPosted = false
        let states = Dictionary(try store.outbox.sinkStates().map { ($0.name, $0) }) { $1 }
        for grouping in groupings {
            let name = grouping.sink.name
            let now = delivery.now()
            let (events, last) = try store.outbox.unposted(of: name, limit: Self.batch)
            guard let last else { continue }
            hasPosted = true
            let recent = (creationTimes[name] ?? []).filter { $0 > now - EventGrouping.window }
            let blockedUntil = states[name].flatMap { $0.failures > 0 ? max($0.blockedUntil ?? now, now) : nil }
            let postings = grouping.plan(
                events, open: try store.outbox.openMessage(of: name, at: now), blockedUntil: blockedUntil,
                recent: recent.count,
                oldest: recent.first, at: now)
            try store.outbox.post(postings, of: name, through: last, at: now)
            creationTimes[name] = recent + postings.compactMap { if case .message = $0 { now } else { nil } }
        }
        return hasPosted
    }

    /// - Returns: true if more messages may be due.
    private func send() throws(StoreError) -> Bool {
        var blocked: Set<String> = []
        var hasMore = false
        for message in try store.outbox.dueMessages(at: delivery.now(), limit: Self.batch) {
            if delivery.wake.isStopped { return false }
            guard !blocked.contains(message.sink), let sender = senders[message.sink] else { continue }
            let now = delivery.now()
            if !message.isUrgent, let end = groupings.first(where: { $0.sink.name == message.sink })?.quietEnd(at: now)
            {
                try store.outbox.postpone(message, until: end, nil, failed: false)
                continue
            }
            guard let notice = Notice(try store.outbox.events(message.events), of: message, for: sender.sink) else {
                try store.outbox.complete(message, "nothing was left to report", at: now)
                continue
            }
            if sender.isForDevices, message.target.isEmpty {
                let devices = try store.devices.activePushDevices()
                guard !devices.isEmpty else {
                    try store.outbox.complete(message, "no device has registered itself", at: now)
                    continue
                }
                try store.outbox.address(message.seq, to: devices.map(\.id))
                hasMore = true
                continue
            }
            if try !deliver(message, by: sender, notice) { blocked.insert(message.sink) }
        }
        return hasMore
    }

    /// - Returns: true if the sink accepts further messages.
    private func deliver(_ message: OutboxMessage, by sender: SinkSender, _ notice: Notice) throws(StoreError) -> Bool {
        let device = sender.isForDevices ? try store.devices.activePushDevices().first { $0.id == message.target } : nil
        let isAccepted = delivery.accepted.withLock { $0.contains(message.id) }
        // A worker that lost the household may still have a message that another one has sent meanwhile.
        if !isAccepted { try store.confirmWriter() }
        let result =
            isAccepted ? .accepted : sender.send(notice, to: device, at: delivery.now(), wake: delivery.wake)
        let now = delivery.now()
        switch result {
        case .accepted:
            delivery.accepted.withLock { _ = $0.insert(message.id) }
            if try store.outbox.complete(message, at: now) {
                delivery.logger.notice("notifications arrive again", metadata: ["sink": "\(message.sink)"])
            }
            delivery.accepted.withLock { _ = $0.remove(message.id) }
            return true
        case .later(let reason, let pace, let asked, let wholeSink):
            let failures = max(
                message.attempts, try store.outbox.sinkStates().first { $0.name == message.sink }?.failures ?? 0)
            let pause = Backoff.pause(failures: failures, pace, asked: asked, chance: delivery.chance())
            try store.outbox.postpone(message, until: now + pause, reason, failed: true, blocksSink: wholeSink)
            // Each failure is logged once; the state shows the number of attempts.
            delivery.logger.log(
                level: failures == 0 ? .warning : .debug, "a notification was not accepted; it is retried",
                metadata: ["sink": "\(message.sink)", "reason": "\(reason)", "retry.seconds": "\(pause)"])
            return !wholeSink
        case .refused(let reason, let wholeSink):
            try store.outbox.park(message, reason, blockedUntil: wholeSink ? now + Backoff.refusal : nil, at: now)
            delivery.logger.error(
                "a notification was refused", metadata: ["sink": "\(message.sink)", "reason": "\(reason)"])
            return !wholeSink
        case .deviceUnregistered(let reason):
            if let device { try store.devices.deactivate(device) }
            try store.outbox.complete(message, "the device is gone: \(reason)", at: now)
            delivery.logger.notice(
                "a device no longer accepts notifications",
                metadata: ["sink": "\(message.sink)", "device": "\(message.target)", "reason": "\(reason)"])
            return true
        case .stopped: return false
        }
    }

    func closeConnections() { for sender in senders.values { sender.closeConnection() } }

    private func prune() throws(StoreError) {
        let now = delivery.now()
        if let last = lastHousekeeping, now - last < Delivery.housekeeping, now >= last { return }
        try store.outbox.prune(at: now)
        lastHousekeeping = now
    }

    /// Reports a failure of the ledger without the ledger: at once or at the end of quiet hours, repeated until one
    /// attempt succeeds.
    func reportDatabaseFault() {
        guard let reason = delivery.databaseFault.withLock({ $0 }) else { return }
        let now = delivery.now()
        guard now >= nextWriteAttempt else { return }
        nextWriteAttempt = now + Delivery.writeRetryInterval
        if unnotified == nil { unnotified = senders.values.filter { $0.sink.events.contains(.database) } }
        unnotified = unnotified?.filter { sender in
            let grouping = EventGrouping(sender.sink)
            guard grouping.passesQuiet(.database) || grouping.quietEnd(at: now) == nil else { return true }
            guard notify(sender, reason, at: now) else { return true }
            notified.append(sender)
            return false
        }
        do { try store.proveWritable() } catch { return }
        // The database accepts writes again.
        delivery.databaseFault.withLock { $0 = nil }
        for sender in notified { _ = notify(sender, nil, at: now) }
        // A disk that fills up again at once is not reported again at once.
        (unnotified, notified, nextWriteAttempt) = (nil, [], now + Delivery.reportInterval)
    }

    private func notify(_ sender: SinkSender, _ reason: String?, at now: UnixTime) -> Bool {
        let shown = sender.sink.hidesDetails ? reason.map { _ in "The journal shows the reason." } : reason
        let notice = Notice(databaseFault: shown, id: UUIDText.version4(), at: now)
        let devices: [PushDevice?] = sender.isForDevices ? (try? store.devices.activePushDevices()) ?? [] : [nil]
        return devices.allSatisfy { device in
            switch sender.send(notice, to: device, at: now, wake: delivery.wake) {
            // A refused report would be refused again.
            case .accepted, .refused, .deviceUnregistered: true
            case .later, .stopped: false
            }
        }
    }
}
