import PCRE2

/// The requirement of a pattern, as ``RequiredLiterals`` without its texts: a tree in one array, in which a word is its
/// number in the vocabulary.
///
/// The first element of a node is its kind, the second the number of its elements, parts included:
///
/// | kind | elements after the first two |
/// |---|---|
/// | nothing | none |
/// | word | the number of the word; its maximum distance from the start of a match, in characters and in lines |
/// | all, any | the nodes of the parts, one after the other |
/// | behind | the extent before the part, in characters and in lines; the node of the part |
///
/// So `invoice .{0,20} due` is `[all, 12, word, 5, 17, 0, 0, word, 5, 9, 27, 0]`, with the words 17 and 9:
/// at most 27 characters of a match lie before `due`, and a dot matches no line feed.
struct RequirementCode: Sendable {
    enum Kind { static let nothing: Int32 = 0, word: Int32 = 1, all: Int32 = 2, any: Int32 = 3, behind: Int32 = 4 }

    /// Of a cached requirement, a part of the array of all.
    private(set) var code: ArraySlice<Int32>

    init(_ literals: RequiredLiterals, words: Vocabulary) {
        var code: [Int32] = []
        Self.write(literals, words, to: &code)
        self.code = code[...]
    }

    /// The tree at the beginning of `codes`, with other numbers for its words; `nil` if it is malformed or a word has
    /// no number. If all numbers are the same, the two share their memory.
    init?(_ codes: ArraySlice<Int32>, naming number: (Int32) -> Int32?) {
        guard let count = Self.length(of: codes) else { return nil }
        code = codes.prefix(count)
        guard rename(code.indices, number) else { return nil }
    }

    /// Maximum depth of the trees that this program writes.
    private static let maximumDepth = 100

    private static func length(of node: ArraySlice<Int32>) -> Int? {
        guard node.count >= 2, case let count = Int(node[node.startIndex + 1]), 2 <= count, count <= node.count else {
            return nil
        }
        return count
    }

    private mutating func rename(_ node: Range<Int>, depth: Int = 0, _ number: (Int32) -> Int32?) -> Bool {
        let start = node.lowerBound
        switch code[start] {
        case Kind.nothing: return node.count == 2
        case Kind.word:
            guard node.count == 5, let number = number(code[start + 2]) else { return false }
            if code[start + 2] != number { code[start + 2] = number }
            return true
        case Kind.all, Kind.any: return rename(partsIn: node.dropFirst(2), depth: depth, number)
        case Kind.behind: return node.count >= 6 && rename(partsIn: node.dropFirst(4), depth: depth, number)
        default: return false
        }
    }

    private mutating func rename(partsIn range: Range<Int>, depth: Int, _ number: (Int32) -> Int32?) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        var at = range.lowerBound
        while at < range.upperBound {
            guard let count = Self.length(of: code[at..<range.upperBound]),
                rename(at..<(at + count), depth: depth + 1, number)
            else { return false }
            at += count
        }
        return true
    }

    private static func write(_ literals: RequiredLiterals, _ words: Vocabulary, to code: inout [Int32]) {
        let start = code.count
        switch literals {
        case .nothing: code += [Kind.nothing, 0]
        case .word(let word, let reach):
            if let number = words.number(word) {
                code += [
                    Kind.word, 0, Int32(truncatingIfNeeded: number), Int32(clamping: reach.characters),
                    Int32(clamping: reach.lines),
                ]
            } else {
                code += [Kind.nothing, 0]
            }
        case .all(let list):
            code += [Kind.all, 0]
            for item in list { write(item, words, to: &code) }
        case .any(let list):
            code += [Kind.any, 0]
            for item in list { write(item, words, to: &code) }
        case .behind(let reach, let inside):
            code += [Kind.behind, 0, Int32(clamping: reach.characters), Int32(clamping: reach.lines)]
            write(inside, words, to: &code)
        }
        code[start + 1] = Int32(truncatingIfNeeded: code.count - start)
    }
}
