import CZlib

/// Raw DEFLATE (RFC 1951) in both directions of one connection, each an endless stream. It uses about 43 kB, whatever
/// the sender's bytes are.
final class Deflate {
    /// zlib keeps a pointer to the structure, so it must not move.
    private let inflater: UnsafeMutablePointer<z_stream>
    private let deflater: UnsafeMutablePointer<z_stream>
    private var input: [UInt8]
    private var pending: Range<Int>
    /// True if the last call filled its whole buffer: zlib may hold more.
    private var hasMore = false

    /// Largest window of a sender of raw DEFLATE: 32 kB.
    private static let receivingWindow: Int32 = -15
    /// Our commands are short and repeat little; a small window saves 250 kB for each connection.
    private static let sendingWindow: Int32 = -9
    private static let sendingMemory: Int32 = 1

    /// - Parameter received: compressed bytes that arrived before the stream began.
    /// - Returns: `nil` if memory is exhausted.
    init?(received: UnsafeRawBufferPointer) {
        let inflater = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        let deflater = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        inflater.initialize(to: z_stream())
        deflater.initialize(to: z_stream())
        let inflates = spendwise_inflate_init(inflater, Self.receivingWindow) == Z_OK
        guard inflates,
            spendwise_deflate_init(deflater, Z_DEFAULT_COMPRESSION, Self.sendingWindow, Self.sendingMemory) == Z_OK
        else {
            if inflates { inflateEnd(inflater) }
            inflater.deallocate()
            deflater.deallocate()
            return nil
        }
        self.inflater = inflater
        self.deflater = deflater
        input = Array(received)
        pending = 0..<received.count
    }

    deinit {
        inflateEnd(inflater)
        deflateEnd(deflater)
        inflater.deallocate()
        deflater.deallocate()
    }

    enum Inflated {
        case bytes(Int)
        /// The input is used up; call ``feed(_:)`` first.
        case empty
        /// The sender ended its stream.
        case end
        /// The input is not DEFLATE.
        case damaged
    }

    /// Inflates as much as fits into `output`.
    func inflate(into output: UnsafeMutableRawBufferPointer) -> Inflated {
        guard !pending.isEmpty || hasMore else { return .empty }
        let (range, wasMore, inflater) = (pending, hasMore, inflater)
        let result = input.withUnsafeMutableBufferPointer { bytes in
            inflater.pointee.next_in = bytes.baseAddress.map { $0 + range.lowerBound }
            inflater.pointee.avail_in = UInt32(range.count)
            inflater.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            inflater.pointee.avail_out = UInt32(clamping: output.count)
            return CZlib.inflate(inflater, Z_SYNC_FLUSH)
        }
        let room = Int(UInt32(clamping: output.count))
        let made = room - Int(inflater.pointee.avail_out)
        pending = (range.upperBound - Int(inflater.pointee.avail_in))..<range.upperBound
        hasMore = made == room
        // The output is valid even before an error, which the next call reports again.
        if made > 0 { return .bytes(made) }
        switch result {
        case Z_STREAM_END: return .end
        // No progress: either the input is used up, or a full buffer had held nothing more.
        case Z_BUF_ERROR: return pending.isEmpty || wasMore ? .empty : .damaged
        case Z_OK: return .empty
        default: return .damaged
        }
    }

    /// Adds compressed bytes; the previous ones must be used up.
    func feed(_ bytes: UnsafeRawBufferPointer) {
        input.removeAll(keepingCapacity: true)
        input.append(contentsOf: bytes)
        pending = 0..<input.count
    }

    /// Compresses and flushes all of `bytes`, so that the receiver can read them at once. `nil` if zlib fails.
    func deflate(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        var output: [UInt8] = []
        // zlib takes a pointer to mutable bytes and does not change them.
        deflater.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        deflater.pointee.avail_in = UInt32(clamping: bytes.count)
        var piece = [UInt8](repeating: 0, count: 1024)
        while true {
            let (result, made) = piece.withUnsafeMutableBufferPointer { room -> (Int32, Int) in
                deflater.pointee.next_out = room.baseAddress
                deflater.pointee.avail_out = UInt32(room.count)
                let result = CZlib.deflate(deflater, Z_SYNC_FLUSH)
                return (result, room.count - Int(deflater.pointee.avail_out))
            }
            guard result == Z_OK || result == Z_BUF_ERROR else { return nil }
            output += piece[..<made]
            if made < piece.count { return output }
        }
    }
}
