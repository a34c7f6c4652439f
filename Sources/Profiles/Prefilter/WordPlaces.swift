/// Where each word of a vocabulary stands in one text.
struct WordPlaces {
    struct Occurrence {
        let word: Int32
        /// The offset of its first byte.
        let start: Int32
    }

    /// A bit for each word that is there.
    private let bits: [UInt32]
    /// For each word the last of its places; nothing is said of one that is not there.
    private let heads: [Int32]
    private let places: [Occurrence]
    /// For each place the one before it of the same word, -1 where there is none.
    private let previous: [Int32]

    /// How many bytes of the text go on with a character that began before them.
    let continuations: Int

    /// - Parameters:
    ///   - places: in the order of the text.
    ///   - words: how many there are in the vocabulary.
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

    /// A word whose number came later than the search is not there.
    func contains(_ word: Int) -> Bool { word < heads.count && bits[word >> 5] & (1 &<< UInt32(word & 31)) != 0 }

    /// A place of a word: the offset at which it begins, and how to go on to the one before.
    struct Place {
        fileprivate let previous: Int32
        let start: Int
    }

    func last(_ word: Int) -> Place? { contains(word) ? place(heads[word]) : nil }

    func before(_ place: Place) -> Place? { self.place(place.previous) }

    private func place(_ index: Int32) -> Place? {
        index < 0 ? nil : Place(previous: previous[Int(index)], start: Int(places[Int(index)].start))
    }

    /// Calls `body` with a bit for each word.
    func withBits<T>(_ body: (UnsafeBufferPointer<UInt32>) -> T) -> T { bits.withUnsafeBufferPointer(body) }
}
