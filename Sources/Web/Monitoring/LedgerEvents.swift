import Access
import Chronology
import Logging
import NIOPosix
import ServiceLifecycle
import Store
import Synchronization

/// Tells open pages that the ledger changed: only that, not what. One query serves all streams; without a stream there
/// is none.
final class LedgerEvents: Service, Sendable {
    /// Limits of open streams. Each holds a connection, of which a browser has six for one site.
    struct Limits {
        var all = 64
        var ofLogin = 6
    }

    /// Whose a stream is: it ends with the login or the token.
    struct Login: Hashable, Sendable {
        var kind: Identity.Kind
        /// Of the session or the token; an address without either.
        var id: String
    }

    /// The state of the ledger, as numbers that are compared only; the same number again is a heartbeat. A slow reader
    /// gets the newest.
    struct Stream: Sendable {
        var login: Login
        var numbers: AsyncStream<UInt64>
        fileprivate var continuation: AsyncStream<UInt64>.Continuation

        func end() { continuation.finish() }
    }

    private struct State {
        var streams: [UInt64: (login: Login, continuation: AsyncStream<UInt64>.Continuation)] = [:]
        var lastID: UInt64 = 0
        var version: LedgerVersion?
        /// The number of ``version``. It begins anywhere, so that it tells nothing about the ledger.
        var number = UInt64.random(in: 0..<1 << 48)
    }

    /// Seconds between two queries.
    private static let interval = 2.0
    /// Queries between two heartbeats, by which a stream finds that its reader has gone.
    private static let heartbeat = 8

    private let store: Store
    private let access: AccessGuard
    private let logger: Logger
    private let limits: Limits
    private let state = Mutex(State())

    init(store: Store, access: AccessGuard, logger: Logger, limits: Limits = Limits()) {
        self.store = store
        self.access = access
        self.logger = logger
        self.limits = limits
    }

    var count: Int { state.withLock { $0.streams.count } }

    /// Opens a stream that ends with the login, or when the value is released. Its first number is the present state.
    ///
    /// - Returns: `nil` at a limit.
    func open(for login: Login) async throws -> Stream? {
        let (numbers, continuation) = AsyncStream.makeStream(of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> UInt64? in
            guard state.streams.count < limits.all,
                state.streams.values.count(where: { $0.login == login }) < limits.ofLogin
            else { return nil }
            state.lastID += 1
            state.streams[state.lastID] = (login, continuation)
            return state.lastID
        }
        guard let id else { return nil }
        continuation.onTermination = { [weak self] _ in self?.close(id) }
        try await poll()
        continuation.yield(state.withLock { $0.number })
        return Stream(login: login, numbers: numbers, continuation: continuation)
    }

    /// Ends all streams.
    func endAll() { for stream in state.withLock({ Array($0.streams.values) }) { stream.continuation.finish() } }

    private func close(_ id: UInt64) { _ = state.withLock { $0.streams.removeValue(forKey: id) } }

    /// Compares the ledger with its last state, and ends the streams of logins that ended.
    ///
    /// - Parameter beats: also sends the present number again.
    func poll(beats: Bool = false) async throws {
        let logins = state.withLock { Set($0.streams.values.map(\.login)) }
        guard !logins.isEmpty else { return }
        let now = access.clock.wall()
        let (version, ended) = try await NIOThreadPool.singleton.runIfActive { [store, access] in
            try store.read { ledger in
                (
                    try ledger.journal.version(),
                    try logins.filter { try !$0.holds(in: ledger, access, at: now) }
                )
            }
        }
        let (number, isTold, streams) = state.withLock { state in
            let isNew = version != state.version
            if isNew { (state.version, state.number) = (version, state.number &+ 1) }
            return (state.number, isNew || beats, Array(state.streams.values))
        }
        // Without the lock: the end of a stream takes it.
        for stream in streams {
            if ended.contains(stream.login) {
                stream.continuation.finish()
            } else if isTold {
                stream.continuation.yield(number)
            }
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rounds = 0
            while (try? await Task.sleep(for: .seconds(Self.interval))) != nil {
                rounds += 1
                do { try await self.poll(beats: rounds % Self.heartbeat == 0) } catch {
                    self.logger.debug("changes not read", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}

extension LedgerEvents.Login {
    fileprivate func holds(in ledger: Snapshot, _ access: AccessGuard, at now: UnixTime) throws -> Bool {
        switch kind {
        case .person:
            guard let session = try ledger.access.session(id: id), access.isLive(session, at: now) else { return false }
            return try ledger.access.user(session.user)?.isEnabled ?? false
        case .token, .device:
            guard let token = try ledger.access.token(id: id), token.isValid(at: now) else { return false }
            return try ledger.access.user(token.user)?.isEnabled ?? false
        case .local, .unknown: return true
        }
    }
}
