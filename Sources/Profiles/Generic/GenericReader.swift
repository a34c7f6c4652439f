import Ledger
import PCRE2
import YAMLSource

/// Reads a bank's mail that no template claims: the amount beside the words of a transaction, with the role of each
/// amount given by its label. The result is a draft for a person, never booked automatically.
final class GenericReader: Sendable {
    /// Role of an amount, derived from the words around it.
    enum Role: String { case amount, balance, limit, fee, tax, reward, due, other }

    struct Labelled {
        var role: Role
        var span: Range<Int>
        var currency: Range<Int>?
    }

    struct Result {
        var spans: FieldSpans
        var extraction: Template.Extraction
        /// True if words near the amount deny the event or place it in the future.
        var isDoubtful: Bool
    }

    /// Maximum number of amounts read. An alert has fewer; statements have hundreds.
    private static let maximumAmounts = 24
    /// Bytes before and after an amount that are searched for its label.
    private static let labelReach = 60

    /// A shorter line is not wrapped, and a longer one is not a row.
    private static let rowBytes = 48
    private static let proseBytes = 64

    /// Words whose full stop does not end a sentence: "Rs. 500", "A/c no. 12", "incl. GST".
    private static let abbreviations = ["rs", "no", "incl", "mr", "ms", "mrs", "dr"].map { Array($0.utf8) }

    let wording: GenericWording
    /// The doubts about a transaction, whichever template read it.
    let doubts: DoubtRules
    /// The words of the profiles' patterns and of `doubts`.
    let words: Vocabulary
    /// The words of mails of banks of other countries.
    let languages: Languages

    /// - Parameter requirements: the cached requirements of the patterns.
    init(_ files: WordingFiles, words: Vocabulary, requirements: RequirementFile? = nil) throws(SourceError) {
        self.words = words
        wording = try GenericWording(files.generic, samples: files.readsSamples)
        doubts = try DoubtRules(
            files.doubts, words: words, samples: files.readsSamples, requirements: requirements)
        languages = try Languages(files.languages, samples: files.readsSamples)
    }

    /// The amount and the fields around it; `nil` if the text reports no movement of money.
    ///
    /// A bank that changes its mails also changes its words: an amount without a label, beside account digits and a
    /// day, gives a draft with any words.
    func read(_ text: [UInt8], with matcher: Matcher) throws(MatchError) -> Result? {
        let hasMovement = try matcher.firstMatch(of: wording.movement, in: text)
        if !hasMovement {
            guard try matcher.firstMatch(of: wording.masked, in: text), try hasDay(text, with: matcher) else {
                return nil
            }
        }
        let amounts = try amounts(in: text, with: matcher)
        guard let best = try best(of: amounts, in: text, hasMovement: hasMovement, with: matcher) else { return nil }
        let words = Array(text[best.sentence])
        var spans: FieldSpans = [.amount: best.amount.span]
        spans[.currency] = best.amount.currency
        spans[.balance] = amounts.first { $0.role == .balance }?.span
        spans[.limit] = amounts.first { $0.role == .limit }?.span
        try addFields(to: &spans, of: words, at: best.sentence.lowerBound, in: text, with: matcher)
        var channel = Channel.other
        for (candidate, pattern) in wording.channels where channel == .other {
            if try matcher.firstMatch(of: pattern, in: words) { channel = candidate }
        }
        var came = try isIncoming(words, with: matcher)
        if came == nil { came = try isIncoming(text, with: matcher) }
        let rows = Array(text[Self.rows(of: best.sentence, around: best.amount.span, in: text)])
        return Result(
            spans: spans,
            extraction: Template.Extraction(
                bodies: [], fields: [], type: came ?? false ? .income : .expense, channel: channel),
            isDoubtful: try matcher.firstMatch(of: wording.doubtful, in: rows))
    }

    private struct Best {
        var amount: Labelled
        var score: Int
        var sentence: Range<Int>
    }

