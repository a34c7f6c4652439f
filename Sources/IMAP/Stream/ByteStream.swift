/// An authenticated connection to an IMAP server. One thread uses it; every call blocks until its deadline at most.
public protocol ByteStream: ~Copyable {
    /// Waits for bytes and puts what there is at the front of `buffer` (which is never empty).
    ///
    /// - Parameter wakeable: whether ``Wake/wake()`` ends the waiting with `.woken`. ``Wake/stop()`` always ends it, by throwing
    ///   an error with retry class `.stopped`.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome

    /// Writes all of `bytes` or throws.
    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError)

    /// Who is at the other end, for errors: `imap.example.com:993`.
    var peer: String { get }

    /// What the server said it can do *after* login, where the transport happened to see it; spares a round trip.
    var capabilities: Capabilities? { get }

    /// Whether the other end is so near that only a busy machine makes the line look slow.
    var isNear: Bool { get }

    /// Whether ``startCompression(received:)`` can be called, which is at most once.
    var canCompress: Bool { get }

    /// From here on both directions are raw DEFLATE (RFC 4978).
    ///
    /// - Parameter received: bytes that came behind the server's OK and are compressed already.
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

public enum ReadOutcome: Hashable, Sendable {
    /// At least 1.
    case bytes(Int)
    /// The other end is done; nothing will come any more.
    case closed
    case timedOut
    case woken
}
