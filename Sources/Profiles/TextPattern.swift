public import PCRE2

/// A pattern that is run on canonical text, with what the text must hold for it to match.
public final class TextPattern: Sendable {
    let pattern: Pattern
    let groups: FieldGroups
    let gate: WordGate
    let requirement: RequirementCode
    /// Its own among the patterns of one vocabulary: patterns of the same text are compiled once.
    let number: Int

    init(_ pattern: Pattern, _ literals: RequiredLiterals, words: Vocabulary) {
        self.pattern = pattern
        groups = FieldGroups(pattern)
        gate = WordGate(literals, words: words)
        requirement = RequirementCode(literals, words: words)
        number = words.nextPattern()
    }
}

/// A pattern that only has to stand in a text, taken apart into its alternatives: each is looked for where its own words stand, and the
/// sentences that many templates name are looked for once.
public struct Condition: Sendable {
    let alternatives: [TextPattern]
    /// The whole, as `Pattern.source` has it.
    let source: String

    /// The whole pattern, for people who ask and for checks: compiled each time.
    var pattern: Pattern? { try? Pattern(source) }

    /// What a text must hold for it.
    var gate: WordGate { .any(alternatives.map(\.gate)) }
}
