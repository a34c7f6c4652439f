/// The interval after which an idle connection is probed. It adapts to the network: NATs, firewalls and mobile networks
/// drop silent connections after unknown times. Pure.
struct IdleRenewal: Equatable {
    /// The configured maximum, and the first interval.
    let longest: Duration
    private(set) var interval: Duration
    private var successes = 0

    /// A shorter interval costs more than a lost connection.
    static let shortest = Duration.seconds(30)
    /// Consecutive successes after which the interval grows by a quarter: recovery takes a day, not an hour.
    static let trust = 24

    init(longest: Duration) {
        self.longest = longest
        interval = longest
    }

    /// Records that the server responded after an idle interval.
    mutating func survived() {
        successes += 1
        guard successes >= Self.trust else { return }
        successes = 0
        interval = min(longest, interval * 5 / 4)
    }

    /// Records that the connection had died without notice.
    mutating func died() {
        successes = 0
        interval = max(min(Self.shortest, longest), interval / 2)
    }

    /// The time limit of the response to a probe. Servers need no time for it, slow connections some. It does not
    /// adapt: a slow connection would otherwise be judged dead more and more often.
    var answer: Duration { max(.seconds(2), min(.seconds(30), longest / 4)) }
}
