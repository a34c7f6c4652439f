import CZstd

/// Compresses and decompresses single texts with one dictionary (RFC 8878 section 5), each into one frame. Used on one
/// thread.
public final class DictionaryCoder {
    /// Compression level. On retained alerts of 5 kB level 9 leaves 9 % less than level 3 and takes ten times as long.
    /// Level 1 leaves 1 to 11 % more, and needs 0.2 MB instead of 0.7.
    public enum Level: Int32, Sendable {
        case fast = 1
        case usual = 3
    }

    private typealias Pair = (context: OpaquePointer, dictionary: OpaquePointer)

    private let bytes: [UInt8]
    private let level: Level
    private let decompression: Pair
    /// Made by the first compression: most coders only read, and its tables cost more than a mail.
    private var compression: Pair?

    /// - Parameter dictionary: a result of ``train(on:capacity:)`` or ``excerpt(of:capacity:)``.
    /// - Returns: `nil` without memory.
    public init?(dictionary: [UInt8], level: Level = .usual) {
        let made = (ZSTD_createDCtx(), ZSTD_createDDict(dictionary, dictionary.count))
        guard let context = made.0, let prepared = made.1 else {
            // Each of them accepts a null pointer.
            _ = (ZSTD_freeDCtx(made.0), ZSTD_freeDDict(made.1))
            return nil
        }
        bytes = dictionary
        self.level = level
        decompression = (context, prepared)
    }

    deinit {
        ZSTD_freeDCtx(decompression.context)
        ZSTD_freeDDict(decompression.dictionary)
        guard let compression else { return }
        ZSTD_freeCCtx(compression.context)
        ZSTD_freeCDict(compression.dictionary)
    }

    private func prepareCompression() -> Pair? {
        if let compression { return compression }
        let made = (ZSTD_createCCtx(), ZSTD_createCDict(bytes, bytes.count, level.rawValue))
        guard let context = made.0, let prepared = made.1 else {
            _ = (ZSTD_freeCCtx(made.0), ZSTD_freeCDict(made.1))
            return nil
        }
        compression = (context, prepared)
        return compression
    }

    /// - Returns: a frame that has fewer bytes; `nil` if it would not, or without memory.
    public func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let bound = ZSTD_compressBound(bytes.count)
        guard ZSTD_isError(bound) == 0, let compression = prepareCompression() else { return nil }
        let frame = written(upTo: bound) {
            ZSTD_compress_usingCDict(compression.context, $0, bound, bytes, bytes.count, compression.dictionary)
        }
        return frame.flatMap { $0.count < bytes.count ? $0 : nil }
    }

    /// - Parameter count: the number of bytes that were compressed.
    /// - Returns: `nil` if the frame is damaged, has another number of bytes, or names another trained dictionary.
    public func decompress(_ frame: [UInt8], count: Int) -> [UInt8]? {
        guard count >= 0 else { return nil }
        let bytes = written(upTo: count) {
            ZSTD_decompress_usingDDict(
                decompression.context, $0, count, frame, frame.count, decompression.dictionary)
        }
        return bytes?.count == count ? bytes : nil
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

    /// A dictionary that costs no training: the beginnings of a dozen samples. The dictionary of RFC 8878 section 5 is
    /// an optional form; any bytes serve as the text that precedes each frame.
    ///
    /// - Parameter capacity: maximum size of the dictionary, in bytes.
    public static func excerpt(of samples: [[UInt8]], capacity: Int) -> [UInt8] {
        // Whatever a sample begins with, this is not the magic number of a trained dictionary.
        var dictionary: [UInt8] = [0x0D, 0x0A]
        let count = min(samples.count, 12)
        for place in 0..<count {
            dictionary += samples[place * samples.count / count].prefix((capacity - dictionary.count) / (count - place))
        }
        return dictionary
    }
}
