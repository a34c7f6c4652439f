/// Finds the occurrences of many words in a text, in one pass for all of them.
///
/// The text is folded first: lower case, and one blank for each white space. Then positions are excluded in steps, each
/// of which sees fewer of them:
///
/// 1. ``filter``, by the hash of three bytes and the class of the fourth.
/// 2. For each group of lengths, ``WordBeginnings``, by the hash of the bytes that all words of the group have.
/// 3. ``WordTable`` compares the words whose first bytes have that hash with the text.
///
/// Words are lower-case ASCII of at least three bytes.
final class WordFinder: Sendable {
    private let count: Int
    /// Words by their lengths, named by the shortest one, of which all bytes up to sixteen are hashed: with more hashed
    /// bytes, fewer words are compared in vain.
    private let three: WordTable
    private let four: WordTable
    private let six: WordTable
    private let eight: WordTable
    private let twelve: WordTable
    private let sixteen: WordTable
    /// Beginnings of the words of at least this length.
    private let sixAndMore: WordBeginnings
    private let eightAndMore: WordBeginnings
    /// For each hash of three bytes, a bit for each class of the fourth byte, which is its lowest three bits.
    private let filter: [UInt8]

    private static let filterBits = 14
    private static let threeBytes: UInt64 = 0xFF_FFFF
    /// A number must fit 16 bits, a length 8.
    static let mostWords = Int(UInt16.max)
    /// Zero bytes after a text, so that a word can be read at its last byte.
    private static let margin = Int(WordTable.longest) + 1

    /// - Parameter length: of a word, in bytes.
    static func isUsable(_ length: Int) -> Bool { (3...Int(WordTable.longest)).contains(length) }

    /// - Parameter words: usable ones, in the order of their numbers.
    init(_ words: WordList) {
        count = words.count
        let bytes = words.bytes
        var filter = [UInt8](repeating: 0, count: 1 << Self.filterBits)
        var all: [WordTable.Word] = []
        all.reserveCapacity(count)
        for number in 0..<count {
            let word = words[number]
            let first = Self.load(word)
            all.append(
                WordTable.Word(
                    first: first, second: Self.load(word.dropFirst(8)), last: Self.load(word.suffix(8)),
                    start: UInt32(truncatingIfNeeded: word.startIndex),
                    number: UInt16(truncatingIfNeeded: number), length: UInt8(truncatingIfNeeded: word.count)))
            filter[Self.hash(first & Self.threeBytes)] |=
                word.count > 3 ? 1 << UInt8(truncatingIfNeeded: first >> 24 & 7) : 0xFF
        }
        self.filter = filter
        three = WordTable(all, bytes, of: 3...3)
        four = WordTable(all, bytes, of: 4...5)
        six = WordTable(all, bytes, of: 6...7)
        eight = WordTable(all, bytes, of: 8...11)
        twelve = WordTable(all, bytes, of: 12...15)
        sixteen = WordTable(all, bytes, of: 16...WordTable.longest)
        sixAndMore = WordBeginnings(all.filter { $0.length >= 6 }, bytes: 6)
        eightAndMore = WordBeginnings(all.filter { $0.length >= 8 }, bytes: 8)
    }

    /// The first eight bytes in memory order.
    private static func load(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Occurrences of the words in the text.
    func find(in text: [UInt8]) -> WordPlaces {
        var found: [WordPlaces.Occurrence] = []
        guard text.count >= 3, count > 0, text.count < Int(Int32.max) else {
            return WordPlaces(found, words: count, continuations: 0)
        }
        found.reserveCapacity(min(512, text.count))
        // Allows reading a word at every position.
        withUnsafeTemporaryAllocation(byteCount: text.count + Self.margin, alignment: 8) { folded in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: text.count * 3) { room in
                guard let base = folded.baseAddress, let room = room.baseAddress else { return }
                text.withUnsafeBytes { Self.fold($0, into: base) }
                (base + text.count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.margin)
                addWords(UnsafeRawPointer(base), text.count, room, &found)
            }
        }
        return WordPlaces(found, words: count, continuations: Self.continuations(text))
    }

    /// - Parameter room: for three times as many positions as the text has bytes.
    private func addWords(
        _ text: UnsafeRawPointer, _ count: Int, _ room: UnsafeMutablePointer<Int32>,
        _ found: inout [WordPlaces.Occurrence]
    ) {
        let (longer, candidates) = (room + count, room + 2 * count)
        let possible = UnsafeBufferPointer(start: room, count: filter(text, count, into: room))
        three.add(possible, of: text, candidates, to: &found)
        four.add(possible, of: text, candidates, to: &found)
        let six = sixAndMore.keep(possible, of: text, into: longer)
        self.six.add(six, of: text, candidates, to: &found)
        let eight = eightAndMore.keep(six, of: text, into: longer)
        self.eight.add(eight, of: text, candidates, to: &found)
        twelve.add(eight, of: text, candidates, to: &found)
        sixteen.add(eight, of: text, candidates, to: &found)
    }

    /// Records the positions at which a word may begin.
    private func filter(_ text: UnsafeRawPointer, _ count: Int, into places: UnsafeMutablePointer<Int32>) -> Int {
        filter.withUnsafeBufferPointer { filter in
            guard let filter = filter.baseAddress else { return 0 }
            var possible = 0
            for at in 0..<(count - 2) {
                let four = UInt64(text.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                let kinds = UInt32(filter[Self.hash(four & Self.threeBytes)])
                places[possible] = Int32(truncatingIfNeeded: at)
                possible &+= Int(truncatingIfNeeded: (kinds &>> UInt32(truncatingIfNeeded: four >> 24 & 7)) & 1)
            }
            return possible
        }
    }

    @inline(__always)
    private static func hash(_ threeBytes: UInt64) -> Int { WordBeginnings.hash(threeBytes, bits: filterBits) }

    /// Converts to lower case, and each white space of `\s` to one blank. Without branches, so that it is vectorised.
    private static func fold(_ text: UnsafeRawBufferPointer, into folded: UnsafeMutableRawPointer) {
        guard let base = text.baseAddress else { return }
        let (from, to) = (base.assumingMemoryBound(to: UInt8.self), folded.assumingMemoryBound(to: UInt8.self))
        for at in 0..<text.count {
            let byte = from[at]
            let letter = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
            to[at] = byte &- 0x09 < 5 ? 0x20 : letter
        }
    }

    /// The number of UTF-8 continuation bytes.
    private static func continuations(_ text: [UInt8]) -> Int {
        text.withUnsafeBytes { text in
            var (count, at) = (0, 0)
            while at + 8 <= text.count {
                let bytes = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                // One bit for each byte that begins with 10, summed in the highest byte.
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
