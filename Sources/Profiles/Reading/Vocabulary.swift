import Synchronization

/// Words that the patterns of one set of profiles require, each with its number: one pass over a text finds them for
/// all templates. Safe on any thread.
final class Vocabulary: Sendable {
    private struct State {
        var numbers: [String: Int] = [:]
        var words: [String] = []
        /// Built at the first search, when all words are known.
        var finder: WordFinder?
        var patterns = 0

        mutating func number(_ word: String) -> Int? {
            guard WordFinder.isUsable(word) else { return nil }
            if let known = numbers[word] { return known }
            guard words.count < WordFinder.mostWords else { return nil }
            numbers[word] = words.count
            words.append(word)
            finder = nil
            return words.count - 1
        }
    }
    private let state = Mutex(State())

    /// Number of the word, a new one if it has none; `nil` for a word that cannot be searched.
    func number(_ word: String) -> Int? { state.withLock { $0.number(word) } }

    /// The same for several words.
    func numbers(_ words: [String]) -> [Int?] {
        state.withLock { state in
            state.numbers.reserveCapacity(state.words.count + words.count)
            return words.map { state.number($0) }
        }
    }

    var count: Int { state.withLock { $0.words.count } }

    /// Word of a number; `nil` if there is none.
    func word(_ number: Int) -> String? {
        state.withLock { $0.words.indices.contains(number) ? $0.words[number] : nil }
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