    /// The amount beside the words of a movement, the first of several: amounts of a footer follow those of the alert.
    private func best(
        of amounts: [Labelled], in text: [UInt8], hasMovement: Bool, with matcher: Matcher
    ) throws(MatchError) -> Best? {
        var best: Best?
        for amount in amounts {
            let sentence = Self.sentence(around: amount.span, in: text)
            let words = Array(text[sentence])
            let score: Int
            switch amount.role {
            case .amount: score = try matcher.firstMatch(of: wording.movement, in: words) ? 2 : 0
            case .fee, .tax, .reward:
                guard hasMovement, try matcher.firstMatch(of: wording.taken, in: words) else { continue }
                score = 1
            case .balance, .limit, .due, .other: continue
            }
            if best.map({ score > $0.score }) ?? true { best = Best(amount: amount, score: score, sentence: sentence) }
        }
        return best
    }

    /// Adds each field that is printed in the sentence of the amount, otherwise in the text.
    private func addFields(
        to spans: inout FieldSpans, of sentence: [UInt8], at start: Int, in text: [UInt8], with matcher: Matcher
    ) throws(MatchError) {
        for (field, pattern) in wording.fields where spans[field] == nil {
            if try matcher.firstMatch(of: pattern, in: sentence), let span = matcher.fields(of: pattern)[field] {
                spans[field] = span.lowerBound + start..<span.upperBound + start
            } else if try matcher.firstMatch(of: pattern, in: text) {
                spans[field] = matcher.fields(of: pattern)[field]
            }
        }
        if spans[.merchant] == nil, try matcher.firstMatch(of: wording.counterparty, in: sentence),
            let span = matcher.fields(of: wording.counterparty)[.merchant]
        {
            spans[.merchant] = span.lowerBound + start..<span.upperBound + start
        }
        spans[.merchant] = spans[.merchant].flatMap { Self.name($0, in: text) }
    }

    /// The part of a span that is a name: the text after its last amount; `nil` for a text without letters and for
    /// weekdays.
    private static func name(_ span: Range<Int>, in text: [UInt8]) -> Range<Int>? {
        var start = span.lowerBound
        let amounts = PrintedAmount.all(in: Array(text[span]), home: .inr)
        if let amount = amounts.last(where: { $0.mark != nil && $0.hasSeparator }) {
            start += amount.whole.upperBound
            while start < span.upperBound, text[start] == 0x20 || text[start] == UInt8(ascii: ".") { start += 1 }
        }
        let name = String(decoding: text[start..<span.upperBound], as: UTF8.self)
        guard name.contains(where: \.isLetter) else { return nil }
        return name.split(separator: " ").allSatisfy({ MonthNames.isWeekday($0) }) ? nil : start..<span.upperBound
    }

    /// True if the text reports a movement of money and an amount in digits, or with signs, that are not read.
    func hasUnreadAmount(_ text: [UInt8], with matcher: Matcher) throws(MatchError) -> Bool {
        guard try matcher.firstMatch(of: wording.movement, in: text) else { return false }
        return try matcher.firstMatch(of: wording.unread, in: text)
    }

    private func hasDay(_ text: [UInt8], with matcher: Matcher) throws(MatchError) -> Bool {
        for (field, pattern) in wording.fields where field == .date {
            if try matcher.firstMatch(of: pattern, in: text) { return true }
        }
        return false
    }

    /// The account, if only the subject prints it.
    func account(inSubject subject: [UInt8], with matcher: Matcher) throws(MatchError) -> [Field: [UInt8]] {
        for (field, pattern) in wording.fields where field == .account {
            if try matcher.firstMatch(of: pattern, in: subject), let span = matcher.fields(of: pattern)[field] {
                return [field: Array(subject[span])]
            }
        }
        return [:]
    }

    /// True if money came in: of "debited … and credited to" the first word counts. `nil` if no word indicates a
    /// direction.
    private func isIncoming(_ words: [UInt8], with matcher: Matcher) throws(MatchError) -> Bool? {
        let came = try matcher.firstMatch(of: wording.incoming, in: words) ? matcher.range(of: 0)?.lowerBound : nil
        let went = try matcher.firstMatch(of: wording.outgoing, in: words) ? matcher.range(of: 0)?.lowerBound : nil
        guard let came else { return went == nil ? nil : false }
        return went.map { came < $0 } ?? true
    }

