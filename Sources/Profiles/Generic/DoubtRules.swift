import Ledger
import PCRE2
import YAMLSource

/// The rules of `_doubts.yaml`: what in a mail speaks against a transaction that was read from it, whichever template
/// read it.
struct DoubtRules: Sendable {
    private struct Rule {
        var note: String
        var pattern: TextPattern
        /// A match counts only if it ends within the sentence of the amount.
        var endsWithAmount: Bool
    }

    private let rules: [Rule]
    private let forwarded: TextPattern
    /// Every pattern, for its samples.
    let all: [WordingPattern]

    init(_ source: YAMLFile, words: Vocabulary, samples: Bool) throws(SourceError) {
        let file = try WordingFile(source, keys: ["doubts", "forwarded"], samples: samples)
        var all: [WordingPattern] = []
        func keep(_ pattern: WordingPattern) -> TextPattern {
            all.append(pattern)
            let literals = PatternNeeds(of: pattern.pattern.source).literals
            return TextPattern(pattern.pattern, RequirementCode(literals, words: words), words: words)
        }
        var rules: [Rule] = []
        for node in try file.map.require("doubts").list() {
            let map = try node.mapping()
            let until = map["until"]
            guard try until?.string() ?? "amount" == "amount" else {
                throw until.map { $0.error("only 'amount' can be named here") }
                    ?? node.error("'until' is expected here")
            }
            let pattern = try file.pattern(node, try map.require("name").string(), keys: ["name", "note", "until"])
            rules.append(
                Rule(note: try map.require("note").string(), pattern: keep(pattern), endsWithAmount: until != nil))
        }
        self.rules = rules
        forwarded = keep(try file.pattern(file.map.require("forwarded"), "forwarded"))
        self.all = all
    }

    /// The factors against a draft whose amount is at `amount`.
    func reasons(
        about amount: Range<Int>, in searched: SearchedText, subject: String, with matcher: Matcher
    ) throws(MatchError) -> [Reason] {
        var found: [Reason] = []
        let text = searched.bytes
        /// The end of the first match.
        func end(of pattern: TextPattern) throws(MatchError) -> Int? {
            guard try searched.match(pattern, with: matcher) else { return nil }
            return matcher.range(of: 0)?.upperBound
        }
        func doubt(_ note: String) { found.append(Reason(.wordingDoubtful, weight: 0.3, note: note)) }
        for rule in rules {
            guard let end = try end(of: rule.pattern) else { continue }
            if rule.endsWithAmount, end > AmountSentence.end(after: amount, in: text) { continue }
            doubt(rule.note)
            break
        }
        if let pretence = AmountSentence.pretence(before: amount, in: text) { doubt(pretence) }
        let quotes = try end(of: forwarded) ?? .max
        if quotes <= amount.lowerBound || Self.isRepeated(amount, in: text, subject: subject) {
            found.append(
                Reason(
                    .forwarded, weight: 0.3,
                    note: "the alert is forwarded or quoted in this mail: whoever did so may have changed it"))
        }
        return found
    }

    private static let repeatingPrefixes = ["fwd:", "fw:", "re:"]

    /// True if the subject says that the mail is forwarded or answered, or the line of the amount is quoted.
    private static func isRepeated(_ amount: Range<Int>, in text: [UInt8], subject: String) -> Bool {
        // The subject has no leading blank.
        let opening = subject.utf8.prefix(4).map { $0 | 0x20 }
        if repeatingPrefixes.contains(where: { opening.starts(with: $0.utf8) }) { return true }
        let lineStart = text[..<amount.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return text[lineStart] == UInt8(ascii: ">")
    }
}
