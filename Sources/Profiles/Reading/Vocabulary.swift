import Synchronization

/// The words that the patterns of one set of profiles require, each with its number: one pass over a text finds them
/// for all templates of all groups. Any thread.
final class Vocabulary: Sendable {
    private struct State {
        var numbers: [String: Int] = [:]
        var words: [String] = []
        /// Made on the first search, when all words are there.
        var finder: WordFinder?
        var patterns = 0
    }
    private let state = Mutex(State())

    /// The word's number, a new one where it has none; `nil` for a word that cannot be searched for.
    func number(_ word: String) -> Int? {
        guard WordFinder.isUsable(word) else { return nil }
        return state.withLock { state in
            if let known = state.numbers[word] { return known }
            guard state.words.count < WordFinder.mostWords else { return nil }
            state.numbers[word] = state.words.count
            state.words.append(word)
            state.finder = nil
            return state.words.count - 1
        }
    }

    /// The word of a number; `nil` where it has none.
    func word(_ number: Int) -> String? {
        state.withLock { $0.words.indices.contains(number) ? $0.words[number] : nil }
    }

    /// A number for one more pattern that requires words of these.
    func nextPattern() -> Int {
        state.withLock { state in
            state.patterns += 1
            return state.patterns - 1
        }
    }

    /// The places of the words in the text.
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
