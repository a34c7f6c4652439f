/// Chooses the households that a worker leases from the free ones, so that neither its room nor the limits of mail
/// servers are exceeded.
///
/// A mailbox that is read has one connection all the time, so a household needs as many connections to a host as it has
/// mailboxes there.
struct LeaseChoice {
    struct Candidate: Hashable {
        let household: Int64
        let mailboxes: Int64
        /// True if nobody took it for ``LeaseTable/fairSeconds``.
        let isOverdue: Bool
        /// Its connections to each host that has a limit.
        var connections: [String: Int64] = [:]
    }

    /// Mailboxes that the worker may read beside those that it has: up to its share, and up to its capacity.
    let fair: Int64
    let most: Int64
    /// Connections that the worker may open beside those that are open.
    var left: [String: Int64]
    private var taken: Int64 = 0

    init(fair: Int64, most: Int64, left: [String: Int64]) { (self.fair, self.most, self.left) = (fair, most, left) }

    /// The households to lease, in the order of the candidates. One that does not fit keeps no other waiting.
    mutating func choose(from candidates: [Candidate]) -> [Int64] {
        candidates.compactMap { candidate in
            let total = taken + candidate.mailboxes
            guard total <= (candidate.isOverdue ? most : min(fair, most)),
                candidate.connections.allSatisfy({ $0.value <= left[$0.key] ?? .max })
            else { return nil }
            taken = total
            for (host, count) in candidate.connections { left[host]? -= count }
            return candidate.household
        }
    }
}
