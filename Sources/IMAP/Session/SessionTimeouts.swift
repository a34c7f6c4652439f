/// How long a silent server is waited for. A connection that goes over one of these is given up with ``IMAPError/Kind/timedOut``.
public struct Timing: Hashable, Sendable {
    /// The whole answer to EXAMINE, STATUS, CAPABILITY: fast on every server that works at all.
    public var answer: Duration = .seconds(60)
    /// The answer to a probe, NOOP or the end of IDLE, for which no server has to think: by it a dead line is noticed.
    public var probe: Duration = .seconds(30)
    /// The whole answer to SEARCH: a server without an index reads every header of the folder. In FETCH, from one mail to the next, or for
    /// ``WireLimits/progressBytes`` of a long one.
    public var search: Duration = .seconds(300)
    /// Silence in the middle of FETCH; a long mail on a slow line may take its time as long as bytes come.
    public var silence: Duration = .seconds(60)
    /// How long NOOP takes the place of an IDLE that was refused: the trouble may have gone.
    public var idleRefusal: Duration = .seconds(900)
    /// LOGOUT is a courtesy.
    public var farewell: Duration = .seconds(3)

    /// Below the shortest life of a NAT entry seen in practice (5 minutes), far below a server's 29 (RFC 2177).
    public static let idleRenewal: Duration = .seconds(240)

    public init() {}
}
