import PCRE2

/// Tells in one pass over a text which of a bank's patterns could match it at all.
///
/// What each pattern requires comes from `RequiredLiterals`; a pattern that requires nothing is always run. (PCRE2 takes two letters outside
/// ASCII, U+017F and U+212A, for s and k: a text that is written with these is not filtered right, and then only reaches the review queue.)
struct Prefilter: Sendable {
    private let finder: WordFinder
    private let requirements: [Requirement]

    /// `RequiredLiterals` with words as numbers of the finder.
    fileprivate indirect enum Requirement: Sendable {
        case nothing
        case word(Int)
        case all([Requirement])
        case any([Requirement])

        init(_ literals: RequiredLiterals, _ numbers: [String: Int]) {
            switch literals {
            case .nothing: self = .nothing
            case .word(let word): self = numbers[word].map(Requirement.word) ?? .nothing
            case .all(let list): self = .all(list.map { Requirement($0, numbers) })
            case .any(let list): self = .any(list.map { Requirement($0, numbers) })
            }
        }

        func isMet(by found: borrowing WordSet) -> Bool {
            switch self {
            case .nothing: return true
            case .word(let number): return found.contains(number)
            case .all(let list):
                for item in list where !item.isMet(by: found) { return false }
                return true
            case .any(let list):
                for item in list where item.isMet(by: found) { return true }
                return false
            }
        }
    }

    init(_ literals: [RequiredLiterals]) {
        finder = WordFinder(literals.reduce(into: []) { $0.formUnion($1.words) })
        let numbers = Dictionary(uniqueKeysWithValues: zip(finder.words, 0...))
        requirements = literals.map { Requirement($0, numbers) }
    }

    /// What the words of one text allow.
    struct Verdict {
        fileprivate let found: WordSet
        fileprivate let requirements: [Requirement]

        /// False: the pattern of that number cannot match the text.
        func allows(_ pattern: Int) -> Bool { requirements[pattern].isMet(by: found) }
    }

    func look(at text: [UInt8]) -> Verdict { Verdict(found: finder.find(in: text), requirements: requirements) }
}
