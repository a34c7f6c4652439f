/// Limits of a server's responses. Exceeding one ends the connection with ``IMAPError/Kind/limit``.
public enum WireLimits {
    /// A response without its literals. The longest legitimate ones (CAPABILITY, FLAGS, LIST) have a few kilobytes.
    public static let responseBytes = 64 << 10
    /// `* SEARCH` lists every number on one line: two million UIDs of seven digits.
    public static let searchBytes = 16 << 20
    /// Literal sizes are 32-bit numbers in RFC 3501. At most `maximumMessageBytes` of one are kept.
    public static let literalBytes = Int(UInt32.max)
    /// Depth of nested lists. Skipping one uses the stack.
    public static let nesting = 64
    /// Multiparts in multiparts of a BODYSTRUCTURE. A bank's mail has two or three.
    public static let bodyDepth = 16
    /// Parts of one BODYSTRUCTURE; a response has at most ``responseBytes``, so that few more fit.
    public static let bodyParts = 1000
    /// Bytes of the name of a type or a subtype.
    public static let bodyWord = 100
    /// Sections of one FETCH response.
    public static let sections = 100
    /// Unsolicited responses to one command. A server may send half a million EXPUNGEs at once.
    public static let unrelatedResponses = 1_000_000
    /// Minimum bytes within ``Timing/search``: 2 kbit/s.
    public static let progressBytes: UInt64 = 64 << 10
    /// A command line that every server accepts: RFC 7162 section 4 requires 8192 bytes at least.
    public static let commandBytes = 8000
    /// The server's text in an error.
    public static let serverText = 200
    /// Search results beyond the size of the folder: mail may arrive between EXISTS and SEARCH.
    public static let surplusResults = 100_000
}
