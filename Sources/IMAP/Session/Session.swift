/// A conversation with an IMAP server over a connection that is logged in already (RFC 9051, RFC 3501).
///
/// One thread; every method blocks. The mailbox is only read: EXAMINE and BODY.PEEK, so no flag changes. After a method threw an error
/// other than a refusal (``IMAPError/Kind/refused``, ``IMAPError/Kind/rejected``), or a callback threw, the conversation is over: later
/// calls throw, and the session is to be dropped, which closes the connection.
public struct Session<Stream: ByteStream & ~Copyable>: ~Copyable {
    var stream: Stream
    var reader: WireReader
    let timing: Timing
    /// As the server last gave them.
    public internal(set) var capabilities: Capabilities
    var lastTag: UInt64 = 0
    /// Why the conversation is over.
    var failure: IMAPError?
    var exists: UInt32 = 0
    /// Mail arrived in the examined folder since the last ``search(_:)`` without an upper end began, or ``examine(_:)``. Kept until one of them, or ``takeChanged()``.
    public internal(set) var changed = false
    /// IDLE was refused, or broken off with a refusal: until then NOOP takes its place.
    var idleAgain = Deadline.after(.zero)
    /// COMPRESS was refused once.
    var compressionRefused = false
    enum Parts { case untried, refused, known }
    /// Whether the server knows FETCH of parts (`<0.n>`); where it answered with BAD, mails are asked for whole from then on.
    var parts = Parts.untried
    /// A SEARCH with OR was refused: one for each word from then on.
    var orRefused = false
    /// Less in tests.
    var unrelatedLimit = WireLimits.unrelatedResponses
    /// FETCH answers that nobody asked for, since the beginning.
    public internal(set) var unaskedAnswers = 0

    /// Asks for capabilities where the stream does not know them, and says who we are where the server likes to know (RFC 2971).
    ///
    /// - Parameters:
    ///   - maximumMessageBytes: what is kept of one mail; longer ones arrive cut. Also bounds the memory of the session.
    ///   - heard: called whenever bytes came, which may be thousands of times a second.
    public init(
        over stream: consuming Stream, maximumMessageBytes: Int = Self.defaultMaximumMessageBytes,
        timing: Timing = Timing(),
        heard: @escaping () -> Void = {}
    ) throws(IMAPError) {
        let known = stream.capabilities
        self.stream = stream
        reader = WireReader(keep: Swift.min(Swift.max(maximumMessageBytes, 1), WireLimits.literalBytes), heard: heard)
        self.timing = timing
        capabilities = known ?? Capabilities()
        reader.work()
        if known == nil {
            try require(try perform("CAPABILITY"), "CAPABILITY")
        }
        if capabilities.id { _ = try perform("ID (\"name\" \"SpendWise\")") }
    }

    /// Alert mails have some 20 kB; a statement with a PDF has a megabyte or two.
    public static var defaultMaximumMessageBytes: Int { 8 << 20 }

    public var maximumMessageBytes: Int { reader.keep }

    /// Bytes received since the beginning.
    public var receivedBytes: UInt64 { reader.received }

    public var peer: String { stream.peer }

    /// The server is on this machine or in its network.
    public var isNear: Bool { stream.isNear }

    /// An earlier error ended the conversation.
    public var isOver: Bool { failure != nil }

    /// Reads and clears ``changed``.
    public mutating func takeChanged() -> Bool {
        defer { changed = false }
        return changed
    }

    /// Keeps the connection alive, and learns of new mail where the server does not tell by itself.
    ///
    /// - Returns: ``changed``.
    @discardableResult
    public mutating func noop() throws(IMAPError) -> Bool {
        try require(try perform("NOOP", within: timing.probe), "NOOP")
        return changed
    }

    /// Says good-bye and closes. Never throws and waits ``Timing/farewell`` at most: it is a courtesy.
    public consuming func logout() {
        guard failure == nil, let tag = try? send("LOGOUT", .after(timing.farewell)) else { return }
        let deadline = Deadline.after(timing.farewell)
        while true {
            guard case .response(let response)? = try? receive(.until(deadline)) else { return }
            if case .tagged(tag, _) = response { return }
        }
    }
}
