import Glibc
import IMAP
import Ingest
import Logging
import Profiles
import ServiceLifecycle
import Settings
import Store
import UnixSignals
import YAMLSource

/// The mailboxes' threads as one service: all end at the same time, within a second of a graceful shutdown or of another service's end by a fault,
/// because every wait of a thread is woken.
struct MailboxService: Service {
    let loops: [any MailboxWatcher]

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for loop in loops { group.addTask { try await onThreadOfItsOwn { loop.run() } } }
                // One whose thread cannot be had ends the others, too: a mailbox that is not watched must not go unnoticed.
                do { try await group.waitForAll() } catch {
                    stop()
                    throw error
                }
            }
        } onCancelOrGracefulShutdown: {
            stop()
        }
    }

    private func stop() { for loop in loops { loop.wake.stop() } }
}

/// SIGHUP: reads the profiles, the sinks of notifications and the server's certificate anew. A set that does not load leaves the old one in force and says why.
struct ReloadService: Service {
    let signals: UnixSignalsSequence
    let settings: Settings
    let profiles: ProfilesInForce
    /// Reads the server's certificate anew.
    let reloadCertificate: @Sendable () throws -> Void
    /// Reads the sinks of notifications anew.
    let reloadSinks: @Sendable () throws -> Void
    let loops: [any MailboxWatcher]
    let manager: ServiceManager
    let logger: Logger

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() {
            manager.reloading()
            do { try reloadCertificate() } catch {
                logger.error("certificate not reloaded, the old one stays in force", metadata: ["reason": "\(error)"])
            }
            do { try reloadSinks() } catch {
                logger.error("notifications not reloaded, the old ones stay in force", metadata: ["reason": "\(error)"])
            }
            do {
                let set = try ProfileSet(deferring: settings)
                profiles.replace(with: set)
                logger.info(
                    "profiles reloaded", metadata: ["banks": "\(set.banks.count)", "templates": "\(set.templateCount)"])
                manager.ready("profiles reloaded")
                // A new bank's older mail is asked for at once, and a changed password tried.
                for loop in loops { loop.wake.wake() }
            } catch {
                logger.error("profiles not reloaded, the old ones stay in force", metadata: ["reason": "\(error)"])
                manager.ready("profiles not reloaded: see the journal")
            }
        }
    }
}

/// Keeps systemd's watchdog fed while every mailbox's thread comes round, its status line true, and what is told of health right when the clock is set.
struct SupervisionService: Service {
    let manager: ServiceManager
    let states: MailboxStates
    let loops: [any MailboxWatcher]
    let store: Store

    /// Seconds after which the status line shows a change.
    private static let look = 5.0
    /// Pages by which the process may grow until what a pass left is given back: 4 MB.
    private static let growth = 1000

    func run() async throws {
        var last = ""
        var pages = 0
        for await _ in Ticks(seconds: min(manager.watchdogInterval ?? Self.look, Self.look)).cancelOnGracefulShutdown()
        {
            if manager.watchdogInterval != nil, states.areAlive { manager.isAlive() }
            await onThread { for loop in loops { loop.followClock() } }
            if !states.all.isEmpty, ProcessMemory.pages > pages + Self.growth,
                states.all.allSatisfy({ $0.state != .connecting && $0.state != .reading })
            {
                await onThread { store.releaseMemory() }
                ProcessMemory.release()
                pages = ProcessMemory.pages
            }
            let status = states.all
                .map { health in
                    "\(health.mailbox): \(health.state.rawValue)" + (health.reason.map { " (\($0.prefix(120)))" } ?? "")
                }
                .joined(separator: "; ").split(whereSeparator: \.isNewline).joined(separator: " ")
            if status != last, !status.isEmpty { manager.status(status) }
            last = status
        }
        manager.stopping()
    }
}

/// Deletes kept mail whose time is over, once a day.
struct Housekeeping: Service {
    let store: Store
    let keepRawDays: Int
    let logger: Logger

    func run() async throws {
        for await _ in Ticks(seconds: 86_400).cancelOnGracefulShutdown() {
            do {
                _ = try await onThread {
                    Result { try store.mails.pruneRaw(rawOlderThan: Int64(time(nil)) - Int64(keepRawDays) * 86_400) }
                }.get()
            } catch {
                logger.warning("old mail not deleted", metadata: ["reason": "\(error)"])
            }
        }
    }
}

/// Empties the write-ahead log when nothing was written for a while, so that a copy of the database file alone is whole. At a stop, ends the waits
/// for another process's lock; the last service of the group, since the group stops its services in reverse order.
struct CheckpointService: Service {
    let store: Store
    let logger: Logger

    private static let interval = 60.0

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
                do { try await onThread { Result { try store.checkpointIfIdle() } }.get() } catch {
                    logger.debug("write-ahead log not emptied", metadata: ["reason": "\(error)"])
                }
            }
        } onCancelOrGracefulShutdown: {
            store.interrupt()
        }
    }
}

/// A tick at once and then every so many seconds.
struct Ticks: AsyncSequence {
    let seconds: Double

    struct AsyncIterator: AsyncIteratorProtocol {
        let seconds: Double
        var isFirst = true

        mutating func next() async -> Void? {
            if isFirst {
                isFirst = false
            } else {
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return nil }
            }
            return ()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(seconds: seconds) }
}
