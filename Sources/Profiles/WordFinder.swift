/// Finds which of many words stand in a text, and where: at each byte the words are tried that begin with the bytes found there.
///
/// Words are lower-case ASCII of three bytes and more; the text may have any case, and any blank for a blank.
final class WordFinder: Sendable {
    private struct Word {
        /// The first eight bytes, and which of them there are.
        let head: UInt64
        let mask: UInt64
        let number: UInt16
        let length: UInt8
        /// Where it begins in `bytes`.
        let start: UInt32
    }

    /// The words of some lengths, by the hash of so many of their first bytes.
    private struct Table {
        let words: [Word]
        /// For each hash the first of its words; one more than there are hashes, so that the next one's is the end.
        let buckets: [UInt16]
        /// The bytes that are hashed, and to how many bits.
        let mask: UInt64
        let bits: UInt32
    }

    private let count: Int
    private let bytes: [UInt8]
    /// The words of three bytes, of four and five, of six and seven, and of eight and more: many begin with the same four.
    private let short: Table
    private let middle: Table
    private let long: Table
    private let longest: Table
    /// For each hash of three bytes a bit for each kind of fourth byte that goes on with them: most places of a text are done with after a look at it.
    private let filter: [UInt8]

    private static let filterBits: UInt32 = 14
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let threeBytes: UInt64 = 0xFF_FFFF
    /// A number must fit 16 bits, a length 8.
    static let mostWords = Int(UInt16.max)
    static func isUsable(_ word: String) -> Bool { (3...Int(UInt8.max)).contains(word.utf8.count) }

    /// - Parameter words: usable ones, in the order of their numbers.
    init(_ words: [String]) {
        count = words.count
        var bytes: [UInt8] = []
        var filter = [UInt8](repeating: 0, count: 1 << Self.filterBits)
        var all: [Word] = []
        all.reserveCapacity(count)
        for (number, word) in words.enumerated() {
            let start = bytes.count
            bytes += word.utf8
            let length = bytes.count - start
            // As eight bytes of memory hold it.
            let head = bytes[start...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            filter[Self.hash(head & Self.threeBytes, Self.filterBits)] |= length > 3 ? 1 << UInt8(truncatingIfNeeded: head >> 24 & 7) : 0xFF
            all.append(
                Word(
                    head: head, mask: ~0 >> UInt64(64 - 8 * min(length, 8)), number: UInt16(truncatingIfNeeded: number), length: UInt8(truncatingIfNeeded: length),
                    start: UInt32(truncatingIfNeeded: start)))
        }
        self.filter = filter
        self.bytes = bytes
        short = Self.table(of: all, 3...3, bits: 10)
        middle = Self.table(of: all, 4...5, bits: 11)
        long = Self.table(of: all, 6...7, bits: 12)
        longest = Self.table(of: all, 8...UInt8.max, bits: 13)
    }

    private static func table(of all: [Word], _ lengths: ClosedRange<UInt8>, bits: UInt32) -> Table {
        let mask = ~UInt64(0) >> UInt64(64 - 8 * Int(lengths.lowerBound))
        let words = all.filter { lengths.contains($0.length) }
        let hashes = words.map { hash($0.head & mask, bits) }
        var buckets = [UInt16](repeating: 0, count: 1 << bits + 1)
        for hash in hashes { buckets[hash + 1] += 1 }
        for hash in 1..<buckets.count { buckets[hash] += buckets[hash - 1] }
        var sorted = words
        var next = buckets
        for (word, hash) in zip(words, hashes) {
            sorted[Int(next[hash])] = word
            next[hash] += 1
        }
        return Table(words: sorted, buckets: buckets, mask: mask, bits: bits)
    }

    @inline(__always)
    private static func hash(_ bytes: UInt64, _ bits: UInt32) -> Int { Int(truncatingIfNeeded: (bytes &* factor) &>> UInt64(64 - bits)) }

    /// Where the words stand in the text.
    func find(in text: [UInt8]) -> WordPlaces {
        var found: [WordPlaces.Occurrence] = []
        guard text.count >= 3, count > 0, text.count < Int(Int32.max) else { return WordPlaces(found, words: count, continuations: 0) }
        found.reserveCapacity(512)
        // Eight bytes can be read at every place.
        withUnsafeTemporaryAllocation(byteCount: text.count + 8, alignment: 8) { folded in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: text.count) { places in
                guard let base = folded.baseAddress, let places = places.baseAddress else { return }
                text.withUnsafeBytes { Self.fold($0, into: base) }
                (base + text.count).storeBytes(of: 0, as: UInt64.self)
                let possible = UnsafeBufferPointer(start: places, count: filter(UnsafeRawPointer(base), text.count, into: places))
                addWords(UnsafeRawBufferPointer(start: base, count: text.count + 8), possible, &found)
            }
        }
        return WordPlaces(found, words: count, continuations: Self.continuations(text))
    }

