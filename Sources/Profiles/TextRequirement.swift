import PCRE2

/// What a text must hold for a pattern to match, with words as numbers of a vocabulary.
struct TextRequirement: Sendable {
    let gate: WordGate
    let code: RequirementCode

    init(_ literals: RequiredLiterals, words: Vocabulary) {
        gate = WordGate(literals, words: words)
        code = RequirementCode(literals, words: words)
    }

    /// The same with other numbers for its words, from its two trees one behind the other; `nil` where they are none, or a word has no number.
    init?(codes: ArraySlice<Int32>, naming number: (Int32) -> Int32?) {
        var rest = codes
        guard let gate = CodeTree.first(&rest).flatMap({ WordGate(code: $0, naming: number) }), let code = CodeTree.first(&rest).flatMap({ RequirementCode(code: $0, naming: number) })
        else { return nil }
        self.gate = gate
        self.code = code
    }

    /// Its two trees, one behind the other.
    var codes: [Int32] { gate.code + code.code }
}
