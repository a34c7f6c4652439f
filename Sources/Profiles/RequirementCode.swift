import PCRE2

/// What a pattern requires of a text and how close together, with words as numbers of a vocabulary: a tree in one array.
///
/// A node is its kind, how many elements it takes, and then: a word's number and reach in characters and lines; the reach and a part; or parts.
struct RequirementCode: Sendable {
    enum Kind { static let nothing: Int32 = 0, word: Int32 = 1, all: Int32 = 2, any: Int32 = 3, behind: Int32 = 4 }

    private(set) var code: [Int32] = []

    init(_ literals: RequiredLiterals, words: Vocabulary) { write(literals, words) }

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
