public import Chronology
public import IMAP

/// A connection that can switch to compression (COMPRESS=DEFLATE, RFC 4978). Before that it passes bytes unchanged.
///
/// Output is limited to the reader's buffer, so a decompression bomb costs only time, which the deadlines limit.
public struct DeflateStream<Base: ByteStream & ~Copyable>: ~Copyable {
    private var base: Base
    private var codec: Deflate?
    /// The size of a TLS record.
    private static var recordBytes: Int { 16 << 10 }

    public init(_ base: consuming Base) {
        self.base = base
        codec = nil
    }
}

extension DeflateStream: ByteStream where Base: ~Copyable {
    public var peer: String { base.peer }
    public var capabilities: Capabilities? { base.capabilities }
    public var isNear: Bool { base.isNear }
    public var canCompress: Bool { codec == nil }

    public mutating func startCompression(received: UnsafeRawBufferPointer) throws(IMAPError) {
        guard let codec = Deflate(received: received) else {
            throw IMAPError(
                .transport, retry: .later, what: "zlib could not be set up for \(peer)", remedy: "check memory")
        }
        self.codec = codec
    }

    public mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        guard codec != nil else { return try base.read(into: buffer, deadline: deadline, wakeable: wakeable) }
        var scratch: [UInt8] = []
        while true {
            switch codec?.inflate(into: buffer) {
            case .bytes(let count): return .bytes(count)
            case .end: return .closed
            case .damaged:
                throw IMAPError(
                    .malformed, retry: .later, what: "\(peer) sent compressed data that cannot be read",
                    remedy: "'compress: off' for this mailbox does without")
            case .empty, nil: break
            }
            // Input that produces no output would otherwise be read without end.
            if deadline.isPast { return .timedOut }
            if scratch.isEmpty { scratch = [UInt8](repeating: 0, count: Self.recordBytes) }
            let outcome = try scratch.withUnsafeMutableBufferPointer {
                (room: inout UnsafeMutableBufferPointer<UInt8>) throws(IMAPError) -> ReadOutcome in
                try base.read(into: UnsafeMutableRawBufferPointer(room), deadline: deadline, wakeable: wakeable)
            }
            guard case .bytes(let count) = outcome else { return outcome }
            scratch.withUnsafeBytes { codec?.feed(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
    }

    public mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {
        guard codec != nil else { return try base.write(bytes, deadline: deadline) }
        guard let packed = codec?.deflate(bytes) else {
            throw IMAPError(
                .transport, retry: .later, what: "zlib could not compress what goes to \(peer)", remedy: "check memory")
        }
        try packed.withUnsafeBufferPointer { (packed) throws(IMAPError) in
            try base.write(UnsafeRawBufferPointer(packed), deadline: deadline)
        }
    }
}
