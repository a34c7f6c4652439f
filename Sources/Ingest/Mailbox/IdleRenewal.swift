/// How long a connection may idle before it is proved alive, adapted to the line: something between here and the server (NAT, firewall,
/// a phone's network) forgets silent connections after a time that nobody tells. Pure.
struct IdleRenewal: Equatable {
    /// What the configuration allows; the interval begins here and never goes over it.
    let longest: Duration
    private(set) var interval: Duration
    private var successes = 0

    /// More often costs more than a lost line does.
    static let shortest = Duration.seconds(30)
    /// That many renewals in a row make the interval a quarter longer: a day and not an hour to come back from a bad one.
    static let trust = 24

    init(longest: Duration) {
        self.longest = longest
        interval = longest
    }

    /// The server answered after the line had been idle for the whole interval.
    mutating func survived() {
        successes += 1
        guard successes >= Self.trust else { return }
        successes = 0
        interval = min(longest, interval * 5 / 4)
    }

    /// The line was found dead, and nothing had told.
    mutating func died() {
        successes = 0
        interval = max(min(Self.shortest, longest), interval / 2)
    }

    /// How long the answer to a probe is waited for: servers need none of it, slow lines some. The same whatever the line did: a slow one would
    /// otherwise be taken for a dead one more and more often.
    var answer: Duration { max(.seconds(2), min(.seconds(30), longest / 4)) }
}
