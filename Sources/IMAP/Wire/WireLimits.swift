/// Bounds on what a server can make us hold or walk through. Whatever goes over one ends the connection with ``IMAPError/Kind/limit``.
public enum WireLimits {
    /// A response without its literals: the longest legitimate ones (CAPABILITY, FLAGS, a LIST) have a few kilobytes.
    public static let responseBytes = 64 << 10
    /// `* SEARCH` puts every number on one line: two million UIDs of seven digits.
    public static let searchBytes = 16 << 20
    /// Literal sizes are 32-bit numbers in RFC 3501; more is a lie. What is kept of one is bounded by `maximumMessageBytes`.
    public static let literalBytes = Int(UInt32.max)
    /// Lists in lists: BODYSTRUCTURE of the deepest sane mail; skipping one uses the stack.
    public static let nesting = 64
    /// Responses to one command that bring nothing asked for: a server may report half a million EXPUNGEs at once, not more.
    public static let unrelatedResponses = 1_000_000
    /// What every line that is one brings in the time that a search may take: 2 kbit/s.
    public static let progressBytes: UInt64 = 64 << 10
    /// A command line that every server takes: RFC 7162 section 4 asks for 8192 bytes at least.
    public static let commandBytes = 8000
    /// The server's words in an error.
    public static let serverText = 200
    /// Search results beyond what the folder holds: mail may arrive between EXISTS and SEARCH.
    public static let surplusResults = 100_000
}
