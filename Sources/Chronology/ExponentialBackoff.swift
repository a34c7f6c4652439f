/// Pauses that double with each failure in a row, up to a longest one. Seconds.
public struct ExponentialBackoff: Hashable, Sendable {
    public var first: Int64
    public var longest: Int64

    public init(first: Int64, longest: Int64) {
        self.first = first
        self.longest = longest
    }

    /// The pause after `doublings` earlier failures: `first` for 0.
    public func pause(doublings: Int) -> Int64 {
        let factor: Int64 = 1 << Int64(min(max(doublings, 0), 32))
        let (pause, overflow) = first.multipliedReportingOverflow(by: factor)
        return overflow ? longest : min(longest, pause)
    }
}
