/// Finds which of many words stand in a text, in one pass (A. V. Aho, M. J. Corasick, "Efficient String Matching", 1975).
///
/// Words are lower-case ASCII; the text may have any case.
struct WordFinder: Sendable {
    /// Every word in the order of its bit.
    let words: [String]
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

    /// The words that stand in the text.
    func find(in text: [UInt8]) -> WordSet {
        var found = WordSet(count: words.count)
        var state = 0
        text.withUnsafeBufferPointer { text in
            next.withUnsafeBufferPointer { next in
                columns.withUnsafeBufferPointer { columns in
                    endRanges.withUnsafeBufferPointer { endRanges in
                        for byte in text {
                            state = Int(next[state * width + Int(columns[Int(byte)])])
                            let range = endRanges[state]
                            if !range.isEmpty { for index in range { found.insert(Int(ends[Int(index)])) } }
                        }
                    }
                }
            }
        }
        return found
    }
}

/// A set of a finder's words, a bit each.
struct WordSet: Sendable {
    private var bits: [UInt64]

    init(count: Int) { bits = [UInt64](repeating: 0, count: (count + 63) / 64) }

    mutating func insert(_ index: Int) { bits[index >> 6] |= 1 << UInt64(index & 63) }

    func contains(_ index: Int) -> Bool { bits[index >> 6] & (1 << UInt64(index & 63)) != 0 }
}
