/// Time limits of a session. A connection that exceeds one fails with ``IMAPError/Kind/timedOut``.
public struct Timing: Hashable, Sendable {
    /// The whole response to EXAMINE, STATUS or CAPABILITY, which every server sends fast.
    public var answer: Duration = .seconds(60)
    /// The response to a probe (NOOP, the end of IDLE), which needs no work: it detects a dead connection.
    public var probe: Duration = .seconds(30)
    /// The whole response to SEARCH: a server without an index reads every header of the folder. In FETCH, the time
    /// from one message to the next, or for ``WireLimits/progressBytes`` of a long one.
    public var search: Duration = .seconds(300)
    /// The time without any byte in the middle of FETCH. A long message on a slow connection may take longer in total.
    public var silence: Duration = .seconds(60)
    /// The time for which NOOP replaces an IDLE that was refused. The fault may be temporary.
    public var idleRefusal: Duration = .seconds(900)
    /// The response to LOGOUT.
    public var farewell: Duration = .seconds(3)

    /// Below the shortest NAT time-out seen in practice (5 minutes), far below the 29 minutes of a server (RFC 2177).
    public static let idleRenewal: Duration = .seconds(240)

    public init() {}
}
