/// The open connections, and which of them gives way to a new one. Pure.
struct ConnectionTable {
    /// Open at once, of everybody and of one address (of IPv6: one network). A connection costs some 60 kB and a file
    /// descriptor, of which a process has 1024 and the mailboxes need some; a browser opens six, and a proxy in front
    /// of several people some dozens.
    struct Limits {
        var all = 256
        var ofAddress = 64
    }

    enum Verdict: Equatable {
        /// - Parameter instead: the connection that is to be closed for it.
        case taken(_ id: UInt64, instead: UInt64?)
        case refused
    }

    private struct Connection {
        var address: String
        /// A whole request is there and its answer is not: what such a connection waits for is this server.
        var isAnswered = false
        /// Grows with each request: the least was silent for the longest.
        var order: UInt64
    }

    private let limits: Limits
    private var connections: [UInt64: Connection] = [:]
    private var counts: [String: Int] = [:]
    private var next: UInt64 = 0

    init(_ limits: Limits = Limits()) { self.limits = limits }

    var count: Int { connections.count }

    /// Where there is no room, the oldest connection that has no whole request under way gives way: of the same address
    /// where that one has too many, otherwise of the address that has most. Whoever opens many closes his own.
    mutating func open(_ address: String) -> Verdict {
        var instead: UInt64?
        if counts[address, default: 0] >= limits.ofAddress {
            instead = oldest { $0 == address }
            if instead == nil { return .refused }
        } else if connections.count >= limits.all {
            for (other, _) in counts.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
                instead = oldest { $0 == other }
                if instead != nil { break }
            }
            if instead == nil { return .refused }
        }
        if let instead { close(instead) }
        next += 1
        connections[next] = Connection(address: address, order: next)
        counts[address, default: 0] += 1
        return .taken(next, instead: instead)
    }

    /// - Parameter isAnswered: a whole request came; otherwise its answer was given.
    mutating func note(_ id: UInt64, isAnswered: Bool) {
        next += 1
        connections[id]?.isAnswered = isAnswered
        connections[id]?.order = next
    }

    mutating func close(_ id: UInt64) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        let left = counts[connection.address, default: 1] - 1
        counts[connection.address] = left > 0 ? left : nil
    }

    private func oldest(of isMeant: (String) -> Bool) -> UInt64? {
        connections.filter { isMeant($0.value.address) && !$0.value.isAnswered }.min {
            $0.value.order < $1.value.order
        }?.key
    }
}
