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

    /// True if the session has not expired. If the clock is set back, a session lives that much longer.
    public func isLive(started: UnixTime, lastSeen: UnixTime, at now: UnixTime) -> Bool {
        now - lastSeen < idle && now - started < longest
    }
}