    /// Writes down where a word may begin: without a branch, since no processor foresees where words stand.
    private func filter(_ text: UnsafeRawPointer, _ count: Int, into places: UnsafeMutablePointer<Int32>) -> Int {
        filter.withUnsafeBufferPointer { filter in
            guard let filter = filter.baseAddress else { return 0 }
            var possible = 0
            for at in 0..<(count - 2) {
                let four = UInt64(text.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                let kinds = UInt32(filter[Self.hash(four & Self.threeBytes, Self.filterBits)])
                places[possible] = Int32(truncatingIfNeeded: at)
                possible &+= Int(truncatingIfNeeded: (kinds &>> UInt32(truncatingIfNeeded: four >> 24 & 7)) & 1)
            }
            return possible
        }
    }

    private func addWords(_ text: UnsafeRawBufferPointer, _ places: UnsafeBufferPointer<Int32>, _ found: inout [WordPlaces.Occurrence]) {
        let (short, middle, long, longest) = (self.short, self.middle, self.long, self.longest)
        for place in places {
            let at = Int(place)
            let here = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            add(short, here, text, at, &found)
            add(middle, here, text, at, &found)
            add(long, here, text, at, &found)
            add(longest, here, text, at, &found)
        }
    }

    @inline(__always)
    private func add(_ table: borrowing Table, _ here: UInt64, _ text: UnsafeRawBufferPointer, _ at: Int, _ found: inout [WordPlaces.Occurrence]) {
        let bucket = Self.hash(here & table.mask, table.bits)
        let (start, end) = (Int(table.buckets[bucket]), Int(table.buckets[bucket + 1]))
        for index in start..<end {
            let word = table.words[index]
            // No word has the zero bytes behind the text.
            guard here & word.mask == word.head, word.length <= 8 || isRest(word, text, at) else { continue }
            found.append(WordPlaces.Occurrence(word: Int32(word.number), start: Int32(truncatingIfNeeded: at)))
        }
    }

    /// Whether the word's bytes after the eighth stand there.
    private func isRest(_ word: Word, _ text: UnsafeRawBufferPointer, _ at: Int) -> Bool {
        guard at + Int(word.length) <= text.count else { return false }
        for index in 8..<Int(word.length) where bytes[Int(word.start) + index] != text[at + index] { return false }
        return true
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

    /// How many bytes go on with a character that began before them.
    private static func continuations(_ text: [UInt8]) -> Int {
        text.withUnsafeBytes { text in
            var (count, at) = (0, 0)
            while at + 8 <= text.count {
                let bytes = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                // A bit for each byte that begins with 10, and their sum in the highest byte.
                let ones: UInt64 = 0x0101_0101_0101_0101
                count += Int(truncatingIfNeeded: (((bytes &>> 7) & ~(bytes &>> 6) & ones) &* ones) &>> 56)
                at += 8
            }
            while at < text.count {
                count += text[at] & 0xC0 == 0x80 ? 1 : 0
                at += 1
            }
            return count
        }
    }
}
