/// The set of the hashed beginnings of words: excludes most positions of a text without comparing a word. A position
/// that passes may still begin no word.
struct WordBeginnings: Sendable {
    /// Masks of the first and the second eight bytes that are hashed.
    private let first: UInt64
    private let second: UInt64
    /// One bit for each hash.
    private let present: [UInt64]
    /// Number of bits of a hash.
    let bits: Int

    /// - Parameters:
    ///   - words: all of at least this length.
    ///   - length: number of hashed bytes, at most sixteen.
    init(_ words: [WordTable.Word], bytes length: UInt8) {
        first = ~0 >> UInt64(64 - 8 * min(length, 8))
        second = length > 8 ? ~0 >> UInt64(64 - 8 * (length - 8)) : 0
        // At most one bit in sixteen is set: few positions pass by chance, and the set fits into the L1 cache.
        bits = min(max(Int.bitWidth - words.count.leadingZeroBitCount + 4, 8), 16)
        var present = [UInt64](repeating: 0, count: 1 << bits / 64)
        for word in words {
            let hash = Self.hash(word.first & first, word.second & second, bits: bits)
            present[hash >> 6] |= 1 << UInt64(hash & 63)
        }
        self.present = present
    }

    @inline(__always)
    static func hash(_ first: UInt64, _ second: UInt64 = 0, bits: Int) -> Int {
        Int(
            truncatingIfNeeded: ((first &+ second &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15)
                &>> UInt64(64 - bits))
    }

    /// Hash of a word by its first and second eight bytes.
    @inline(__always)
    func hash(_ first: UInt64, _ second: UInt64) -> Int {
        Self.hash(first & self.first, second & self.second, bits: bits)
    }

    /// - Parameter text: at least sixteen readable bytes.
    @inline(__always)
    func hash(_ text: UnsafeRawPointer) -> Int {
        hash(text.loadUnaligned(as: UInt64.self), text.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Writes the positions at which one of the words may begin to `kept`.
    ///
    /// Every position is written, and the next one overwrites it unless its bit is set: a branch would be mispredicted
    /// for every second position.
    ///
    /// - Parameter kept: room for all positions; may be their own memory.
    @inline(__always)
    func keep(
        _ places: UnsafeBufferPointer<Int32>, of text: UnsafeRawPointer, into kept: UnsafeMutablePointer<Int32>
    ) -> UnsafeBufferPointer<Int32> {
        present.withUnsafeBufferPointer { present in
            guard let present = present.baseAddress else { return UnsafeBufferPointer(start: kept, count: 0) }
            var count = 0
            @inline(__always)
            func keep(_ place: Int32, _ hash: Int) {
                kept[count] = place
                count &+= Int(truncatingIfNeeded: (present[hash &>> 6] &>> UInt64(hash & 63)) & 1)
            }
            if second == 0 {
                for place in places {
                    keep(place, Self.hash((text + Int(place)).loadUnaligned(as: UInt64.self) & first, bits: bits))
                }
            } else {
                for place in places { keep(place, hash(text + Int(place))) }
            }
            return UnsafeBufferPointer(start: kept, count: count)
        }
    }
}
