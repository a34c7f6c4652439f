import Chronology
import Dispatch
import IMAP
import Ingest
import Logging
import Notify
import Settings
import Store
import Synchronization
import Upkeep

/// What is done for one open household beside reading its mailboxes: the upkeep of its ledger and the delivery of its
/// notifications, by the same code as in `spendwised`.
///
/// It has no thread and no timer: ``ServiceLanes`` asks every household what is due, which reads no ledger, and lends a
/// thread for that.
final class HouseholdServices: Sendable {
    enum Lane: CaseIterable {
        case upkeep
        /// Waits for receivers.
        case delivery
    }

    private struct Planned {
        let job: UpkeepJob
        /// Due if the ledger changed since the last run.
        var earliest: Deadline
        /// Due in any case.
        var latest: Deadline
        /// Of the copy, before the last run.
        var version: Int64?

        init(_ job: UpkeepJob) {
            self.job = job
            earliest = .after(.seconds(job.schedule.beginsAtOnce ? 0 : job.schedule.interval))
            latest = earliest
        }

        func isDue(at version: Int64?) -> Bool {
            latest.isPast || job.schedule.followsChanges && earliest.isPast && version != self.version
        }

        /// Up to a tenth earlier, so that households that were opened together drift apart.
        mutating func plan(after version: Int64?) {
            let interval = job.schedule.interval * Double.random(in: 0.9...1)
            earliest = .after(.seconds(interval))
            latest = earliest
            if job.schedule.followsChanges {
                let idle = Deadline.after(.seconds(HouseholdServices.idleSeconds))
                latest = job.nextDue.map { min($0, idle) } ?? idle
            }
            self.version = version
        }
    }

    private struct State {
        var planned: [Planned]
        var delivery = Deadline.after(.zero)
        /// Handed to a thread, or waiting for one.
        var taken: Set<Lane> = []
        var isStopped = false
    }

    /// Most seconds between two runs of what follows changes while there are none: for example after a change of the
    /// clock.
    private static let idleSeconds = 600.0

    private let store: Store
    /// `nil` without receivers: a delivery needs files of the process.
    private let delivery: Delivery?
    private let state: Mutex<State>
    private let running = DispatchGroup()

    /// Starts recording notifications for everything that is written to the copy.
    ///
    /// - Parameters:
    ///   - settings: with the secrets of the receivers.
    ///   - mailboxes: all of the household.
    init(_ context: MailboxContext, _ settings: Settings, mailboxes: [any MailboxWatcher]) throws {
        store = context.store
        let delivery = Delivery(sinks: settings.notifications, store: store, logger: context.logger)
        try delivery.prepare()
        self.delivery = settings.notifications.isEmpty ? nil : delivery
        let upkeep = UpkeepContext(
            store: store, settings: settings, profiles: context.profiles, mailboxes: { mailboxes },
            states: context.states, logger: context.logger
        ) { settings.statements }
        state = Mutex(State(planned: UpkeepJob.all(upkeep).map(Planned.init)))
    }

    /// Reserves a lane if something in it is due and no thread has it yet: then ``run(_:)`` has to follow. Reads no
    /// ledger.
    func take(_ lane: Lane) -> Bool {
        let version = store.copiedVersion
        return state.withLock { state in
            guard !state.isStopped, !state.taken.contains(lane) else { return false }
            let isDue =
                switch lane {
                case .upkeep: state.planned.contains { $0.isDue(at: version) }
                case .delivery: delivery.map { $0.wake.consume() || state.delivery.isPast } ?? false
                }
            if isDue { state.taken.insert(lane) }
            return isDue
        }
    }

    /// Does what is due in a lane that was taken. Blocks.
    func run(_ lane: Lane) {
        let isWanted = state.withLock { state in
            if !state.isStopped { running.enter() }
            return !state.isStopped
        }
        guard isWanted else { return }
        switch lane {
        case .upkeep: upkeep()
        case .delivery: deliver()
        }
        state.withLock { _ = $0.taken.remove(lane) }
        running.leave()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } || store.hasEnded }

    private func upkeep() {
        let count = state.withLock { $0.planned.count }
        for index in 0..<count where !isStopped {
            let version = store.copiedVersion
            let job = state.withLock { state in
                state.planned[index].isDue(at: version) ? state.planned[index].job : nil
            }
            guard let job else { continue }
            job.run(isStopped: { isStopped })
            state.withLock { $0.planned[index].plan(after: version) }
        }
        // Pages and statements that the mailboxes do not need. Its allocations serve the next household.
        store.releaseMemory()
    }

    private func deliver() {
        guard let delivery, !isStopped else { return }
        let pause = delivery.turn()
        delivery.closeConnections()
        state.withLock { $0.delivery = .after(.seconds(pause)) }
    }

    /// Others wrote the ledger, such as a person who asks for a test message.
    func ledgerChanged() { delivery?.wake.wake() }

    /// Ends what runs, and begins nothing any more. Returns at once.
    func stop() {
        state.withLock { $0.isStopped = true }
        delivery?.wake.stop()
    }

    /// Blocks until nothing runs, after ``stop()``.
    func waitUntilEnded() { running.wait() }
}
