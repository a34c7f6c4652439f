import Access
import Codecs
import Logging
import NIOCore
import Synchronization

/// The connections of this process, shared by the event loops.
final class Connections: Sendable {
    /// Timeouts of a client. Without them, a client that sends slowly keeps its connection forever.
    struct Times {
        /// Until the header of the first request is complete, including the TLS handshake.
        var header = TimeAmount.seconds(20)
        /// From the header to the end of the body. Each ``bodyBytes`` extend it by the same time: the largest body gets
        /// nine minutes.
        var body = TimeAmount.seconds(30)
        var bodyBytes = 512 << 10
        /// For the rest of a body that is discarded, so that the client reads the response before the connection ends
        /// (RFC 9112, section 9.6).
        var rest = TimeAmount.seconds(2)
        /// While the client accepts no byte of the response.
        var answer = TimeAmount.seconds(60)
        /// For a request under way during a shutdown.
        var leave = TimeAmount.seconds(4)
    }

    private struct State {
        var table: ConnectionTable
        var channels: [UInt64: any Channel] = [:]
        var nextNotice: NIODeadline = .uptimeNanoseconds(0)
    }

    let times: Times
    private let proxies: TrustedProxies
    private let state: Mutex<State>
    private let logger: Logger

    /// Between two log lines about closed connections.
    private static let noticeInterval = TimeAmount.minutes(1)

    /// - Parameter proxies: have no limit of their own: their connections are those of many clients.
    init(
        _ limits: ConnectionTable.Limits = .init(), times: Times = Times(), proxies: TrustedProxies = .init(),
        logger: Logger
    ) {
        self.times = times
        self.proxies = proxies
        self.logger = logger
        state = Mutex(State(table: ConnectionTable(limits)))
    }

    var count: Int { state.withLock { $0.table.count } }

    /// - Returns: `nil` if the limits refuse it.
    func open(_ channel: any Channel) -> UInt64? {
        let peer = IPAddress(channel.remoteAddress)
        let (address, isProxy) = (peer?.client ?? "", peer.map(proxies.contains) ?? false)
        let (id, closing, isNoticeDue): (UInt64?, (any Channel)?, Bool) = state.withLock { state in
            var (id, closing): (UInt64?, (any Channel)?) = (nil, nil)
            if case .admitted(let new, let victim) = state.table.open(address, isProxy: isProxy) {
                id = new
                state.channels[new] = channel
                if let victim { closing = state.channels.removeValue(forKey: victim) }
            }
            guard id == nil || closing != nil else { return (id, closing, false) }
            let isNoticeDue = state.nextNotice <= .now()
            if isNoticeDue { state.nextNotice = .now() + Self.noticeInterval }
            return (id, closing, isNoticeDue)
        }
        closing?.close(promise: nil)
        if isNoticeDue {
            logger.notice("too many open connections, closing the longest idle", metadata: ["address": "\(address)"])
        }
        return id
    }

    func setBusy(_ id: UInt64, _ isBusy: Bool) { state.withLock { $0.table.setBusy(id, isBusy) } }

    func close(_ id: UInt64) {
        state.withLock { state in
            state.table.close(id)
            state.channels[id] = nil
        }
    }
}
