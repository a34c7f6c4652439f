/// A word of a search that has no meaning, with what a sentence about it needs.
public enum SearchFault: Error, Hashable, Sendable {
    /// Limit of words.
    case tooManyWords(Int)
    /// A word before a colon, and the known ones.
    case unknownKey(String, known: [String])
    /// Nothing after the word and its colon.
    case noName(String)
    /// The known words after `is:`.
    case unknownState([String])
    /// No day after the word and its colon.
    case noDay(String)
    /// No amount after the sign.
    case noAmount(String)
    /// A range that ends before it begins.
    case amountOrder

    /// In English, after the name of the field.
    public var detail: String {
        switch self {
        case .tooManyWords(let limit): "has more than \(limit) words: search for fewer"
        case .unknownKey(let word, let known):
            "does not know '\(word)', only \(known.joined(separator: ", "));"
                + " put the word in quotes to search for its text"
        case .noName(let word): "needs a name after '\(word)'"
        case .unknownState(let known): "knows only these words after 'is:': \(known.joined(separator: ", "))"
        case .noDay(let word): "needs a day such as 2026-11-21 after '\(word)'"
        case .noAmount(let sign): "needs an amount directly after '\(sign)'; \(Money.typedForm)"
        case .amountOrder: "has an amount range whose first amount is above the second"
        }
    }
}
