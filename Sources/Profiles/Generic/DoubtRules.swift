package import Ledger
package import PCRE2
import YAMLSource

/// Rules of `_doubts.yaml`: signs in a mail that contradict a transaction read from it, whichever template read it.
package struct DoubtRules: Sendable {
    /// The part of a mail that a rule's pattern is run on.
    enum Place: String, CaseIterable, Sendable {
        case text, subject
        /// The text without the names of counterparties.
        case cell
    }

    struct Rule: Sendable {
        var note: String
        var pattern: TextPattern
        var place = Place.text
        /// A match counts only if it ends within the sentence of the amount.
        var endsWithAmount = false
        /// Transactions of this type are exempt.
        var exempt: TransactionType?
    }

    let rules: [Rule]
    let forwarded: TextPattern
    /// All patterns, for their samples.
    let all: [WordingPattern]
    /// Forms of a transaction that did not happen; `nil` if the profiles were loaded without samples.
    package let negatives: NegativeForms?

    init(_ source: YAMLFile, words: Vocabulary, samples: Bool) throws(SourceError) {
        let file = try WordingFile(source, keys: ["doubts", "forwarded", "negatives"], samples: samples)
        var all: [WordingPattern] = []
        func keep(_ pattern: WordingPattern) -> TextPattern {
            all.append(pattern)
            let literals = PatternNeeds(of: pattern.pattern.source).literals
            return TextPattern(pattern.pattern, RequirementCode(literals, words: words), words: words)
        }
        var rules: [Rule] = []
        for node in try file.map.require("doubts").list() {
            let map = try node.mapping()
            let pattern = try file.pattern(node, try map.require("name").string(), keys: Self.keys)
            var rule = Rule(note: try map.require("note").string(), pattern: keep(pattern))
            if let until = map["until"] {
                guard try until.string() == "amount" else { throw until.error("only 'amount' can be named here") }
                rule.endsWithAmount = true
            }
            if let place = map["in"] { rule.place = try Self.choice(place, Place.self) }
            if let type = map["not_for"] { rule.exempt = try Self.choice(type, TransactionType.self) }
            rules.append(rule)
        }
        self.rules = rules
        forwarded = keep(try file.pattern(file.map.require("forwarded"), "forwarded"))
        var negatives: NegativeForms?
        if samples, let node = file.map["negatives"] { negatives = try NegativeForms(node, of: file) }
        if let negatives { all.append(negatives.row) }
        self.negatives = negatives
        self.all = all
    }

    private static let keys = ["name", "note", "until", "in", "not_for"]

    private static func choice<T: RawRepresentable & CaseIterable>(_ node: YAMLNode, _: T.Type) throws(SourceError) -> T
    where T.RawValue == String {
        let text = try node.string()
        guard let value = T(rawValue: text) else {
            throw node.error(
                "unknown value '\(text)'", remedy: "Use one of: \(T.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return value
    }
}
