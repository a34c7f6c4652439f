import CZstd

/// Compresses and decompresses single texts with one dictionary (RFC 8878 section 5), each into one frame. Used on one
/// thread.
public final class DictionaryCoder {
    /// Compression level. On retained alerts of 5 kB level 9 leaves 9 % less and takes ten times as long.
    private static let level: Int32 = 3

    private let compression: (context: OpaquePointer, dictionary: OpaquePointer)
    private let decompression: (context: OpaquePointer, dictionary: OpaquePointer)

    /// - Parameter dictionary: a result of ``train(on:capacity:)``.
    /// - Returns: `nil` without memory.
    public init?(dictionary: [UInt8]) {
        let made = (
            ZSTD_createCCtx(), ZSTD_createCDict(dictionary, dictionary.count, Self.level),
            ZSTD_createDCtx(), ZSTD_createDDict(dictionary, dictionary.count)
        )
        guard let encoder = made.0, let encoding = made.1, let decoder = made.2, let decoding = made.3 else {
            // Each of them accepts a null pointer.
            _ = (ZSTD_freeCCtx(made.0), ZSTD_freeCDict(made.1), ZSTD_freeDCtx(made.2), ZSTD_freeDDict(made.3))
            return nil
        }
        compression = (encoder, encoding)
        decompression = (decoder, decoding)
    }

    deinit {
        ZSTD_freeCCtx(compression.context)
        ZSTD_freeCDict(compression.dictionary)
        ZSTD_freeDCtx(decompression.context)
        ZSTD_freeDDict(decompression.dictionary)
    }

    /// - Returns: a frame; `nil` without memory.
    public func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let bound = ZSTD_compressBound(bytes.count)
        guard ZSTD_isError(bound) == 0 else { return nil }
        var size = 0
        let frame = [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            size = ZSTD_compress_usingCDict(
                compression.context, room.baseAddress, room.count, bytes, bytes.count, compression.dictionary)
            count = ZSTD_isError(size) == 0 ? size : 0
        }
        return ZSTD_isError(size) == 0 ? frame : nil
    }

    /// - Parameter count: the number of bytes that were compressed.
    /// - Returns: `nil` if the frame is damaged, or has another number of bytes or another dictionary.
    public func decompress(_ frame: [UInt8], count: Int) -> [UInt8]? {
        guard count >= 0 else { return nil }
        var size = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            size = ZSTD_decompress_usingDDict(
                decompression.context, room.baseAddress, count, frame, frame.count, decompression.dictionary)
            filled = ZSTD_isError(size) == 0 ? size : 0
        }
        return ZSTD_isError(size) == 0 && size == count ? bytes : nil
    }

    /// Trains a dictionary.
    ///
    /// - Parameters:
    ///   - samples: typical texts, a hundred times the capacity in all.
    ///   - capacity: maximum size of the dictionary, in bytes.
    /// - Returns: `nil` if the samples are too few or have nothing in common.
    public static func train(on samples: [[UInt8]], capacity: Int) -> [UInt8]? {
        let bytes = samples.flatMap(\.self)
        let sizes = samples.map(\.count)
        var size = 0
        let dictionary = [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
            size = ZDICT_trainFromBuffer(room.baseAddress, capacity, bytes, sizes, UInt32(clamping: sizes.count))
            count = ZDICT_isError(size) == 0 ? size : 0
        }
        return dictionary.isEmpty ? nil : dictionary
    }
}
