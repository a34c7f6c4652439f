import CZlib

/// Makes a gzip file (RFC 1952) of bytes that come piece by piece. One thread at a time.
public final class GzipEncoder {
    /// zlib keeps a pointer to the structure, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var hasEnded = false

    /// 15 bits of window, 32 kB, and 16: with the header and the checksum of gzip.
    private static let window: Int32 = 31
    private static let memory: Int32 = 8

    /// `nil` where there is no memory.
    public init?() {
        stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The fastest level: repeated keys make rows a tenth of their size already.
        guard spendwise_deflate_init(stream, Z_BEST_SPEED, Self.window, Self.memory) == Z_OK else {
            hasEnded = true
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes that are complete.
    /// - Parameter isLast: the file ends here; nothing may be added any more.
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
