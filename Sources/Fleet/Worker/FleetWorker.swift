import Chronology
import Dispatch
import IMAP
public import Logging
public import Profiles
import Store
public import YAMLSource

/// A worker of a fleet: it leases households and reads their mailboxes until it is stopped.
public final class FleetWorker: Sendable {
    private let wake = Wake()
    private let fleet: FleetConfiguration
    private let profiles: ProfileSet
    private let logger: Logger
    /// Most mailboxes that it reads.
    public let capacity: Int
    /// Its health and figures, for others.
    public let monitor: WorkerMonitor

    /// Time between two looks at the leases: with the length of a lease, a killed worker is replaced within 30 seconds.
    private static let interval = Duration.seconds(2)

    /// - Throws: if the configuration is none of a worker.
    public init(_ fleet: FleetConfiguration, profiles: ProfileSet, logger: Logger) throws(SourceError) {
        capacity = try fleet.mailboxes.get()
        (self.fleet, self.profiles, self.logger) = (fleet, profiles, logger)
        monitor = WorkerMonitor(fleet)
    }

    /// Ends the work: every lease is given back first. Returns at once.
    public func stop() { wake.stop() }

    /// Works until ``stop()``, an order to drain, or the removal of this worker by others because it did not renew
    /// for the length of a lease: then it registers again. Blocks; call it on a separate thread.
    ///
    /// - Throws: if the database cannot be used at the start.
    public func run() throws {
        try FleetDatabase(fleet.postgresql).check()
        let copies = try CopyFolder(fleet.copies)
        while !wake.isStopped {
            monitor.stepped([])
            do {
                let round = try Round(fleet, capacity, copies, profiles, monitor, logger)
                if try round.run(until: wake) == .drained { return }
            } catch {
                logger.error("fleet cannot be reached", metadata: ["reason": "\(error)"])
                _ = wake.wait(until: .after(Self.interval))
            }
        }
    }

    /// The work under one registration.
    private final class Round {
        enum End { case drained, removed }

        /// Households that are opened at a time. Others stay free meanwhile, for workers that have opened theirs; all
        /// at once would need the memory and the processor time of all at once.
        private static let mostOpening = 32
        /// Time until the next look while that many are: each takes some milliseconds.
        private static let fullInterval = Duration.milliseconds(250)
        /// The end of a lease that is renewed now.
        private static var lease: Deadline { .after(.seconds(LeaseTable.seconds)) }

        private let id: Int64
        private let leases: LeaseTable
        private let households: Households
        private let copies: CopyFolder
        private let fleet: FleetConfiguration
        private let profiles: ProfileSet
        private let monitor: WorkerMonitor
        private let logger: Logger
        private var runs: [Int64: HouseholdRun] = [:]
        /// Has a member for each run that has not ended.
        private let running = DispatchGroup()
        /// Leases of households whose former run has not ended yet.
        private var next: [Int64: Lease] = [:]
        /// True if more households were free than may be opened at a time.
        private var isFull = false
        private var renewal = Deadline.after(.zero)
        /// Until then this worker ends no other: if PostgreSQL was unavailable, others need this time to renew.
        private var patience = Round.lease
        private let memory = IdleMemory()
        private let lanes = ServiceLanes()

        init(
            _ fleet: FleetConfiguration, _ capacity: Int, _ copies: CopyFolder, _ profiles: ProfileSet,
            _ monitor: WorkerMonitor, _ logger: Logger
        ) throws {
            (self.fleet, self.copies, self.profiles, self.logger) = (fleet, copies, profiles, logger)
            self.monitor = monitor
            id = try LeaseTable(FleetDatabase(fleet.postgresql)).register(fleet.name, capacity: capacity)
            // Renewals must not wait behind the households that are being opened: they would lose all leases.
            leases = LeaseTable(FleetDatabase(fleet.postgresql, worker: id, connections: 1))
            households = Households(FleetDatabase(fleet.postgresql, worker: id))
            logger.info("worker registered", metadata: ["worker": "\(id)"])
        }

        /// Works until a stop, an order to drain or the removal of this registration, and ends all threads.
        func run(until wake: Wake) throws -> End {
            var end = End.drained
            work: while !wake.isStopped {
                do {
                    switch try step() {
                    case nil: break
                    case let found?:
                        end = found
                        break work
                    }
                } catch {
                    patience = Self.lease
                    // Nothing is lost meanwhile: no commit succeeds without the database.
                    logger.error("leases not renewed", metadata: ["reason": "\(error)"])
                }
                monitor.stepped(Array(runs.values))
                _ = wake.wait(until: .after(isFull ? Self.fullInterval : FleetWorker.interval))
            }
            for run in runs.values { run.stop() }
            running.wait()
            try leases.unregister(id)
            logger.info("worker ended", metadata: ["worker": "\(id)"])
            return end
        }

        private func step() throws -> End? {
            if renewal.isPast {
                guard let found = try leases.renew(id) else { return .removed }
                renewal = .after(.seconds(LeaseTable.renewalSeconds))
                monitor.renewed()
                if found.isLate { patience = Self.lease }
                for (household, run) in runs {
                    // Other settings: the household is given back, and leased again with them.
                    let isInForce =
                        found.held[household].map { $0.lease == run.lease && !run.isOlder(than: $0.revision) } ?? false
                    if !isInForce { run.stop() }
                }
                if found.isDraining { return .drained }
                for household in try leases.surplus(of: id) { runs[household]?.stop() }
                // Leases that this worker does not know: they could not be given back, or PostgreSQL failed over to a
                // server to which their return was not replicated.
                for (household, held) in found.held where runs[household] == nil && next[household] == nil {
                    next[household] = held.lease
                }
            }
            for run in runs.values where run.isStale { run.stop() }
            for (household, version) in try leases.versions(leasedBy: id) { runs[household]?.catchUp(to: version) }
            for (household, run) in runs where run.hasEnded {
                runs[household] = nil
                try leases.release(run.lease)
            }
            if patience.isPast { try leases.endDead() }
            let opening = runs.values.count { $0.isOpening } + next.count
            let room = Self.mostOpening - opening
            if room > 0 {
                let acquired = try leases.acquire(id, atMost: room)
                for lease in acquired { next[lease.household] = lease }
                isFull = acquired.count == room
            }
            for (household, lease) in next where runs[household] == nil {
                next[household] = nil
                start(lease)
            }
            lanes.pass(over: runs.values.compactMap(\.services))
            memory.release(runs.values)
            return nil
        }

        private func start(_ lease: Lease) {
            let run = HouseholdRun(lease, fleet, copies, households, profiles, monitor.meter, logger)
            runs[lease.household] = run
            running.enter()
            Task { [running] in
                await run.run()
                running.leave()
            }
        }
    }
}