    /// Every amount with the role that its label gives it.
    ///
    /// - Parameter isKnown: amounts that need no role; they are left out.
    func amounts(
        in text: [UInt8], with matcher: Matcher, except isKnown: (Range<Int>) -> Bool = { _ in false }
    ) throws(MatchError) -> [Labelled] {
        var found: [Labelled] = []
        var offset = 0
        var count = 0
        while count < Self.maximumAmounts, try matcher.firstMatch(of: wording.money, in: text, from: offset) {
            let spans = matcher.fields(wording.moneyGroups)
            guard let span = spans[.amount], let whole = matcher.range(of: 0) else { break }
            if !isKnown(span) {
                found.append(
                    Labelled(role: try role(of: whole, in: text, with: matcher), span: span, currency: spans[.currency])
                )
            }
            offset = max(span.upperBound, offset + 1)
            count += 1
        }
        return found
    }

    func role(of amount: Range<Int>, in text: [UInt8], with matcher: Matcher) throws(MatchError) -> Role {
        let before = Array(
            text[max(0, amount.lowerBound - Self.labelReach)..<amount.lowerBound].drop { $0 & 0xC0 == 0x80 })
        if try matcher.firstMatch(of: wording.labelBefore, in: before) {
            return Self.role(of: matcher, wording.labelBefore)
        }
        let after = Array(text[amount.upperBound..<min(text.count, amount.upperBound + Self.labelReach)])
        if try matcher.firstMatch(of: wording.labelAfter, in: Self.whole(after)) {
            return Self.role(of: matcher, wording.labelAfter)
        }
        return .amount
    }

    /// Role of a match; the groups of the label patterns are named after the roles.
    private static func role(of match: Matcher, _ pattern: Pattern) -> Role {
        for group in pattern.groups where match.range(of: group) != nil {
            if let role = Role(rawValue: group.name) { return role }
        }
        return .other
    }

    /// The bytes without an incomplete character at the end.
    static func whole(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        return bytes
    }

    /// The rows around a span, if its sentence consists of rows: prose below them is a footer.
    static func rows(of sentence: Range<Int>, around span: Range<Int>, in text: [UInt8]) -> Range<Int> {
        func lineEnd(_ start: Int) -> Int { text[start...].firstIndex(of: 0x0A) ?? text.count }
        var start = text[..<span.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        var end = lineEnd(start)
        while end < sentence.upperBound {
            let next = lineEnd(end + 1)
            if end - start < rowBytes, next - end > proseBytes { return sentence.lowerBound..<end }
            (start, end) = (end + 1, next)
        }
        return sentence
    }

    /// True for the stop in "H. Müller & Co. KG" and "to MA. C. SANTOS", which "at BOSTON MA. Your balance" lacks.
    private static func isInName(_ stop: Int, in text: [UInt8]) -> Bool {
        if text[..<stop].suffix(2).elementsEqual("Co".utf8) { return text[stop...].starts(with: ". KG".utf8) }
        let word = text[..<stop].suffix(4)
        return word.count == 4 && (0x61...0x7A).contains(word[word.startIndex]) && word[word.startIndex + 1] == 0x20
            && ["MA", "Ma", "MD", "Md"].contains { word.suffix(2).elementsEqual($0.utf8) }
    }

    /// The sentence or row that contains a span: up to a full stop before a blank, or two lines on, at most 300 bytes
    /// on either side.
    static func sentence(around span: Range<Int>, in text: [UInt8]) -> Range<Int> {
        func ends(_ at: Int) -> Bool {
            if text[at] == UInt8(ascii: "!") { return true }
            guard text[at] == UInt8(ascii: "."), at + 1 < text.count, text[at + 1] == 0x20 || text[at + 1] == 0x0A
            else { return false }
            return !AmountSentence.isInitial(at, in: text) && !isInName(at, in: text)
                && !abbreviations.contains { word in
                    let start = at - word.count
                    return start >= 0 && text[start..<at].elementsEqual(word) { $0 | 0x20 == $1 }
                        && (start == 0 || !(0x61...0x7A).contains(text[start - 1] | 0x20))
                }
        }
        var start = span.lowerBound
        while start > 0, span.lowerBound - start < 300, !ends(start - 1) { start -= 1 }
        while start < span.lowerBound, text[start] & 0xC0 == 0x80 { start += 1 }
        var end = span.upperBound
        while end < text.count, end - span.upperBound < 300, !ends(end) { end += 1 }
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return start..<end
    }
}
