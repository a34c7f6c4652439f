import Chronology
import IMAP
import Testing

@testable import Deflate

/// The other end of a compressed connection, in memory; returns its bytes in pieces of any size.
fileprivate final class Peer {
    var codec: Deflate?
    var ready: [UInt8] = []
    var got: [UInt8] = []
    var chunk = Int.max
    var isOpen = true

    init() { codec = Deflate(received: UnsafeRawBufferPointer(start: nil, count: 0)) }

    func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { ready += codec?.deflate($0) ?? [] } }

    func receive(_ bytes: UnsafeRawBufferPointer) {
        codec?.feed(bytes)
        var room = [UInt8](repeating: 0, count: 100)
        while case .bytes(let count)? = room.withUnsafeMutableBytes({ codec?.inflate(into: $0) }) {
            got += room[..<count]
        }
    }
}

fileprivate struct PeerStream: ByteStream {
    let peerEnd: Peer

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        let count = min(peerEnd.ready.count, peerEnd.chunk, buffer.count)
        guard count > 0 else { return peerEnd.isOpen ? .timedOut : .closed }
        buffer.copyBytes(from: peerEnd.ready[..<count])
        peerEnd.ready.removeFirst(count)
        return .bytes(count)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {
        peerEnd.receive(bytes)
    }
}

extension DeflateStream where Base: ~Copyable {
    fileprivate mutating func readAll(
        _ room: Int = 4096, upTo limit: Int = .max
    ) throws -> (bytes: [UInt8], end: ReadOutcome) {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: room)
        while true {
            let outcome = try buffer.withUnsafeMutableBytes {
                try read(into: $0, deadline: .after(.seconds(60)), wakeable: false)
            }
            guard case .bytes(let count) = outcome, all.count < limit else { return (all, outcome) }
            all += buffer[..<count]
        }
    }

    fileprivate mutating func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0), deadline: .after(.seconds(60))) }
    }
}

@Suite struct DeflateStreamTests {
    private static let mail = Array(
        (0..<2000).map { "line \($0 * 7919 % 1009): Rs.\($0).00 is debited\r\n" }.joined().utf8)

    @Test(arguments: [1, 2, 7, 1000, Int.max], [1, 13, 4096]) func bothWays(chunk: Int, room: Int) throws {
        let peer = Peer()
        peer.chunk = chunk
        var stream = DeflateStream(PeerStream(peerEnd: peer))
        try stream.startCompression(received: UnsafeRawBufferPointer(start: nil, count: 0))
        let again = stream.canCompress
        #expect(!again)
        for round in 0..<3 {
            peer.send(Self.mail)
            let (bytes, end) = try stream.readAll(room)
            #expect(bytes == Self.mail && end == .timedOut)
            try stream.write("S\(round) NOOP\r\n")
        }
        #expect(String(decoding: peer.got, as: UTF8.self) == "S0 NOOP\r\nS1 NOOP\r\nS2 NOOP\r\n")
        peer.isOpen = false
        #expect(try stream.readAll().end == .closed)
    }

    /// Bytes that arrive with the server's OK are compressed already.
    @Test func bytesThatCameEarly() throws {
        let peer = Peer()
        peer.send(Self.mail)
        let early = Array(peer.ready.prefix(100))
        peer.ready.removeFirst(100)
        var stream = DeflateStream(PeerStream(peerEnd: peer))
        try early.withUnsafeBytes { try stream.startCompression(received: $0) }
        #expect(try stream.readAll().bytes == Self.mail)
    }

    @Test func passesBytesUncompressedBeforeItBegins() throws {
        let peer = Peer()
        peer.ready = Self.mail
        var stream = DeflateStream(PeerStream(peerEnd: peer))
        let canCompress = stream.canCompress
        #expect(canCompress)
        #expect(try stream.readAll().bytes == Self.mail)
    }

    /// A thousand zeros for each byte: output never exceeds the buffer, and all of it arrives.
    @Test func decompressionBombUsesBoundedMemory() throws {
        let peer = Peer()
        let size = 8 << 20
        peer.send([UInt8](repeating: 0, count: size))
        #expect(peer.ready.count < size / 500)
        var stream = DeflateStream(PeerStream(peerEnd: peer))
        try stream.startCompression(received: UnsafeRawBufferPointer(start: nil, count: 0))
        var (total, most) = (0, 0)
        var buffer = [UInt8](repeating: 1, count: 1000)
        while case .bytes(let count) = try buffer.withUnsafeMutableBytes({
            try stream.read(into: $0, deadline: .after(.seconds(60)), wakeable: false)
        }) {
            total += count
            most = max(most, count)
        }
        #expect(total == size && most <= 1000)
    }

    /// Bytes changed, dropped and truncated: the result is an error, an end or other bytes, never more than requested.
    @Test func damage() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let peer = Peer()
            peer.send(Self.mail)
            peer.isOpen = false
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<peer.ready.count, using: &random)
                if Bool.random(using: &random) {
                    peer.ready[at] = .random(in: 0...255)
                } else {
                    peer.ready.removeSubrange(at..<min(at + 9, peer.ready.count))
                }
            }
            var stream = DeflateStream(PeerStream(peerEnd: peer))
            try stream.startCompression(received: UnsafeRawBufferPointer(start: nil, count: 0))
            do {
                let end = try stream.readAll(upTo: 100 << 20).end
                #expect(end == .closed)
            } catch let error as IMAPError {
                #expect(error.kind == .malformed)
            }
        }
    }

    @Test func anEndOfTheCompressedStreamIsTheEnd() throws {
        // An empty final block (RFC 1951 section 3.2.4).
        let peer = Peer()
        peer.ready = [0x01, 0x00, 0x00, 0xFF, 0xFF]
        var stream = DeflateStream(PeerStream(peerEnd: peer))
        try stream.startCompression(received: UnsafeRawBufferPointer(start: nil, count: 0))
        let (bytes, end) = try stream.readAll()
        #expect(bytes == [] && end == .closed)
    }
}
