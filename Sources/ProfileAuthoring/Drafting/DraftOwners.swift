import Ledger
import PCRE2
import Profiles

/// Bytes of a text that are values, labels of values, or otherwise variable; the rest are words.
struct Owners {
    private let text: [UInt8]
    /// Sorted, not overlapping.
    private var owned: [DraftElement] = []
    private(set) var foreign: Set<Field> = []

    /// Longer words are treated as tokens that a program made.
    private static let longestWord = 24

    /// - Parameter bankRows: rows in which every word is the bank's own.
    init(
        _ mail: MarkedMail, _ places: [Field: PrintedForms.Place], _ forms: PrintedForms, _ knownWords: Set<String>,
        bankRows: [Range<Int>]
    ) throws(DerivationError) {
        let text = mail.text
        self.text = text
        let labels = try LabelForms()
        for (field, place) in places { add(.field(field), place.span) }
        for (field, place) in places.sorted(by: { $0.value.span.lowerBound < $1.value.span.lowerBound }) {
            switch field {
            case .amount, .balance, .limit:
                if let label = labels.match(labels.rupees, text, place.span.lowerBound) {
                    add(.currency, label)
                } else if let label = labels.match(labels.foreign, text, place.span.lowerBound) {
                    add(.currency, label)
                    foreign.insert(field)
                }
            case .account:
                let start = place.span.lowerBound - place.leadingDigits
                if place.leadingDigits > 0 { add(.shape(.digits), start..<place.span.lowerBound) }
                let label = labels.match(labels.number, text, start)
                if let label { add(.accountLabel, label) }
                if let word = labels.match(labels.account, text, label?.lowerBound ?? start) { add(.accountWord, word) }
            default: break
            }
        }
        for span in mail.hidden { add(.shape(.name), span) }
        for span in forms.ranges(of: forms.url, in: text) + forms.ranges(of: forms.vpa, in: text) {
            add(.shape(.token), span)
        }
        for span in forms.dates(in: text) { add(.shape(.date), span) }
        for span in forms.ranges(of: forms.time, in: text) { add(.shape(.time), span) }
        for span in forms.ranges(of: forms.number, in: text) {
            if let label = labels.match(labels.rupees, text, span.lowerBound)
                ?? labels.match(labels.foreign, text, span.lowerBound)
            {
                add(.shape(.money), label.lowerBound..<span.upperBound)
            }
        }
        addNames(knownWords, bankRows, takesCapitalised: places[.merchant] == nil)
        addTokens()
        // Repetitions of the counterparty vary, too.
        for field in [Field.merchant, .vpa, .reference] {
            guard let span = places[field]?.span, span.count > 3 else { continue }
            for other in forms.literal(Array(text[span]), in: text) { add(.shape(.name), other) }
        }
    }

    /// Keeps values variable without reading them, for ignore templates.
    mutating func demoteFields() {
        owned = owned.compactMap { element in
            switch element.token {
            case .field(.amount), .field(.balance), .field(.limit), .field(.account), .field(.reference), .field(.vpa):
                DraftElement(token: .shape(.token), range: element.range)
            case .field(.date): DraftElement(token: .shape(.date), range: element.range)
            case .field(.time): DraftElement(token: .shape(.time), range: element.range)
            case .field: DraftElement(token: .shape(.name), range: element.range)
            case .accountLabel: nil
            default: element
            }
        }
    }

    private mutating func add(_ token: DraftToken, _ range: Range<Int>) {
        guard !range.isEmpty, !owned.contains(where: { $0.range.overlaps(range) }) else { return }
        owned.insert(
            DraftElement(token: token, range: range),
            at: owned.firstIndex { $0.range.lowerBound >= range.lowerBound } ?? owned.count)
    }

    /// - Parameter takesCapitalised: unknown words with a capital in the middle of a sentence are names, too: a
    ///   counterparty that was not given must not become a part of the pattern.
    private mutating func addNames(_ knownWords: Set<String>, _ bankRows: [Range<Int>], takesCapitalised: Bool) {
        for word in PrintedForms.runs(in: text, text.indices, of: PrintedForms.isLetter) {
            let name = String(decoding: text[word], as: UTF8.self).lowercased()
            if Salutation.openings.contains(name), word.upperBound < text.count, text[word.upperBound] == 0x20 {
                let start = word.upperBound + 1
                let isTitled = Salutation.titles.contains(
                    String(decoding: text[start...].prefix(while: PrintedForms.isLetter), as: UTF8.self).lowercased())
                let end =
                    text[start...].firstIndex { [0x2C, 0x0A, 0x3A, 0x21].contains($0) || $0 == 0x2E && !isTitled }
                    ?? text.count
                let first = String(decoding: text[start..<end].prefix(while: PrintedForms.isLetter), as: UTF8.self)
                    .lowercased()
                if end > start, end - start <= 60, !Salutation.anybody.contains(first) {
                    add(.shape(.name), start..<end)
                }
            } else if !knownWords.isEmpty, word.count >= 3, !knownWords.contains(name),
                !bankRows.contains(where: { $0.overlaps(word) }),
                text[word].allSatisfy({ !(0x61...0x7A).contains($0) })
                    || takesCapitalised && isCapitalisedInside(word)
            {
                add(.shape(.name), word)
            }
        }
    }

