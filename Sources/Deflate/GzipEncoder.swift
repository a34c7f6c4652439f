import CZlib

/// Incremental encoder of a gzip file (RFC 1952), for one thread at a time.
public final class GzipEncoder {
    /// zlib keeps a pointer to the structure, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var hasEnded = false

    /// 15 window bits (32 kB); adding 16 selects the gzip header and checksum.
    private static let window: Int32 = 31
    private static let memory: Int32 = 8

    /// `nil` if memory is exhausted.
    public init?() {
        stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The fastest level: repeated keys already reduce rows to a tenth of their size.
        guard spendwise_deflate_init(stream, Z_BEST_SPEED, Self.window, Self.memory) == Z_OK else {
            hasEnded = true
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Adds bytes and returns the output so far.
    /// - Parameter isLast: finishes the file; no more bytes may be added.
    public func add(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) -> [UInt8] {
        guard !hasEnded else { return [] }
        hasEnded = isLast
        // zlib takes a pointer to mutable bytes and does not change them.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let made = piece.withUnsafeMutableBufferPointer { room -> Int in
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                _ = CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                return room.count - Int(stream.pointee.avail_out)
            }
            output += piece[..<made]
            if made < piece.count { return output }
        }
    }
}
