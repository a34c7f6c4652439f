public import PCRE2
import Synchronization

/// A pattern that is run on canonical text, with what the text must hold for it to match. Any thread.
public final class TextPattern: Sendable {
    let gate: WordGate
    let requirement: RequirementCode
    /// Its own among the patterns of one vocabulary: patterns of the same text are compiled once.
    let number: Int
    private let compile: @Sendable () throws(PatternError) -> Pattern
    private let code = AtomicLazyReference<Code>()

    private final class Code: Sendable {
        let pattern: Pattern
        let groups: FieldGroups

        init(_ pattern: Pattern) {
            self.pattern = pattern
            groups = FieldGroups(pattern)
        }
    }

    /// - Parameter compile: called when the pattern is first run: of most templates of most banks none ever is. Where
    ///   it fails, such as for want of memory, it is called again the next time.
    init(
        _ requirement: RequirementCode, words: Vocabulary,
        compile: @escaping @Sendable () throws(PatternError) -> Pattern
    ) {
        gate = WordGate(requirement)
        self.requirement = requirement
        number = words.nextPattern()
        self.compile = compile
    }

    convenience init(_ pattern: Pattern, _ requirement: RequirementCode, words: Vocabulary) {
        self.init(requirement, words: words) { () throws(PatternError) in pattern }
        _ = code.storeIfNil(Code(pattern))
    }

    /// To be asked for before it is run.
    package func ready() throws(MatchError) -> Pattern {
        if let code = code.load() { return code.pattern }
        do throws(PatternError) { return code.storeIfNil(Code(try compile())).pattern } catch {
            throw MatchError(code: error.code)
        }
    }

    /// `nil` only where it cannot be compiled.
    package var pattern: Pattern? { try? ready() }

    /// Of a pattern that has been run.
    var groups: FieldGroups { code.load()?.groups ?? .none }
    var isCompiled: Bool { code.load() != nil }
}

/// A pattern that only has to stand in a text, taken apart into its alternatives: each is looked for where its own
/// words stand, and the sentences that many templates name are looked for once.
public struct Condition: Sendable {
    /// Those first that are looked for only where certain words stand: one that is found spares the others the whole
    /// text.
    let alternatives: [TextPattern]
    /// The whole, behind the pieces that it calls.
    let whole: @Sendable () -> String

    init(alternatives: [TextPattern], whole: @escaping @Sendable () -> String) {
        self.alternatives = alternatives.filter { !$0.gate.isOpen } + alternatives.filter(\.gate.isOpen)
        self.whole = whole
    }

    /// The whole pattern, for people who ask and for checks: compiled each time.
    package var pattern: Pattern? { try? Pattern(whole()) }

    /// What a text must hold for it.
    var gate: WordGate { .any(alternatives.map(\.gate)) }
}
