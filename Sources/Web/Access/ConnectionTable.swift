/// The open connections, and the choice of the one that is closed for a new one. Pure.
struct ConnectionTable {
    /// Limits of open connections. A connection costs some 60 kB and one of the process's 1024 file descriptors, of
    /// which the mailboxes need some. A browser opens six, a proxy in front of several people some dozens.
    struct Limits {
        var all = 256
        /// For one IPv4 address or IPv6 network.
        var ofAddress = 64
    }

    enum Admission: Equatable {
        /// - Parameter closing: the connection to close for it.
        case admitted(_ id: UInt64, closing: UInt64?)
        case refused
    }

    private struct Connection {
        var address: String
        /// True while a complete request waits for its response: the connection waits for this server, not for its
        /// client.
        var isBusy = false
        /// Grows with each request: the connection with the lowest value was idle for the longest.
        var order: UInt64
    }

    private let limits: Limits
    private var connections: [UInt64: Connection] = [:]
    private var counts: [String: Int] = [:]
    private var next: UInt64 = 0

    init(_ limits: Limits = Limits()) { self.limits = limits }

    var count: Int { connections.count }

    /// Admits a connection. At a limit, closes the connection that was idle for the longest and has no request under
    /// way. It belongs to the same address if that is at its limit, otherwise to the address with the most connections.
    /// So a client that opens many connections loses its own.
    ///
    /// - Parameter isProxy: true if only the limit of all counts.
    mutating func open(_ address: String, isProxy: Bool = false) -> Admission {
        var victim: UInt64?
        if !isProxy, counts[address, default: 0] >= limits.ofAddress {
            victim = oldestIdle { $0 == address }
            if victim == nil { return .refused }
        } else if connections.count >= limits.all {
            for (other, _) in counts.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
                victim = oldestIdle { $0 == other }
                if victim != nil { break }
            }
            if victim == nil { return .refused }
        }
        if let victim { close(victim) }
        next += 1
        connections[next] = Connection(address: address, order: next)
        counts[address, default: 0] += 1
        return .admitted(next, closing: victim)
    }

    /// - Parameter isBusy: true after a complete request, false after its response.
    mutating func setBusy(_ id: UInt64, _ isBusy: Bool) {
        next += 1
        connections[id]?.isBusy = isBusy
        connections[id]?.order = next
    }

    mutating func close(_ id: UInt64) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        let left = counts[connection.address, default: 1] - 1
        counts[connection.address] = left > 0 ? left : nil
    }

    private func oldestIdle(from matches: (String) -> Bool) -> UInt64? {
        connections.filter { matches($0.value.address) && !$0.value.isBusy }.min {
            $0.value.order < $1.value.order
        }?.key
    }
}
