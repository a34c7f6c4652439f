public import Chronology

/// The pause after wrong tries. Pure: the caller keeps the count and the instant.
public struct Throttle: Hashable, Sendable {
    public struct Rules: Hashable, Sendable {
        /// The number of wrong tries without a pause.
        public var free: Int
        /// Each further wrong try doubles the pause.
        public var pauses: ExponentialBackoff
        /// Seconds after the last wrong try after which all is forgotten.
        public var forgets: Int64

        /// Three wrong tries, then 30 seconds and growing.
        public static let client = Rules(
            free: 3, pauses: ExponentialBackoff(first: 30, longest: 3600), forgets: 86_400)
        /// Of all clients together: one who has many addresses guesses no faster, and cannot lock the owner out for
        /// longer than a quarter of an hour.
        public static let everybody = Rules(
            free: 12, pauses: ExponentialBackoff(first: 30, longest: 900), forgets: 86_400)
    }

    /// Wrong tries so far. A try that is being checked counts as wrong until it turns out right, so that many at once
    /// are no way around.
    public var tries: Int
    /// Of the last one: seconds since 1970-01-01 UTC.
    public var last: Int64

    public init(tries: Int = 0, last: Int64 = 0) {
        self.tries = tries
        self.last = last
    }

    /// Seconds to wait before the next try; 0: none. A clock that was set back cannot make it longer than the pause
    /// itself.
    public func wait(at now: Int64, _ rules: Rules) -> Int64 {
        guard tries >= rules.free, now - last < rules.forgets else { return 0 }
        let pause = rules.pauses.pause(doublings: tries - rules.free)
        return min(pause, max(0, last + pause - now))
    }

    public mutating func count(at now: Int64, _ rules: Rules) {
        if now - last >= rules.forgets { tries = 0 }
        tries = min(tries + 1, 1_000_000)
        last = now
    }

    /// Removes a counted try that turned out right.
    public mutating func takeBack() { tries = max(0, tries - 1) }
}
