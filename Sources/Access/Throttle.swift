public import Chronology

/// Delay after failed attempts. The caller stores the count and the instant.
public struct Throttle: Hashable, Sendable {
    public struct Rules: Hashable, Sendable {
        /// Number of failed attempts without a delay.
        public var free: Int
        /// Delays of further attempts, doubled each time.
        public var pauses: ExponentialBackoff
        /// Seconds without a failure after which the count restarts.
        public var resetAfter: Int64

        /// Limit of one client: three failed attempts, then delays from 30 seconds.
        public static let client = Rules(
            free: 3, pauses: ExponentialBackoff(first: 30, longest: 3600), resetAfter: 86_400)
        /// Limit of all clients together, against guesses from many addresses. The delay is at most a quarter of an
        /// hour, so an attacker cannot lock the owner out for longer.
        public static let allClients = Rules(
            free: 12, pauses: ExponentialBackoff(first: 30, longest: 900), resetAfter: 86_400)
    }

    /// Failed attempts so far. An attempt counts as failed until it succeeds, so parallel attempts cannot evade the
    /// limit.
    public var tries: Int
    /// Instant of the last attempt.
    public var last: UnixTime

    public init(tries: Int = 0, last: UnixTime = .epoch) {
        self.tries = tries
        self.last = last
    }

    /// Seconds until the next attempt is allowed; 0 if it is allowed now. A clock that was set back cannot extend the
    /// delay.
    public func wait(at now: UnixTime, _ rules: Rules) -> Int64 {
        guard tries >= rules.free, now - last < rules.resetAfter else { return 0 }
        let pause = rules.pauses.pause(doublings: tries - rules.free)
        return min(pause, max(0, last + pause - now))
    }

    public mutating func count(at now: UnixTime, _ rules: Rules) {
        if now - last >= rules.resetAfter { tries = 0 }
        tries = min(tries + 1, 1_000_000)
        last = now
    }

    /// Removes the count of a successful attempt.
    public mutating func uncount() { tries = max(0, tries - 1) }
}
