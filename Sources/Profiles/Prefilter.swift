import PCRE2

/// Tells in one pass over a text which of a bank's patterns could match it at all.
///
/// Each pattern's clauses come from `RequiredLiterals`; a pattern without any is always run.
struct Prefilter: Sendable {
    private let finder: WordFinder
    /// For each pattern, by its number, the clauses of which each must be met.
    private let requirements: [[WordSet]]

    /// More clauses of one pattern than this filter hardly better.
    private static let maximumClauses = 6

    init(_ literals: [RequiredLiterals]) {
        let chosen = literals.map { $0.clauses.sorted { ($0.count, $0.first ?? "") < ($1.count, $1.first ?? "") }.prefix(Self.maximumClauses) }
        let finder = WordFinder(Set(chosen.joined().joined()))
        self.finder = finder
        requirements = chosen.map { $0.map(finder.set) }
    }

    /// What the words of one text allow.
    struct Verdict {
        fileprivate let found: WordSet
        fileprivate let requirements: [[WordSet]]

        /// False: the pattern of that number cannot match the text.
        func allows(_ pattern: Int) -> Bool { requirements[pattern].allSatisfy { $0.intersects(found) } }
    }

    func look(at text: [UInt8]) -> Verdict { Verdict(found: finder.find(in: text), requirements: requirements) }
}
