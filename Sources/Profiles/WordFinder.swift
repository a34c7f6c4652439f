/// Finds which of many words stand in a text, in one pass (A. V. Aho, M. J. Corasick, "Efficient String Matching", 1975).
///
/// Words are lower-case ASCII; the text may have any case.
struct WordFinder: Sendable {
    /// Every word in the order of its bit.
    let words: [String]
    private let lengths: [UInt16]
    /// Byte to column; 0 for every byte that stands in no word.
    private let columns: [UInt8]
    private let width: Int
    /// State × column to state.
    private let next: [Int32]
    /// For each state the words that end there, as a range of `ends`.
    private let endRanges: [Range<Int32>]
    private let ends: [UInt16]

    init(_ list: Set<String>) {
        words = list.sorted()
        lengths = words.map { UInt16(truncatingIfNeeded: $0.utf8.count) }
        var columns = [UInt8](repeating: 0, count: 256)
        var count: UInt8 = 0
        for byte in Set(words.flatMap(\.utf8)).sorted() where count < 250 {
            count += 1
            columns[Int(byte)] = count
            if (0x61...0x7A).contains(byte) { columns[Int(byte) & 0xDF] = count }
        }
        let width = Int(count) + 1
        // The trie.
        var children = [[Int]](repeating: [Int](repeating: -1, count: width), count: 1)
        var outputs: [[UInt16]] = [[]]
        for (index, word) in words.enumerated() {
            var state = 0
            for byte in word.utf8 {
                let column = Int(columns[Int(byte)])
                if children[state][column] < 0 {
                    children[state][column] = children.count
                    children.append([Int](repeating: -1, count: width))
                    outputs.append([])
                }
                state = children[state][column]
            }
            outputs[state].append(UInt16(truncatingIfNeeded: index))
        }
        // Failure links, breadth first, folded into the transitions.
        var failure = [Int](repeating: 0, count: children.count)
        var queue: [Int] = []
        for column in 0..<width {
            let child = children[0][column]
            if child > 0 { queue.append(child) } else { children[0][column] = 0 }
        }
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            outputs[state] += outputs[failure[state]]
            for column in 0..<width {
                let child = children[state][column]
                let fallback = children[failure[state]][column]
                if child >= 0 {
                    failure[child] = fallback
                    queue.append(child)
                } else {
                    children[state][column] = fallback
                }
            }
        }
        self.columns = columns
        self.width = width
        next = children.flatMap { $0.map { Int32(truncatingIfNeeded: $0) } }
        var ends: [UInt16] = []
        endRanges = outputs.map {
            let start = Int32(ends.count)
            ends += $0
            return start..<Int32(ends.count)
        }
        self.ends = ends
    }

    /// Where the words stand in the text.
    func find(in text: [UInt8]) -> WordPlaces {
        var found = WordPlaces(lengths: lengths)
        var state = 0
        text.withUnsafeBufferPointer { text in
            next.withUnsafeBufferPointer { next in
                columns.withUnsafeBufferPointer { columns in
                    endRanges.withUnsafeBufferPointer { endRanges in
                        for at in text.indices {
                            state = Int(next[state * width + Int(columns[Int(text[at])])])
                            let range = endRanges[state]
                            if !range.isEmpty { for index in range { found.add(Int(ends[Int(index)]), endingBefore: at + 1) } }
                        }
                    }
                }
            }
        }
        return found
    }
}

/// Where each of a finder's words stands in one text.
struct WordPlaces {
    private let lengths: [UInt16]
    /// For each word the last of its places, -1 where there is none.
    private var heads: [Int32]
    /// Places in the order of the text, each with the one before it of the same word.
    private var places: [(end: Int32, previous: Int32)] = []

    init(lengths: [UInt16]) {
        self.lengths = lengths
        heads = [Int32](repeating: -1, count: lengths.count)
        places.reserveCapacity(256)
    }

    mutating func add(_ word: Int, endingBefore end: Int) {
        places.append((Int32(truncatingIfNeeded: end), heads[word]))
        heads[word] = Int32(truncatingIfNeeded: places.count - 1)
    }

    func contains(_ word: Int) -> Bool { heads[word] >= 0 }

    /// A place of a word: the offset at which it begins, and how to go on to the one before.
    struct Place {
        fileprivate let index: Int32
        let start: Int
    }

    func last(_ word: Int) -> Place? { place(heads[word], word) }

    func place(before place: Place, of word: Int) -> Place? { self.place(places[Int(place.index)].previous, word) }

    private func place(_ index: Int32, _ word: Int) -> Place? {
        index < 0 ? nil : Place(index: index, start: Int(places[Int(index)].end) - Int(lengths[word]))
    }
}
