import Chronology
import IMAP

/// A connection to a ``FakeServer``, logged in.
struct FakeStream: ByteStream {
    let server: FakeServer
    var capabilities: Capabilities? { server.sendsCapabilities ? Capabilities(server.capabilities) : nil }
    var canCompress: Bool { !server.isCompressed }

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        try server.read(into: buffer, wakeable: wakeable)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) { server.write(bytes) }

    mutating func startCompression(received: UnsafeRawBufferPointer) throws(IMAPError) {
        server.compress(received: received)
    }
}
