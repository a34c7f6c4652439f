/// Occurrences of each word of a vocabulary in one text. Those of one word are a list, linked from the last one to the
/// first: `last(word)`, then `before(place)`.
struct WordPlaces {
    struct Occurrence {
        let word: Int32
        /// Offset of its first byte.
        let start: Int32
    }

    /// One bit for each word that occurs.
    private let bits: [UInt32]
    /// Last occurrence of each word; undefined for words that do not occur.
    private let heads: [Int32]
    /// All occurrences.
    private let places: [Occurrence]
    /// For each of ``places``, the index of the previous occurrence of its word; -1 if there is none.
    private let previous: [Int32]

    /// Number of UTF-8 continuation bytes in the text.
    let continuations: Int

    /// - Parameters:
    ///   - places: in the order of the text.
    ///   - words: number of words in the vocabulary.
    init(_ places: [Occurrence], words: Int, continuations: Int) {
        self.places = places
        self.continuations = continuations
        var bits = [UInt32](repeating: 0, count: words / 32 + 1)
        var previous: [Int32] = []
        previous.reserveCapacity(places.count)
        heads = [Int32](unsafeUninitializedCapacity: words) { heads, initialized in
            initialized = words
            for index in places.indices {
                let word = Int(places[index].word)
                let bit: UInt32 = 1 &<< UInt32(word & 31)
                previous.append(bits[word >> 5] & bit == 0 ? -1 : heads[word])
                bits[word >> 5] |= bit
                heads[word] = Int32(truncatingIfNeeded: index)
            }
        }
        self.bits = bits
        self.previous = previous
    }

    /// Number of words that were searched.
    var vocabularyCount: Int { heads.count }

    /// False for a word that was added to the vocabulary after the search.
    func contains(_ word: Int) -> Bool { word < heads.count && bits[word >> 5] & (1 &<< UInt32(word & 31)) != 0 }

    /// An occurrence: its offset, and access to the previous one.
    struct Place {
        fileprivate let previous: Int32
        let start: Int
    }

    func last(_ word: Int) -> Place? { contains(word) ? place(heads[word]) : nil }

    func before(_ place: Place) -> Place? { self.place(place.previous) }

    private func place(_ index: Int32) -> Place? {
        index < 0 ? nil : Place(previous: previous[Int(index)], start: Int(places[Int(index)].start))
    }

    /// Calls `body` with one bit for each word.
    func withBits<T>(_ body: (UnsafeBufferPointer<UInt32>) -> T) -> T { bits.withUnsafeBufferPointer(body) }
}
