import PCRE2

/// What a pattern requires of a text and how close together, with words as numbers of a vocabulary: a tree in one array.
///
/// A node is its kind, how many elements it takes, and then: a word's number and reach in characters and lines; the reach and a part; or parts.
struct RequirementCode: Sendable {
    enum Kind { static let nothing: Int32 = 0, word: Int32 = 1, all: Int32 = 2, any: Int32 = 3, behind: Int32 = 4 }

    private(set) var code: [Int32] = []

    init(_ literals: RequiredLiterals, words: Vocabulary) { write(literals, words) }

    /// The same tree with other numbers for its words; `nil` where it is none, or a word has no number.
    init?(code: [Int32], naming number: (Int32) -> Int32?) {
        self.code = code
        guard self.code.withUnsafeMutableBufferPointer({ Self.rename($0, $0.indices, number) }) else { return nil }
    }

    private static func rename(_ code: UnsafeMutableBufferPointer<Int32>, _ node: Range<Int>, depth: Int = 0, _ number: (Int32) -> Int32?) -> Bool {
        func parts(from start: Int) -> Bool {
            depth < CodeTree.maximumDepth && CodeTree.all(code, in: start..<node.upperBound) { rename(code, $0, depth: depth + 1, number) }
        }
        switch code[node.lowerBound] {
        case Kind.nothing: return node.count == 2
        case Kind.word:
            guard node.count == 5, let number = number(code[node.lowerBound + 2]) else { return false }
            code[node.lowerBound + 2] = number
            return true
        case Kind.all, Kind.any: return parts(from: node.lowerBound + 2)
        case Kind.behind: return node.count >= 6 && parts(from: node.lowerBound + 4)
        default: return false
        }
    }

    private mutating func write(_ literals: RequiredLiterals, _ words: Vocabulary) {
        let start = code.count
        switch literals {
        case .nothing: code += [Kind.nothing, 0]
        case .word(let word, let reach):
            if let number = words.number(word) {
                code += [Kind.word, 0, Int32(truncatingIfNeeded: number), Int32(clamping: reach.characters), Int32(clamping: reach.lines)]
            } else {
                code += [Kind.nothing, 0]
            }
        case .all(let list):
            code += [Kind.all, 0]
            for item in list { write(item, words) }
        case .any(let list):
            code += [Kind.any, 0]
            for item in list { write(item, words) }
        case .behind(let reach, let inside):
            code += [Kind.behind, 0, Int32(clamping: reach.characters), Int32(clamping: reach.lines)]
            write(inside, words)
        }
        code[start + 1] = Int32(truncatingIfNeeded: code.count - start)
    }
}
