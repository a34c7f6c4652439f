package import PCRE2

/// A text with the vocabulary words that it contains. It decides which patterns can match the text, runs them where a
/// match can begin, and caches the conditions that were found, because many templates share them. Lives on one thread.
///
/// The requirements of each pattern come from `PatternNeeds`; a pattern without requirements is run on the whole text.
/// (PCRE2 folds two letters outside ASCII, U+017F and U+212A, to s and k: a text that uses them is not filtered
/// correctly, and then only reaches the review queue.)
package final class SearchedText {
    package let bytes: [UInt8]
    private var words: WordPlaces
    private var starts = MatchStarts(capacity: 256)
    /// Indexed by the number of a pattern.
    private var known: [Finding] = []

    private enum Finding: UInt8 { case unknown, found, missing }

    init(_ bytes: [UInt8], words vocabulary: Vocabulary) {
        self.bytes = bytes
        words = vocabulary.find(in: bytes)
    }

    /// Searches the text again if the vocabulary has more words than at the last search: patterns were loaded since.
    func include(_ vocabulary: Vocabulary) {
        if vocabulary.count > words.vocabularyCount { words = vocabulary.find(in: bytes) }
    }

    /// The indices of the gates whose words occur in the text.
    func passing(_ gates: WordGate.Row) -> [Int] { gates.met(by: words) }

    /// How near the text comes to passing each of the gates, in words.
    func likenesses(to gates: WordGate.Row) -> [Int] { gates.likenesses(to: words) }

    /// False if the pattern cannot match the text.
    func allows(_ pattern: TextPattern) -> Bool { pattern.gate.isMet(by: words) }

    /// Runs the pattern at the positions at which a match can begin.
    /// - Parameter start: the first byte that may belong to the match.
    package func match(
        _ pattern: TextPattern, from start: Int = 0, with matcher: Matcher
    ) throws(MatchError) -> Bool {
        guard allows(pattern) else { return false }
        let code = try pattern.ready()
        // A second reference would make the next write copy the array.
        var starts = MatchStarts.empty
        swap(&starts, &self.starts)
        defer { swap(&starts, &self.starts) }
        let result: Result<Bool, MatchError> = bytes.withUnsafeBufferPointer { text in
            do throws(MatchError) {
                guard starts.find(pattern.requirement, in: text, words) else {
                    return .success(try matcher.firstMatch(of: code, in: text, from: start))
                }
                for range in starts.ranges.reversed() where range.upper >= start {
                    let places = max(range.lower, start)...range.upper
                    if try matcher.firstMatch(of: code, in: text, startingIn: places) { return .success(true) }
                }
                return .success(false)
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// True if one of the condition's alternatives matches the text; the matcher's groups are undefined afterwards.
    package func holds(_ condition: Condition, with matcher: Matcher) throws(MatchError) -> Bool {
        for alternative in condition.alternatives where try matches(alternative, with: matcher) { return true }
        return false
    }

    private func matches(_ pattern: TextPattern, with matcher: Matcher) throws(MatchError) -> Bool {
        let number = pattern.number
        if number < known.count, known[number] != .unknown { return known[number] == .found }
        let isFound = try match(pattern, with: matcher)
        if number >= known.count { known += repeatElement(.unknown, count: number + 64 - known.count) }
        known[number] = isFound ? .found : .missing
        return isFound
    }
}
