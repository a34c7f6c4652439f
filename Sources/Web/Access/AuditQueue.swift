import Chronology
import Glibc
import Logging
import NIOPosix
import ServiceLifecycle
import Store
import Synchronization

/// Collects audit events and the last uses of tokens and sessions, and writes them in batches: no request waits for the
/// disk.
final class AuditQueue: Service, Sendable {
    private struct Waiting {
        var events: [AuditEvent] = []
        var tokens: [String: UnixTime] = [:]
        /// Time of the last request of each live session. Entries stay after a write: the stored times are older.
        var sessions: [String: UnixTime] = [:]
        var changedSessions: Set<String> = []
        var lost = 0

        var isEmpty: Bool { events.isEmpty && tokens.isEmpty && changedSessions.isEmpty && lost == 0 }
    }

    /// Seconds between two writes, and thus the requests that a crash loses. Logins and pairings are written at once.
    private static let interval = 2.0
    /// Limit of events that wait while the disk is full or busy, some 2 MB. Further events are counted and dropped.
    private static let maximumEvents = 10_000
    private static let maximumSessions = 1000

    private let store: Store
    private let days: Int
    private let logger: Logger
    private let waiting = Mutex(Waiting())

    init(store: Store, days: Int, logger: Logger) {
        self.store = store
        self.days = days
        self.logger = logger
    }

    func add(_ event: AuditEvent) {
        guard days > 0 else { return }
        waiting.withLock { waiting in
            if waiting.events.count < Self.maximumEvents { waiting.events.append(event) } else { waiting.lost += 1 }
        }
    }

    func used(token id: String, at instant: UnixTime) { waiting.withLock { $0.tokens[id] = instant } }

    func seen(session id: String, at instant: UnixTime) {
        waiting.withLock { waiting in
            if waiting.sessions.count >= Self.maximumSessions {
                waiting.sessions = waiting.sessions.filter { waiting.changedSessions.contains($0.key) }
            }
            waiting.sessions[id] = instant
            waiting.changedSessions.insert(id)
        }
    }

    func lastSeen(session id: String) -> UnixTime? { waiting.withLock { $0.sessions[id] } }
    func forget(session id: String) {
        waiting.withLock { waiting in
            waiting.sessions[id] = nil
            waiting.changedSessions.remove(id)
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rounds = 0
            while (try? await Task.sleep(for: .seconds(Self.interval))) != nil {
                await self.flush()
                // Once an hour, and ten seconds after the start.
                if rounds % 1800 == 5 { await self.prune() }
                // Once a day, and at the start.
                if rounds % 43_200 == 6 { await self.reportNewest() }
                rounds += 1
            }
        }
        await flush()
    }

    /// Writes the waiting events. If the write fails, they stay in the queue.
    func flush() async {
        let batch = waiting.withLock { waiting -> Waiting? in
            guard !waiting.isEmpty else { return nil }
            let batch = waiting
            waiting.events = []
            waiting.tokens = [:]
            waiting.changedSessions = []
            waiting.lost = 0
            return batch
        }
        guard var batch else { return }
        if batch.lost > 0, let last = batch.events.last {
            batch.events.append(AuditEvent(at: last.at, event: "\(batch.lost) events lost", who: ""))
        }
        let sessions = batch.sessions.filter { batch.changedSessions.contains($0.key) }
        let (tokens, events) = (batch.tokens, batch.events)
        do {
            try await NIOThreadPool.singleton.runIfActive { [store] in
                try store.access.recordUse(usesOfTokens: tokens, seenSessions: sessions, events)
            }
        } catch {
            logger.warning(
                "cannot write the audit log, trying again later",
                metadata: ["reason": "\(error)", "events": "\(events.count)"])
            waiting.withLock { waiting in
                let all = events + waiting.events
                waiting.lost += max(0, all.count - Self.maximumEvents)
                waiting.events = Array(all.prefix(Self.maximumEvents))
            }
        }
    }

    private func prune() async {
        let now = UnixTime.now
        do {
            try await NIOThreadPool.singleton.runIfActive { [store, days] in
                try store.audit.prune(before: now - Int64(days) * 86_400)
            }
        } catch {
            logger.warning("cannot delete old events of the audit log", metadata: ["reason": "\(error)"])
        }
    }

    /// Writes the newest digest to the log, which a program that changes the ledger cannot change.
    private func reportNewest() async {
        do {
            let digest = try await NIOThreadPool.singleton.runIfActive { [store] in try store.audit.newestDigest() }
            logger.info("newest event of the audit log", metadata: ["digest": "\(digest)"])
        } catch {
            logger.warning("cannot read the audit log", metadata: ["reason": "\(error)"])
        }
    }
}
