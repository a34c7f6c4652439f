/// Finds which of many words stand in a text, and where: at each byte the words are tried that begin with the three found there.
///
/// Words are lower-case ASCII of three bytes and more; the text may have any case, and any blank for a blank.
struct WordFinder: Sendable {
    private let count: Int
    /// By the hash of their first three bytes: each word's number, its length, and where it begins in `bytes`.
    private let numbers: [UInt16]
    private let lengths: [UInt8]
    private let starts: [UInt32]
    private let bytes: [UInt8]
    /// For each hash the first of its words; one more than there are hashes, so that the next one's is the end.
    private let buckets: [UInt16]

    private static let hashes = 1 << 12
    /// A number must fit 16 bits, a length 8.
    static let mostWords = Int(UInt16.max)
    static func isUsable(_ word: String) -> Bool { (3...Int(UInt8.max)).contains(word.utf8.count) }

    /// - Parameter words: usable ones, in the order of their numbers.
    init(_ words: [String]) {
        count = words.count
        let hashed = words.enumerated().map { number, word in
            let head = Array(word.utf8.prefix(3))
            return (hash: head.count == 3 ? Self.hash(head[0], head[1], head[2]) : 0, number: number, word: word)
        }.sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }
        numbers = hashed.map { UInt16(truncatingIfNeeded: $0.number) }
        lengths = hashed.map { UInt8(truncatingIfNeeded: $0.word.utf8.count) }
        var bytes: [UInt8] = []
        var starts: [UInt32] = []
        for entry in hashed {
            starts.append(UInt32(truncatingIfNeeded: bytes.count))
            bytes += entry.word.utf8
        }
        self.bytes = bytes
        self.starts = starts
        var buckets = [UInt16](repeating: 0, count: Self.hashes + 1)
        for entry in hashed { buckets[entry.hash + 1] += 1 }
        for hash in 1...Self.hashes { buckets[hash] += buckets[hash - 1] }
        self.buckets = buckets
    }

    @inline(__always) private static func hash(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Int {
        let key = UInt32(a) | UInt32(b) << 8 | UInt32(c) << 16
        return Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 20)
    }

    /// Where the words stand in the text.
    func find(in text: [UInt8], for vocabulary: Vocabulary) -> WordPlaces {
        var found = WordPlaces(vocabulary, count: count)
        guard text.count >= 3, count > 0 else { return found }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { folded in
            for at in text.indices { folded[at] = Self.folded(text[at]) }
            buckets.withUnsafeBufferPointer { buckets in
                for at in 0..<(text.count - 2) {
                    let hash = Self.hash(folded[at], folded[at + 1], folded[at + 2])
                    var word = Int(buckets[hash])
                    let end = Int(buckets[hash + 1])
                    while word < end {
                        if stands(word, at, folded) { found.add(Int(numbers[word]), at: at) }
                        word += 1
                    }
                }
            }
        }
        return found
    }

    /// Lower case; the blanks that `\s` takes are all one.
    @inline(__always) private static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte &- 0x09 < 5 ? 0x20 : byte }

    private func stands(_ word: Int, _ at: Int, _ text: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        let length = Int(lengths[word])
        guard at + length <= text.count else { return false }
        let start = Int(starts[word])
        return bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<length where bytes[start + index] != text[at + index] { return false }
            return true
        }
    }
}

/// Where each word of a vocabulary stands in one text.
struct WordPlaces {
    /// For each word the last of its places, -1 where there is none.
    private var heads: [Int32]
    /// Places in the order of the text, each with the one before it of the same word.
    private var places: [(start: Int32, previous: Int32)] = []

    /// Whose words they are.
    let vocabulary: Vocabulary

    init(_ vocabulary: Vocabulary, count: Int) {
        self.vocabulary = vocabulary
        heads = [Int32](repeating: -1, count: count)
        places.reserveCapacity(256)
    }

    mutating func add(_ word: Int, at start: Int) {
        places.append((Int32(truncatingIfNeeded: start), heads[word]))
        heads[word] = Int32(truncatingIfNeeded: places.count - 1)
    }

    func contains(_ word: Int) -> Bool { word < heads.count && heads[word] >= 0 }

    /// A place of a word: the offset at which it begins, and how to go on to the one before.
    struct Place {
        fileprivate let previous: Int32
        let start: Int
    }

    func last(_ word: Int) -> Place? { word < heads.count ? place(heads[word]) : nil }

    func before(_ place: Place) -> Place? { self.place(place.previous) }

    private func place(_ index: Int32) -> Place? {
        index < 0 ? nil : Place(previous: places[Int(index)].previous, start: Int(places[Int(index)].start))
    }
}
