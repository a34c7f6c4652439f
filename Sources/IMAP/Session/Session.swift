import Chronology

/// A session with an IMAP server over an authenticated connection (RFC 9051, RFC 3501).
///
/// For one thread; every method blocks. The mailbox is only read: EXAMINE and BODY.PEEK change no flag. The session is
/// over after an error other than a refusal (``IMAPError/Kind/refused``, ``IMAPError/Kind/rejected``), or after a
/// callback threw: later calls throw. Drop it then, which closes the connection.
public struct Session<Stream: ByteStream & ~Copyable>: ~Copyable {
    var stream: Stream
    var reader: WireReader
    let timing: Timing
    /// Capabilities, as last sent by the server.
    public internal(set) var capabilities: Capabilities
    var lastTag: UInt64 = 0
    /// The error that ended the session.
    var failure: IMAPError?
    var exists: UInt32 = 0
    /// Mail arrived in the examined folder since ``examine(_:)``, or since the last ``search(_:)`` without an upper end
    /// began. Cleared by them and by ``consumeChanged()``.
    public internal(set) var changed = false
    /// The time until which NOOP replaces an IDLE that was refused.
    var idleAgain = Deadline.after(.zero)
    /// The server refused COMPRESS.
    var compressionRefused = false
    enum Parts { case untried, refused, known }
    /// Support for FETCH of parts (`<0.n>`). After a BAD whole messages are requested.
    var parts = Parts.untried
    /// The server refused a SEARCH with OR: one command per word replaces it.
    var orRefused = false
    /// Lower in tests.
    var unrelatedLimit = WireLimits.unrelatedResponses
    /// The number of unsolicited FETCH responses.
    public internal(set) var unaskedAnswers = 0

    /// Requests the capabilities if the stream does not know them, and sends ID (RFC 2971) if the server supports it.
    ///
    /// - Parameters:
    ///   - maximumMessageBytes: bytes kept of one message; longer ones are truncated. Also limits the memory of the
    ///     session.
    ///   - heard: called after each read, which may be thousands of times a second.
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
        reader.grow()
        if known == nil {
            try require(try perform("CAPABILITY"), "CAPABILITY")
        }
        if capabilities.id { _ = try perform("ID (\"name\" \"SpendWise\")") }
    }

    /// An alert has some 20 kB, a statement with a PDF one or two megabytes.
    public static var defaultMaximumMessageBytes: Int { 8 << 20 }

    public var maximumMessageBytes: Int { reader.keep }

    /// Bytes received in total.
    public var receivedBytes: UInt64 { reader.received }

    public var peer: String { stream.peer }

    /// The server is on this machine or in its network: only a busy machine slows the connection.
    public var isNear: Bool { stream.isNear }

    /// An earlier error ended the session.
    public var isOver: Bool { failure != nil }

    /// Reads and clears ``changed``.
    public mutating func consumeChanged() -> Bool {
        defer { changed = false }
        return changed
    }

    /// Keeps the connection alive, and receives what the server announces only in a response to a command.
    ///
    /// - Returns: ``changed``.
    @discardableResult
    public mutating func noop() throws(IMAPError) -> Bool {
        try require(try perform("NOOP", within: timing.probe), "NOOP")
        return changed
    }

    /// Sends LOGOUT and closes the connection. Waits ``Timing/farewell`` at most for the response.
    public consuming func logout() {
        guard failure == nil, let tag = try? send("LOGOUT", .after(timing.farewell)) else { return }
        let deadline = Deadline.after(timing.farewell)
        while true {
            guard case .response(let response)? = try? receive(.deadline(deadline)) else { return }
            if case .tagged(tag, _) = response { return }
        }
    }
}
