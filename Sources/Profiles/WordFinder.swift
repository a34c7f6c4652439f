/// Finds which of many words stand in a text, and where: at each byte the words are tried that begin with the four found there.
///
/// Words are lower-case ASCII of three bytes and more; the text may have any case, and any blank for a blank.
struct WordFinder: Sendable {
    private struct Word {
        /// The first eight bytes, and which of them there are.
        let head: UInt64
        let mask: UInt64
        let number: UInt16
        let length: UInt8
        /// Where it begins in `bytes`.
        let start: UInt32
    }

    /// The words of one length of beginning, by its hash.
    private struct Table {
        let words: [Word]
        /// For each hash the first of its words; one more than there are hashes, so that the next one's is the end.
        let buckets: [UInt16]
        /// A bit for each value of a longer hash: most places of a text are done with after a look at it.
        let filter: [UInt64]
    }

    private let count: Int
    private let bytes: [UInt8]
    /// The words of four bytes and more, and those of three.
    private let long: Table
    private let short: Table

    private static let hashBits: UInt32 = 12
    private static let filterBits: UInt32 = 16
    private static let factor: UInt32 = 0x9E37_79B1
    private static let threeBytes: UInt32 = 0xFF_FFFF
    /// A number must fit 16 bits, a length 8.
    static let mostWords = Int(UInt16.max)
    static func isUsable(_ word: String) -> Bool { (3...Int(UInt8.max)).contains(word.utf8.count) }

    /// - Parameter words: usable ones, in the order of their numbers.
    init(_ words: [String]) {
        count = words.count
        var bytes: [UInt8] = []
        let numbered = Array(words.enumerated())
        long = Self.table(numbered.filter { $0.element.utf8.count > 3 }, of: 4, &bytes)
        short = Self.table(numbered.filter { $0.element.utf8.count == 3 }, of: 3, &bytes)
        self.bytes = bytes
    }

    private static func table(_ words: [(offset: Int, element: String)], of length: Int, _ bytes: inout [UInt8]) -> Table {
        let hashed = words.map { (hash: $0.element.utf8.prefix(length).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } &* factor, number: $0.offset, word: $0.element) }
            .sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }
        var list: [Word] = []
        var buckets = [UInt16](repeating: 0, count: 1 << hashBits + 1)
        var filter = [UInt64](repeating: 0, count: 1 << (filterBits - 6))
        for entry in hashed {
            let head = entry.word.utf8.prefix(8)
            list.append(
                Word(
                    head: head.reversed().reduce(0) { $0 << 8 | UInt64($1) }, mask: head.reduce(0) { mask, _ in mask << 8 | 0xFF },
                    number: UInt16(truncatingIfNeeded: entry.number), length: UInt8(truncatingIfNeeded: entry.word.utf8.count),
                    start: UInt32(truncatingIfNeeded: bytes.count)))
            bytes += entry.word.utf8
            buckets[Int(entry.hash >> (32 - hashBits)) + 1] += 1
            let bit = entry.hash >> (32 - filterBits)
            filter[Int(bit >> 6)] |= 1 << UInt64(bit & 63)
        }
        for hash in 1..<buckets.count { buckets[hash] += buckets[hash - 1] }
        return Table(words: list, buckets: buckets, filter: filter)
    }

    /// Where the words stand in the text.
    func find(in text: [UInt8]) -> WordPlaces {
        var found = WordPlaces(count: count, continuations: Self.continuations(text))
        guard text.count >= 3, count > 0, text.count < Int(Int32.max) else { return found }
        // Eight bytes can be read at every place.
        withUnsafeTemporaryAllocation(byteCount: text.count + 8, alignment: 8) { folded in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: text.count) { places in
                guard let base = folded.baseAddress, let places = places.baseAddress else { return }
                text.withUnsafeBytes { Self.fold($0, into: base) }
                (base + text.count).storeBytes(of: 0, as: UInt64.self)
                let possible = filter(UnsafeRawPointer(base), text.count, into: places)
                for index in 0..<possible { addWords(UnsafeRawPointer(base), Int(places[index]), text.count, &found) }
            }
        }
        return found
    }

    /// Writes down where a word may begin: without a branch, since no processor foresees where words stand.
    private func filter(_ text: UnsafeRawPointer, _ count: Int, into places: UnsafeMutablePointer<Int32>) -> Int {
        long.filter.withUnsafeBufferPointer { long in
            short.filter.withUnsafeBufferPointer { short in
                guard let long = long.baseAddress, let short = short.baseAddress else { return 0 }
                var possible = 0
                for at in 0..<(count - 2) {
                    let four = text.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                    let first = (four &* Self.factor) >> (32 - Self.filterBits)
                    let second = ((four & Self.threeBytes) &* Self.factor) >> (32 - Self.filterBits)
                    let bits = long[Int(truncatingIfNeeded: first >> 6)] &>> UInt64(first & 63) | short[Int(truncatingIfNeeded: second >> 6)] &>> UInt64(second & 63)
                    places[possible] = Int32(truncatingIfNeeded: at)
                    possible &+= Int(truncatingIfNeeded: bits & 1)
                }
                return possible
            }
        }
    }

    private func addWords(_ text: UnsafeRawPointer, _ at: Int, _ count: Int, _ found: inout WordPlaces) {
        let here = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        let four = UInt32(truncatingIfNeeded: here)
        add(long, four &* Self.factor, here, text, at, count, &found)
        add(short, (four & Self.threeBytes) &* Self.factor, here, text, at, count, &found)
    }

    @inline(__always)
    private func add(_ table: borrowing Table, _ hash: UInt32, _ here: UInt64, _ text: UnsafeRawPointer, _ at: Int, _ count: Int, _ found: inout WordPlaces) {
        let bucket = Int(hash >> (32 - Self.hashBits))
        let (start, end) = (Int(table.buckets[bucket]), Int(table.buckets[bucket + 1]))
        if start == end { return }
        table.words.withUnsafeBufferPointer { words in
            for index in start..<end where here & words[index].mask == words[index].head {
                let word = words[index]
                let length = Int(word.length)
                guard at + length <= count else { continue }
                if length > 8, !isRest(word, length, text + at) { continue }
                found.add(Int(word.number), at: at)
            }
        }
    }

    private func isRest(_ word: Word, _ length: Int, _ text: UnsafeRawPointer) -> Bool {
        bytes.withUnsafeBytes { bytes in
            for index in 8..<length where bytes[Int(word.start) + index] != text.load(fromByteOffset: index, as: UInt8.self) { return false }
            return true
        }
    }

    /// Lower case; the blanks that `\s` takes are all one. Without a branch, so that many bytes are folded together.
    private static func fold(_ text: UnsafeRawBufferPointer, into folded: UnsafeMutableRawPointer) {
        guard let base = text.baseAddress else { return }
        let (from, to) = (base.assumingMemoryBound(to: UInt8.self), folded.assumingMemoryBound(to: UInt8.self))
        for at in 0..<text.count {
            let byte = from[at]
            let letter = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
            to[at] = byte &- 0x09 < 5 ? 0x20 : letter
        }
    }

    private static func continuations(_ text: [UInt8]) -> Int {
        text.withUnsafeBufferPointer { text in
            var count = 0
            for byte in text { count &+= byte & 0xC0 == 0x80 ? 1 : 0 }
            return count
        }
    }
}

