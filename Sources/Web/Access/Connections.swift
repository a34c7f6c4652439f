import Logging
import NIOCore
import Synchronization

/// The connections of this process, shared by the threads that serve them.
final class Connections: Sendable {
    /// How long a client may take. Without these whoever says little, slowly, holds a place for ever.
    struct Times {
        /// Until the first request's header is whole, the TLS handshake included.
        var header = TimeAmount.seconds(20)
        /// From there until its body is whole, and as much again for each ``bodyBytes``: the largest body gets nine
        /// minutes.
        var body = TimeAmount.seconds(30)
        var bodyBytes = 512 << 10
        /// For the rest of a body that nobody wants, so that the answer is read before the connection ends (RFC 9112
        /// section 9.6).
        var rest = TimeAmount.seconds(2)
        /// Without taking a byte of the answer.
        var answer = TimeAmount.seconds(60)
        /// For a request under way when the daemon is to end.
        var leave = TimeAmount.seconds(4)
    }

    private struct State {
        var table: ConnectionTable
        var channels: [UInt64: any Channel] = [:]
        var nextWord: NIODeadline = .uptimeNanoseconds(0)
    }

    let times: Times
    private let state: Mutex<State>
    private let logger: Logger

    private static let silence = TimeAmount.minutes(1)

    init(_ limits: ConnectionTable.Limits = .init(), times: Times = Times(), logger: Logger) {
        self.times = times
        self.logger = logger
        state = Mutex(State(table: ConnectionTable(limits)))
    }

    var count: Int { state.withLock { $0.table.count } }

    /// - Returns: `nil` where there is no room for it.
    func open(_ channel: any Channel, from address: String) -> UInt64? {
        let (id, given, isNews): (UInt64?, (any Channel)?, Bool) = state.withLock { state in
            var (id, given): (UInt64?, (any Channel)?) = (nil, nil)
            if case .taken(let new, let instead) = state.table.open(address) {
                id = new
                state.channels[new] = channel
                if let instead { given = state.channels.removeValue(forKey: instead) }
            }
            guard id == nil || given != nil else { return (id, given, false) }
            let isNews = state.nextWord <= .now()
            if isNews { state.nextWord = .now() + Self.silence }
            return (id, given, isNews)
        }
        given?.close(promise: nil)
        if isNews {
            logger.notice("many connections are open: the oldest are closed", metadata: ["address": "\(address)"])
        }
        return id
    }

    func note(_ id: UInt64, isAnswered: Bool) { state.withLock { $0.table.note(id, isAnswered: isAnswered) } }

    func close(_ id: UInt64) {
        state.withLock { state in
            state.table.close(id)
            state.channels[id] = nil
        }
    }
}
