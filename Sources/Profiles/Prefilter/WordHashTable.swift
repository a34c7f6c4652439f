/// The words of some lengths, in buckets by the hash of their first bytes: compares a position of a text with the few
/// words of its bucket.
struct WordTable: Sendable {
    struct Word {
        /// First, second and last eight bytes in memory order, padded with zeros.
        let first: UInt64
        let second: UInt64
        let last: UInt64
        /// Start of the word in the bytes of all words.
        let start: UInt32
        let number: UInt16
        let length: UInt8
    }

    private let beginnings: WordBeginnings
    /// Sorted by bucket.
    private let words: [Word]
    /// Index of the first word of each bucket, with one entry more for the end. A bucket is the hash without its lowest
    /// ``spareBits``.
    private let buckets: [UInt16]
    /// The bytes of all words.
    private let bytes: [UInt8]

    /// Bits by which the hash of ``beginnings`` is finer than a bucket.
    private static let spareBits = 3
    /// A length must fit 8 bits.
    static let longest = UInt8.max

    init(_ all: [Word], _ bytes: [UInt8], of lengths: ClosedRange<UInt8>) {
        let words = all.filter { lengths.contains($0.length) }
        let beginnings = WordBeginnings(words, bytes: min(lengths.lowerBound, 16))
        let found = words.map { beginnings.hash($0.first, $0.second) >> Self.spareBits }
        var buckets = [UInt16](repeating: 0, count: 1 << (beginnings.bits - Self.spareBits) + 1)
        for bucket in found { buckets[bucket + 1] += 1 }
        for bucket in 1..<buckets.count { buckets[bucket] += buckets[bucket - 1] }
        var sorted = words
        var next = buckets
        for (word, bucket) in zip(words, found) {
            sorted[Int(next[bucket])] = word
            next[bucket] += 1
        }
        self.beginnings = beginnings
        self.words = sorted
        self.buckets = buckets
        self.bytes = bytes
    }

    /// Adds the words that occur at one of the positions.
    ///
    /// - Parameters:
    ///   - text: folded, followed by as many zero bytes as the longest word has; no word contains a zero.
    ///   - room: for all positions.
    func add(
        _ places: UnsafeBufferPointer<Int32>, of text: UnsafeRawPointer, _ room: UnsafeMutablePointer<Int32>,
        to found: inout [WordPlaces.Occurrence]
    ) {
        let candidates = beginnings.keep(places, of: text, into: room)
        if candidates.isEmpty { return }
        buckets.withUnsafeBufferPointer { buckets in
            words.withUnsafeBufferPointer { words in
                bytes.withUnsafeBytes { bytes in
                    for place in candidates {
                        let here = text + Int(place)
                        let bucket = beginnings.hash(here) >> Self.spareBits
                        for index in Int(buckets[bucket])..<Int(buckets[bucket + 1])
                        where Self.matches(words[index], bytes, here) {
                            found.append(WordPlaces.Occurrence(word: Int32(words[index].number), start: place))
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func matches(_ word: Word, _ bytes: UnsafeRawBufferPointer, _ text: UnsafeRawPointer) -> Bool {
        let length = Int(word.length)
        let first = text.loadUnaligned(as: UInt64.self)
        if length <= 8 { return first & ~0 &>> UInt64(64 - 8 * length) == word.first }
        guard first == word.first, text.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self) == word.last else {
            return false
        }
        // Compares the middle, eight bytes at a time.
        var at = 8
        while at < length - 8 {
            let here = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            if bytes.loadUnaligned(fromByteOffset: Int(word.start) + at, as: UInt64.self) != here { return false }
            at += 8
        }
        return true
    }
}
