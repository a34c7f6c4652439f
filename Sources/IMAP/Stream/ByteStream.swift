public import Chronology

/// An authenticated connection to an IMAP server, for one thread. Every call blocks until its deadline at most.
public protocol ByteStream: ~Copyable {
    /// Waits for bytes and writes them to the beginning of `buffer`, which is never empty.
    ///
    /// - Parameter wakeable: ``Wake/wake()`` ends the wait with `.woken`. ``Wake/stop()`` always ends it with an error
    ///   of retry class `.stopped`.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome

    /// Writes all of `bytes` or throws.
    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError)

    /// The name of the server in errors: `imap.example.com:993`.
    var peer: String { get }

    /// The capabilities *after* login, if the transport received them. Saves a round trip.
    var capabilities: Capabilities? { get }

    /// True if the server is so near that only a busy machine slows the connection.
    var isNear: Bool { get }

    /// True if ``startCompression(received:)`` may be called, which is at most once.
    var canCompress: Bool { get }

    /// Switches both directions to raw DEFLATE (RFC 4978).
    ///
    /// - Parameter received: compressed bytes that arrived after the server's OK.
    mutating func startCompression(received: UnsafeRawBufferPointer) throws(IMAPError)
}

extension ByteStream where Self: ~Copyable {
    public var peer: String { "the server" }
    public var capabilities: Capabilities? { nil }
    public var isNear: Bool { false }
    public var canCompress: Bool { false }
    public mutating func startCompression(received: UnsafeRawBufferPointer) throws(IMAPError) {
        throw IMAPError(.invalidRequest, retry: .later, what: "the connection to \(peer) cannot be compressed")
    }
}

/// The result of a read.
public enum ReadOutcome: Hashable, Sendable {
    /// At least 1.
    case bytes(Int)
    /// The server closed the connection.
    case closed
    case timedOut
    case woken
}
