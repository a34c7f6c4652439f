/// The references and words of a statement's lines and of the transactions that it is compared with.
struct StatementTexts {
    /// A shorter number is an amount, a branch or a part of a date.
    private static let shortestReference = 6
    private static let shortestWord = 4
    /// Number of words of a line that are compared; banks print fewer.
    private static let mostWords = 40

    private struct Text {
        var references: [String] = []
        var words: [String] = []
        /// The text without blanks.
        var key = ""
    }

    private let lines: [Text]
    private let entries: [Text]
    /// Words that occur in many lines, such as `UPI` or `PAYMENT`. They do not identify a payee.
    private let common: Set<String>

    init(_ lines: [StatementLine], _ entries: [LedgerEntry]) {
        self.lines = lines.map { line in
            var text = Self.text(line.text)
            text.references = ([line.reference ?? ""] + text.words).compactMap(Self.reference)
            return text
        }
        self.entries = entries.map { entry in
            var text = Self.text(entry.payee)
            text.references = [Self.reference(entry.reference ?? "")].compactMap { $0 }
            return text
        }
        var counts: [String: Int] = [:]
        for line in self.lines { for word in Set(line.words) { counts[word, default: 0] += 1 } }
        let limit = max(8, lines.count / 4)
        common = Set(counts.lazy.filter { $0.value > limit }.map(\.key))
    }

    private static func text(_ printed: String) -> Text {
        let normal = CategoryRules.normalized(printed)
        let words = normal.split(separator: " ").prefix(mostWords).map(String.init)
        return Text(words: words, key: words.joined())
    }

    /// Upper case without blanks, punctuation and leading zeros; `nil` unless it is long enough and has digits.
    private static func reference(_ printed: String) -> String? {
        let kept = printed.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.drop { $0 == "0" }
        guard kept.count >= shortestReference, kept.filter(\.isNumber).count * 2 >= kept.count else { return nil }
        return String(kept)
    }

    func reference(ofEntry entry: Int) -> String? { entries[entry].references.first }

    func references(ofLine line: Int) -> [String] { lines[line].references }

    /// True if both print numbers of the same length and none agrees: then the events are two.
    func referencesDisagree(_ line: Int, _ entry: Int) -> Bool {
        guard let own = reference(ofEntry: entry), own.allSatisfy(\.isNumber) else { return false }
        let numbers = lines[line].references.filter { $0.count == own.count && $0.allSatisfy(\.isNumber) }
        return !numbers.isEmpty && !numbers.contains(own)
    }

    func words(ofLine line: Int) -> [String] { lines[line].words.filter(isDistinct) }

    func words(ofEntry entry: Int) -> [String] { entries[entry].words.filter(isDistinct) }

    private func isDistinct(_ word: String) -> Bool {
        word.utf8.count >= Self.shortestWord && !common.contains(word) && word.contains(where: \.isLetter)
    }

    /// True if the line contains the payee's name, or shares a word with it that few lines have.
    func isSame(_ line: Int, _ entry: Int) -> Bool {
        let (a, b) = (lines[line], entries[entry])
        guard !a.key.isEmpty, !b.key.isEmpty else { return false }
        if PayeeText.isSame(key: a.key, b.key) { return true }
        if b.key.utf8.count > Self.shortestWord, a.key.contains(b.key) { return true }
        return b.words.contains { isDistinct($0) && a.words.contains($0) }
    }
}
