import PCRE2

/// Tells in one pass over a text which patterns of a group of templates could match it at all, and where in it a match can begin.
///
/// What each pattern requires comes from `PatternNeeds`; a pattern that requires nothing is run on the whole text. (PCRE2 takes two letters
/// outside ASCII, U+017F and U+212A, for s and k: a text that is written with these is not filtered right, and then only reaches the review queue.)
struct Prefilter: Sendable {
    private let vocabulary: Vocabulary
    private let patterns: RequirementCode
    private let templates: RequirementCode

    /// - Parameters:
    ///   - literals: of each pattern, in the order of its number.
    ///   - gates: of each template, in the order of the templates.
    init(_ literals: [RequiredLiterals], gates: [RequiredLiterals] = [], words vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
        patterns = RequirementCode(literals, words: vocabulary)
        templates = RequirementCode(gates, words: vocabulary)
    }

    /// - Parameter found: what was found in the text already; of another vocabulary it is of no use.
    func look(at text: [UInt8], found: WordPlaces? = nil) -> Verdict {
        let known = found.flatMap { $0.vocabulary === vocabulary ? $0 : nil }
        return Verdict(text: text, found: known ?? vocabulary.find(in: text), patterns: patterns, templates: templates)
    }

    /// What the words of one text allow.
    struct Verdict {
        let text: [UInt8]
        fileprivate let found: WordPlaces
        fileprivate let patterns: RequirementCode
        fileprivate let templates: RequirementCode

        /// The indices of the templates that may claim the text.
        var candidates: [Int] { (0..<templates.count).filter { templates.isMet($0, by: found) } }

        /// False: the pattern of that number cannot match the text.
        func allows(_ pattern: Int) -> Bool { patterns.isMet(pattern, by: found) }

        /// Runs the pattern, which must be allowed, where a match can begin.
        func match(_ pattern: TextPattern, with matcher: Matcher) throws(MatchError) -> Bool {
            let result: Result<Bool, MatchError> = text.withUnsafeBufferPointer { text in
                do throws(MatchError) {
                    guard let starts = patterns.starts(pattern.number, in: text, found) else { return .success(try matcher.firstMatch(of: pattern.pattern, in: text)) }
                    return .success(try matcher.firstMatch(of: pattern.pattern, in: text, startingIn: starts))
                } catch { return .failure(error) }
            }
            return try result.get()
        }
    }
}