    /// True if the word has a capital first and a word or a comma of the same sentence before it.
    private func isCapitalisedInside(_ word: Range<Int>) -> Bool {
        guard (0x41...0x5A).contains(text[word.lowerBound]), word.lowerBound > 1, text[word.lowerBound - 1] == 0x20
        else { return false }
        return !".!?:".utf8.contains(text[word.lowerBound - 2])
    }

    private mutating func addTokens() {
        var at = 0
        while at < text.count {
            guard PrintedForms.isWord(text[at]) else {
                at += 1
                continue
            }
            var end = at
            var hasDigit = false
            while end < text.count,
                PrintedForms.isWord(text[end]) || text[end] == UInt8(ascii: "*") || text[end] == UInt8(ascii: "_")
            {
                hasDigit = hasDigit || PrintedForms.isDigit(text[end])
                end += 1
            }
            if hasDigit || end - at > Self.longestWord { add(.shape(.token), at..<end) }
            at = end
        }
    }

    /// Elements of a part of the text; an owner that extends beyond its end is cut off.
    func elements(_ part: Range<Int>) -> [DraftElement] {
        var result: [DraftElement] = []
        var at = part.lowerBound
        while at < part.upperBound {
            if let element = owned.first(where: { $0.range.contains(at) }) {
                if element.range.lowerBound == at || at == part.lowerBound { result.append(element) }
                at = max(at + 1, element.range.upperBound)
                continue
            }
            let byte = text[at]
            if byte == 0x20 || byte == 0x0A {
                result.append(DraftElement(token: .blank, range: at..<at + 1))
                at += 1
            } else if PrintedForms.isWord(byte) {
                let limit = owned.first { $0.range.lowerBound > at }?.range.lowerBound ?? part.upperBound
                var end = at
                while end < min(limit, part.upperBound), PrintedForms.isWord(text[end]) { end += 1 }
                result.append(
                    DraftElement(
                        token: .word(String(decoding: text[at..<end], as: UTF8.self).lowercased()), range: at..<end))
                at = end
            } else {
                result.append(DraftElement(token: .mark(String(decoding: [byte], as: UTF8.self)), range: at..<at + 1))
                at += 1
            }
        }
        return result
    }
}

/// Labels that banks print before a value.
fileprivate struct LabelForms {
    let rupees: Pattern
    let foreign: Pattern
    let number: Pattern
    let account: Pattern
    private let matcher: Matcher
    /// Maximum length of a label.
    private static let reach = 60

    init() throws(DerivationError) {
        guard let matcher = Matcher() else { throw DerivationError(.internal, "out of memory") }
        self.matcher = matcher
        do throws(PatternError) {
            rupees = try Pattern(#"(?ix) (?<![a-z]) (?: (?: rs | inr | re | ₹ ) \.? \s? :? \s? ){1,2} \z"#)
            foreign = try Pattern(#"(?x) (?<![A-Za-z]) (?: [A-Z]{3} | [$€£¥] ) \s? \z"#)
            number = try Pattern(
                ##"(?ix) (?: \s? (?: no\b \.? | number\b | num\b \.? | \# | : ) ){0,2} (?: \s? \(? (?: that \s )? \b (?: ending | ended | ends ) (?: \s (?: in | with | on | no\b \.? | number | digits ) ){0,2} \s? :? )? \s? (?: (?: (?<!\d) \d{2,6} [-\s]? (?= [x*•\#] ) )? (?: (?<! [a-wyz] ) [x*•\#.\-]{1,16} \s? ){1,4} )? \z"##
            )
            account = try Pattern(#"(?ix) (?<![a-z]) (?: a/?c | acct? | account ) \.? \z"#)
        } catch {
            throw DerivationError(.internal, "a built-in pattern does not compile: \(error) at byte \(error.offset)")
        }
    }

    /// The label that ends at `end`, the longest one.
    func match(_ pattern: Pattern, _ text: [UInt8], _ end: Int) -> Range<Int>? {
        var start = max(0, end - Self.reach)
        while start < end, text[start] & 0xC0 == 0x80 { start += 1 }
        let part = Array(text[start..<end])
        guard (try? matcher.firstMatch(of: pattern, in: part)) == true, let range = matcher.range(of: 0), !range.isEmpty
        else { return nil }
        return range.lowerBound + start..<range.upperBound + start
    }
}
