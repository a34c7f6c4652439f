import Synchronization

/// Words that the patterns of one set of profiles require, each with its number: one pass over a text finds them for
/// all templates. Safe on any thread.
final class Vocabulary: Sendable {
    private struct State {
        var words = WordList()
        /// Made for the first word whose number is asked for: requirements from a cache contain the numbers.
        var numbers: [String: Int]?
        /// Built at the first search, when all words are known.
        var finder: WordFinder?
        var patterns = 0

        mutating func number(_ word: String) -> Int? {
            guard WordFinder.isUsable(word.utf8.count) else { return nil }
            if numbers == nil {
                numbers = Dictionary((0..<words.count).map { (words.text($0), $0) }) { first, _ in first }
            }
            if let known = numbers?[word] { return known }
            guard words.count < WordFinder.mostWords else { return nil }
            numbers?[word] = words.count
            words.append(word.utf8)
            finder = nil
            return words.count - 1
        }
    }
    private let state = Mutex(State())

    /// Number of the word, a new one if it has none; `nil` for a word that cannot be searched.
    func number(_ word: String) -> Int? { state.withLock { $0.number(word) } }

    /// Takes words whose numbers are their indices.
    ///
    /// - Returns: false, and takes none, if there are other words already or one of them cannot be searched.
    func adopt(_ words: WordList) -> Bool {
        state.withLock { state in
            if state.words == words { return true }
            guard state.words.count == 0, words.count <= WordFinder.mostWords,
                (0..<words.count).allSatisfy({ WordFinder.isUsable(words[$0].count) })
            else { return false }
            state.words = words
            return true
        }
    }

    var count: Int { state.withLock { $0.words.count } }

    /// Word of a number; `nil` if there is none.
    func word(_ number: Int) -> String? {
        state.withLock { (0..<$0.words.count).contains(number) ? $0.words.text(number) : nil }
    }

    /// Number of one more pattern that requires these words.
    func nextPattern() -> Int {
        state.withLock { state in
            state.patterns += 1
            return state.patterns - 1
        }
    }

    /// Occurrences of the words in the text.
    func find(in text: [UInt8]) -> WordPlaces {
        let finder = state.withLock { state in
            if let finder = state.finder { return finder }
            let finder = WordFinder(state.words)
            state.finder = finder
            return finder
        }
        return finder.find(in: text)
    }
}
