import CZstd

/// Compression of one text without a dictionary into one frame (RFC 8878).
public enum SingleFrame {
    /// - Returns: a frame that has fewer bytes; `nil` if it would not, or without memory.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        var size = 0
        let frame = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            size = ZSTD_compress(room.baseAddress, bytes.count - 1, bytes, bytes.count, ZSTD_CLEVEL_DEFAULT)
            count = ZSTD_isError(size) == 0 ? size : 0
        }
        // Copies the bytes without the reserved capacity.
        return ZSTD_isError(size) == 0 ? frame.withUnsafeBufferPointer { Array($0) } : nil
    }

    /// Decompresses frames one after the other, with one context of 0.1 MB. Used on one thread.
    public final class Reader {
        /// Made for the first frame.
        private var context: OpaquePointer?

        public init() {}

        deinit { ZSTD_freeDCtx(context) }

        /// - Parameter count: the number of bytes that were compressed.
        /// - Returns: `nil` if the frame is damaged or has another number of bytes, or without memory.
        public func decompress(_ frame: [UInt8], count: Int) -> [UInt8]? {
            if context == nil { context = ZSTD_createDCtx() }
            guard count >= 0, let context else { return nil }
            var size = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
                size = ZSTD_decompressDCtx(context, room.baseAddress, count, frame, frame.count)
                filled = ZSTD_isError(size) == 0 ? size : 0
            }
            return ZSTD_isError(size) == 0 && size == count ? bytes : nil
        }
    }
}
