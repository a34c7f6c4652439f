import Chronology
import Codecs
import Ledger
import YAMLSource

/// A mail's subject and text without values, so that mails of one template are recognised as alike.
///
/// Words in small letters stay; a word with a digit, a sign or a capital may be a value, and so may a value of the
/// generic reader. Words are counted instead of bytes, so that a longer name does not shift the window.
struct TextShape {
    /// Words of the subject.
    private static let subjectWords = 16
    /// Words before and after the amount: the sentence of the event without the advertisement below it, which changes
    /// monthly.
    private static let wordsBefore = 12
    private static let wordsAfter = 24
    /// Maximum bytes of a word: longer ones are codes.
    private static let wordBytes = 24
    /// Minimum number of small letters in 8 for a text in which capitals are meaningful.
    private static let smallLetters = 3
    /// Small words that are values.
    private static let values = MonthName.abbreviatedWords.union(MonthName.words).union(WeekdayName.words)
        .union(["am", "pm", "hrs", "ist", "rs", "re", "inr", "usd", "eur", "gbp"])

    static func shape(subject: String, text: [UInt8], values: FieldSpans) -> MailShape {
        let head = TextShape(Array(subject.utf8), values: [], from: 0, wordsBefore: 0, wordsAfter: subjectWords)
        let amount = values[.amount]?.lowerBound ?? 0
        let spans = Array(values.values)
        let body = TextShape(text, values: spans, from: amount, wordsBefore: wordsBefore, wordsAfter: wordsAfter)
        let words = head.words.joined(separator: " ") + " | " + body.words.joined(separator: " ")
        var digest = FNV1a()
        digest.combine(Array(words.utf8))
        let form = values[.amount].map { _ in
            TextForm.digest(subject: Array(subject.utf8), text: text, values: values)
        }
        return MailShape(digest: digest.value, words: words, form: form)
    }

    /// True for small words that are values: months, days, currencies.
    static func isValue(_ word: [UInt8]) -> Bool { values.contains(String(decoding: word, as: UTF8.self)) }

    /// Words with "*" for values, one for adjacent values.
    private var words: [String] = []

    private init(_ text: [UInt8], values: [Range<Int>], from anchor: Int, wordsBefore: Int, wordsAfter: Int) {
        let inCapitals = Self.isInCapitals(text)
        var before: [String] = []
        var kept = 0
        var start = text[..<anchor].lastIndex { $0 == 0x20 || $0 == 0x0A }.map { $0 + 1 } ?? 0
        var end = start
        while end > 0, kept < wordsBefore {
            let (word, next) = Self.wordBefore(end - 1, in: text)
            if let token = Self.token(text, word, values, inCapitals) {
                if token != "*" { kept += 1 }
                if token != "*" || before.last != "*" { before.append(token) }
            }
            end = next
        }
        words = before.reversed()
        kept = 0
        while start < text.count, kept < wordsAfter {
            let stop = text[start...].firstIndex { $0 == 0x20 || $0 == 0x0A } ?? text.count
            if let token = Self.token(text, start..<stop, values, inCapitals) {
                if token != "*" { kept += 1 }
                if token != "*" || words.last != "*" { words.append(token) }
            }
            start = stop + 1
        }
    }

    /// The word that ends at the blank `at`, and the position after the blank before it.
    private static func wordBefore(_ at: Int, in text: [UInt8]) -> (Range<Int>, next: Int) {
        let start = text[..<at].lastIndex { $0 == 0x20 || $0 == 0x0A }.map { $0 + 1 } ?? 0
        return (start..<at, start)
    }

    /// Token of a word: the word, "*", or nothing if it consists of signs.
    private static func token(
        _ text: [UInt8], _ word: Range<Int>, _ values: [Range<Int>], _ inCapitals: Bool
    ) -> String? {
        var word = word
        while let first = text[word].first, isSign(first) { word = word.lowerBound + 1..<word.upperBound }
        while let last = text[word].last, isSign(last) { word = word.lowerBound..<word.upperBound - 1 }
        guard !word.isEmpty else { return nil }
        guard word.count <= wordBytes, !values.contains(where: { $0.overlaps(word) }) else { return "*" }
        for byte in text[word] {
            if (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "'") { continue }
            guard inCapitals, (0x41...0x5A).contains(byte) else { return "*" }
        }
        let lower = String(decoding: text[word].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        if Self.values.contains(lower) { return "*" }
        return inCapitals && !alertWords.contains(lower) ? "*" : lower
    }

    /// ASCII that is neither letter nor digit.
    static func isSign(_ byte: UInt8) -> Bool {
        byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte | 0x20)
    }

    private static func isInCapitals(_ text: [UInt8]) -> Bool {
        var (small, all) = (0, 0)
        for byte in text {
            if (0x61...0x7A).contains(byte) { small += 1 }
            if (0x61...0x7A).contains(byte | 0x20) { all += 1 }
        }
        return small * 8 < all * smallLetters
    }

    /// In a text in capitals only these words are known not to be names.
    private static let alertWords = BankWords.usual.union([
        "debited", "credited", "spent", "paid", "withdrawn", "withdrawal", "purchase", "transferred", "received",
        "sent", "deposited", "deposit", "refund", "reversed", "reversal",
        "charged", "deducted", "payment", "declined", "failed", "successful", "unsuccessful", "available", "balance",
        "limit", "due", "with", "using", "via", "towards", "ending", "in",
        "an", "a", "this", "not", "if", "have", "will", "be", "we", "as", "info", "charges", "fee", "interest",
        "cheque", "mandate", "autopay", "standing", "instruction", "cash", "mobile",
    ])
}
