package import PCRE2
import Synchronization

/// A pattern that is run on canonical text, with the words that the text must contain for it to match. Safe on any
/// thread.
public final class TextPattern: Sendable {
    let gate: WordGate
    let requirement: RequirementCode
    /// Unique among the patterns of one vocabulary; patterns with the same text are compiled once.
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

    /// - Parameter compile: called when the pattern is first run, which never happens for most templates of most banks.
    ///   If it fails, for example for lack of memory, it is called again the next time.
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

    /// The compiled pattern; compiles it at the first call.
    package func ready() throws(MatchError) -> Pattern {
        if let code = code.load() { return code.pattern }
        do throws(PatternError) { return code.storeIfNil(Code(try compile())).pattern } catch {
            throw MatchError(code: error.code)
        }
    }

    /// `nil` only if it cannot be compiled.
    package var pattern: Pattern? { try? ready() }

    /// The field groups; none before the pattern is compiled.
    var groups: FieldGroups { code.load()?.groups ?? .none }
    var isCompiled: Bool { code.load() != nil }
}

/// A pattern that a text must contain, split into its alternatives. Each alternative is searched near its own words,
/// and an alternative that many templates share is searched once.
public struct Condition: Sendable {
    /// Alternatives that need certain words come first: a match makes the others unnecessary, which read the whole
    /// text.
    let alternatives: [TextPattern]
    /// After the pieces that it calls.
    private let whole: @Sendable () -> String

    init(alternatives: [TextPattern], whole: @escaping @Sendable () -> String) {
        self.alternatives = alternatives.filter { !$0.gate.isOpen } + alternatives.filter(\.gate.isOpen)
        self.whole = whole
    }

    /// Source of the whole pattern.
    package var source: String { whole() }
    /// The whole pattern, for explanations and checks; compiled at each call.
    package var pattern: Pattern? { try? Pattern(source) }

    /// Words that a matching text must contain.
    var gate: WordGate { .any(alternatives.map(\.gate)) }
}
