import CZstd

/// Compression of one text without a dictionary into one frame (RFC 8878).
public enum SingleFrame {
    /// - Returns: a frame that has fewer bytes; `nil` if it would not, or without memory.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        let room = bytes.count - 1
        // Copies the bytes without the reserved capacity.
        return written(upTo: room) { ZSTD_compress($0, room, bytes, bytes.count, ZSTD_CLEVEL_DEFAULT) }?
            .withUnsafeBufferPointer { Array($0) }
    }

    /// The number of bytes that were compressed, as the frame says (RFC 8878, section 3.1.1.1.4); `nil` if this is not
    /// the beginning of a frame.
    public static func count(of frame: some Collection<UInt8>) -> Int? {
        let count = frame.withContiguousStorageIfAvailable { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        // Both errors are larger.
        return count.flatMap(Int.init(exactly:))
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
            let bytes = written(upTo: count) { ZSTD_decompressDCtx(context, $0, count, frame, frame.count) }
            return bytes?.count == count ? bytes : nil
        }
    }
}
