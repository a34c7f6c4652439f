public import Chronology

/// Lifetimes of a login, in seconds.
public struct SessionRules: Hashable, Sendable {
    /// Maximum time without a request.
    public var idle: Int64
    /// Maximum time since the login.
    public var longest: Int64

    public init(idle: Int64 = 300, longest: Int64 = 43_200) {
        self.idle = idle
        self.longest = longest
    }

    /// True if the session has not expired. It expires as well if the clock is set back by ``idle`` or more, so that a
    /// wrong clock never prolongs it for longer than that.
    public func isLive(started: UnixTime, lastSeen: UnixTime, at now: UnixTime) -> Bool {
        (1 - idle..<idle).contains(now - lastSeen) && (1 - longest..<longest).contains(now - started)
    }
}
