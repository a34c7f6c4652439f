public import Chronology

/// Lifetimes of a login, in seconds.
public struct SessionRules: Hashable, Sendable {
    /// Longest time without a request.
    public var idle: Int64
    /// Longest total time.
    public var longest: Int64

    public init(idle: Int64 = 300, longest: Int64 = 43_200) {
        self.idle = idle
        self.longest = longest
    }

    /// A clock that was set back ends no session, and extends
    ///   none beyond `longest`.
    public func isLive(started: UnixTime, lastSeen: UnixTime, at now: UnixTime) -> Bool {
        now - lastSeen < idle && now - started < longest
    }
}
