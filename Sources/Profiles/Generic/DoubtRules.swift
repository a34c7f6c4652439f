import Ledger
import PCRE2
import YAMLSource

/// Rules of `_doubts.yaml`: signs in a mail that contradict a transaction read from it, whichever template read it.
/// A class, because it is passed on for every mail.
package final class DoubtRules: Sendable {
    /// The part of a mail that a rule's pattern is run on.
    enum Place: String, CaseIterable, Sendable {
        case text, subject
        /// The text without the names of counterparties.
        case cell
    }

    struct Rule: Sendable {
        var note: String
        var pattern: TextPattern
        var place: Place
        /// A match counts only if it ends within the sentence of the amount.
        var endsWithAmount = false
        /// Transactions of this type are exempt.
        var exempt: TransactionType?
    }

    let rules: [Rule]
    /// Words that a text must contain for each rule; a rule on subjects needs none.
    private let gates: WordGate.Row
    /// The words of the rules on subjects. They are few, so that they are found in a subject faster than the words of
    /// all patterns.
    let subjectWords: Vocabulary
    let forwarded: TextPattern
    /// All patterns, for their samples.
    let all: [WordingPattern]
    /// Forms of a transaction that did not happen; `nil` if the profiles were loaded without samples.
    package let negatives: NegativeForms?

    /// - Parameter requirements: the cached requirements of the patterns, as numbers of `words`.
    init(
        _ source: YAMLFile, words: Vocabulary, samples: Bool, requirements: RequirementFile?
    ) throws(SourceError) {
        let file = try WordingFile(source, keys: ["doubts", "forwarded", "negatives"], samples: samples)
        var all: [WordingPattern] = []
        let subjectWords = Vocabulary()
        func keep(_ pattern: WordingPattern, in place: Place) -> TextPattern {
            all.append(pattern)
            let source = pattern.pattern.source
            if place == .subject {
                let code = RequirementCode(PatternNeeds(of: source).literals, words: subjectWords)
                return TextPattern(pattern.pattern, code, words: subjectWords)
            }
            let known = requirements?.recall(source)
            let code = known ?? RequirementCode(PatternNeeds(of: source).literals, words: words)
            if known == nil { requirements?.keep(code, of: source) }
            return TextPattern(pattern.pattern, code, words: words)
        }
        var rules: [Rule] = []
        for node in try file.map.require("doubts").list() {
            let map = try node.mapping()
            let pattern = try file.pattern(node, try map.require("name").string(), keys: Self.keys)
            let place = try map["in"].map { node throws(SourceError) in try node.choice(of: Place.self) } ?? .text
            var rule = Rule(
                note: try map.require("note").string(),
                pattern: keep(pattern, in: place), place: place)
            if let until = map["until"] {
                guard try until.string() == "amount" else { throw until.error("only 'amount' can be named here") }
                rule.endsWithAmount = true
            }
            if let type = map["not_for"] { rule.exempt = try type.choice(of: TransactionType.self) }
            rules.append(rule)
        }
        self.rules = rules
        self.subjectWords = subjectWords
        gates = WordGate.Row(rules.map { $0.place == .subject ? .all([]) : $0.pattern.gate })
        forwarded = keep(try file.pattern(file.map.require("forwarded"), "forwarded"), in: .text)
        var negatives: NegativeForms?
        if samples, let node = file.map["negatives"] { negatives = try NegativeForms(node, of: file) }
        if let negatives { all.append(negatives.row) }
        self.negatives = negatives
        self.all = all
    }

    /// Indices of the rules that may match a mail with this text.
    func candidates(for text: SearchedText) -> [Int] { text.passing(gates) }

    private static let keys = ["name", "note", "until", "in", "not_for"]
}
