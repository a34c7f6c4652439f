import Chronology
import Deflate
import IMAP

/// Reads the input as a compressed connection (RFC 4978), in pieces and into room of sizes that the first two bytes
/// give. Then compresses it; the other end must read the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 2 else { return 0 }
    let (piece, room) = (Int(start[0]) + 1, Int(start[1]) + 1)
    let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst(2))
    // The first bytes came with the server's OK.
    let early = bytes.count / 3
    _ = received(bytes[early...], after: bytes[..<early], piece: piece, room: room)
    let wire = Wire()
    var sender = DeflateStream(Line(wire: wire, piece: piece))
    do {
        try sender.startCompression(received: UnsafeRawBufferPointer(start: nil, count: 0))
        try bytes.withUnsafeBytes { try sender.write($0, deadline: .after(.seconds(60))) }
    } catch { preconditionFailure("\(error)") }
    precondition(received(wire.sent[...], after: [], piece: piece, room: room) == bytes)
    return 0
}

/// More is not read: a bomb of one input has no end.
fileprivate let mostBytes = 64 << 10

fileprivate func received(
    _ bytes: ArraySlice<UInt8>, after early: ArraySlice<UInt8>, piece: Int, room: Int
) -> [UInt8] {
    let wire = Wire()
    wire.waiting = bytes
    var stream = DeflateStream(Line(wire: wire, piece: piece))
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: room)
    do {
        try Array(early).withUnsafeBytes { try stream.startCompression(received: $0) }
        while all.count < mostBytes {
            let outcome = try buffer.withUnsafeMutableBytes {
                try stream.read(into: $0, deadline: .after(.seconds(60)), wakeable: false)
            }
            guard case .bytes(let count) = outcome else { return all }
            precondition((1...room).contains(count))
            all += buffer[..<count]
        }
    } catch { precondition(error is IMAPError && !"\(error)".isEmpty) }
    return all
}

fileprivate final class Wire {
    var waiting: ArraySlice<UInt8> = []
    var sent: [UInt8] = []
}

fileprivate struct Line: ByteStream {
    let wire: Wire
    let piece: Int

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        let count = min(piece, buffer.count, wire.waiting.count)
        guard count > 0 else { return .closed }
        buffer.copyBytes(from: wire.waiting.prefix(count))
        wire.waiting = wire.waiting.dropFirst(count)
        return .bytes(count)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) { wire.sent += bytes }
}