/// Where each word of a vocabulary stands in one text.
struct WordPlaces {
    /// A bit for each word that is there.
    private var bits: [UInt64]
    /// For each word the last of its places; nothing is said of one that is not there.
    private var heads: [Int32]
    /// Places in the order of the text, each with the one before it of the same word, -1 where there is none.
    private var places: [(start: Int32, previous: Int32)] = []

    /// How many bytes of the text go on with a character that began before them.
    let continuations: Int

    init(count: Int, continuations: Int) {
        self.continuations = continuations
        bits = [UInt64](repeating: 0, count: count / 64 + 1)
        heads = [Int32](unsafeUninitializedCapacity: count) { _, initialized in initialized = count }
        places.reserveCapacity(512)
    }

    mutating func add(_ word: Int, at start: Int) {
        let bit: UInt64 = 1 &<< UInt64(word & 63)
        places.append((Int32(truncatingIfNeeded: start), bits[word >> 6] & bit == 0 ? -1 : heads[word]))
        bits[word >> 6] |= bit
        heads[word] = Int32(truncatingIfNeeded: places.count - 1)
    }

    /// A word whose number came later than the search is not there.
    func contains(_ word: Int) -> Bool { word < heads.count && bits[word >> 6] & (1 &<< UInt64(word & 63)) != 0 }

    /// A place of a word: the offset at which it begins, and how to go on to the one before.
    struct Place {
        fileprivate let previous: Int32
        let start: Int
    }

    func last(_ word: Int) -> Place? { contains(word) ? place(heads[word]) : nil }

    func before(_ place: Place) -> Place? { self.place(place.previous) }

    private func place(_ index: Int32) -> Place? {
        index < 0 ? nil : Place(previous: places[Int(index)].previous, start: Int(places[Int(index)].start))
    }

    /// Calls `body` with a bit for each word.
    func withBits<T>(_ body: (UnsafeBufferPointer<UInt64>) -> T) -> T { bits.withUnsafeBufferPointer(body) }
}
