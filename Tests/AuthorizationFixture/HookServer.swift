import Dispatch
import Glibc
import Synchronization

/// A receiver of webhooks on the loopback, without TLS: keeps what it was sent, and answers as told.
public final class HookServer: Sendable {
    public struct Delivery: Sendable {
        public let method: String
        public let target: String
        /// Names in lower case.
        public let headers: [String: String]
        public let body: String
    }

    private struct State {
        var deliveries: [Delivery] = []
        /// `nil`: it takes the request and never answers.
        var status: Int? = 200
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let listener: Listener

    public init() throws {
        signal(SIGPIPE, SIG_IGN)
        listener = try Listener()
        listener.serve { [weak self] client in
            guard let peer = Peer(client, context: nil), let request = peer.request(), let self else { return }
            let status = state.withLock { state in
                state.deliveries.append(
                    Delivery(
                        method: request.method, target: request.target, headers: request.headers, body: request.body))
                return state.status
            }
            arrival.signal()
            guard let status else {
                // Until the other side gives up.
                while !peer.read().isEmpty {}
                return
            }
            peer.answer(status, "")
        }
    }

    deinit { listener.stop() }

    public var port: UInt16 { listener.port }
    public var url: String { "http://127.0.0.1:\(port)/hook" }
    public var deliveries: [Delivery] { state.withLock { $0.deliveries } }
    /// Waits until there are so many, for a minute at most. Of one thread only.
    public func await(_ count: Int) -> Bool {
        let end = DispatchTime.now() + 60
        while deliveries.count < count {
            if arrival.wait(timeout: end) == .timedOut { return deliveries.count >= count }
        }
        return true
    }
    /// - Parameter status: `nil`: no answer at all.
    public func answer(_ status: Int?) { state.withLock { $0.status = status } }
}
