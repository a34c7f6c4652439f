import Dispatch
import Glibc
import Synchronization

/// A webhook receiver on the loopback interface, without TLS. Records requests and sends configured answers.
public final class HookServer: Sendable {
    public struct Delivery: Sendable {
        public let method: String
        public let target: String
        /// Header fields, names in lower case.
        public let headers: [String: String]
        public let body: String
    }

    private struct State {
        var deliveries: [Delivery] = []
        /// `nil` to read the request and never answer.
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
                // Wait until the client closes.
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
    /// Waits for `count` requests, one minute at most. Call from one thread only.
    public func await(_ count: Int) -> Bool {
        let end = DispatchTime.now() + 60
        while deliveries.count < count {
            if arrival.wait(timeout: end) == .timedOut { return deliveries.count >= count }
        }
        return true
    }
    /// - Parameter status: `nil` for no answer.
    public func answer(_ status: Int?) { state.withLock { $0.status = status } }
}
