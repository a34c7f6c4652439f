import Ledger
import PCRE2
import Profiles

/// An element of an alert's text, as a pattern would name it.
enum DraftToken: Hashable {
    /// Lower case.
    case word(String)
    /// A single character that is not a letter, digit or blank.
    case mark(String)
    case blank
    case field(Field)
    /// `Rs.`, `INR` or a foreign code or sign before a field's number.
    case currency
    /// `A/c`, `Account`, before an account's digits.
    case accountWord
    /// `no.`, `ending`, `XX` before an account's digits.
    case accountLabel
    /// `has been`, `is`, `was` before a participle.
    case did
    case shape(Shape)
    /// Sentences without values, between two with values.
    case skip

    /// A placeholder for a value that is not read.
    enum Shape: Hashable { case money, date, time, token, name, digits }

    /// True for words, which distinguish alerts of one form from other mail.
    var isWord: Bool {
        switch self {
        case .word, .did, .accountWord: true
        default: false
        }
    }

    var isField: Bool { if case .field = self { true } else { false } }
}

struct DraftElement: Hashable {
    var token: DraftToken
    /// Bytes of the text.
    var range: Range<Int>
}

/// The amount of text around the values that a pattern includes: more if less does not distinguish the mail or end its
/// values.
enum Specificity: Int, CaseIterable, Sendable {
    case few, fenced, many, withSubject

    var wordsBefore: Int { [12, 12, 16, 16][rawValue] }
    var wordsAfter: Int { [5, 6, 10, 10][rawValue] }
    /// Includes words of the following sentences; of the preceding ones only at high specificity.
    var takesFollowing: Bool { self != .few }
    var takesPreceding: Bool { rawValue >= Specificity.many.rawValue }
}

/// The part of a text that holds the values, as elements.
struct DraftWindow {
    private(set) var elements: [DraftElement] = []
    let text: [UInt8]
    /// The fields whose number has a currency other than the rupee before it.
    private(set) var foreign: Set<Field> = []
    /// The first element begins a sentence or a line.
    private(set) var opensSentence = false
    /// The last element is the end of a row with a status-like label.
    private(set) var closesRow = false
    /// Bytes between the values and a row that belongs to them.
    private static let rowReach = 400

    /// A sentence with variable values that are not read.
    /// - Parameter extended: with some words of the sentences on both sides.
    init(
        _ text: [UInt8], _ places: [Field: PrintedForms.Place], sentence: Range<Int>, extended: Bool,
        forms: PrintedForms, options: DraftOptions
    ) throws(DerivationError) {
        self.text = text
        let mail = MarkedMail(text: text, subject: "", sender: "", values: [:])
        let rows = StatusRows(in: text, by: options.statusRow).all.map(\.range)
        var owned = try Owners(mail, places, forms, options.knownWords, bankRows: rows)
        owned.demoteFields()
        let lower =
            extended ? Self.start(of: 8, before: sentence.lowerBound, notBefore: 0, in: text) : sentence.lowerBound
        let upper =
            extended
            ? Self.end(of: 8, after: sentence.upperBound, notAfter: text.count, in: text)
            : Self.end(of: 24, after: sentence.lowerBound, notAfter: sentence.upperBound, in: text)
        elements = owned.elements(lower..<max(upper, lower))
        joinDid()
        trim()
    }

    /// The sentences that hold the values, with surrounding words according to `specificity`. Rows with a status-like
    /// label are included, too: a mail in which they differ is of another form.
    init(
        _ mail: MarkedMail, _ places: [Field: PrintedForms.Place], _ specificity: Specificity, forms: PrintedForms,
        options: DraftOptions
    ) throws(DerivationError) {
        text = mail.text
        var spans = places.values.map(\.span)
        let rows = StatusRows(in: text, by: options.statusRow).near(spans, within: Self.rowReach)
        // In a table the meaning of the amount is in the sentence above it.
        if let amount = places[.amount]?.span, let said = PastTenseWords.sentence(before: amount, in: text),
            let phrase = PastTenseWords.phrase(in: text, said)
        {
            spans.append(phrase)
        }
        spans += rows.map(\.range)
        guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() else { return }
        let sentences = Sentences.all(in: text)
        let held = sentences.filter { sentence in spans.contains { $0.overlaps(sentence) } }
        guard var lower = held.first?.lowerBound, var upper = held.last?.upperBound else { return }
        if specificity.takesPreceding { lower = 0 }
        if specificity.takesFollowing { upper = text.count }
        lower = Self.start(of: specificity.wordsBefore, before: first, notBefore: min(lower, first), in: text)
        upper = Self.end(of: specificity.wordsAfter, after: last, notAfter: max(upper, last), in: text)
        let owned = try Owners(mail, places, forms, options.knownWords, bankRows: rows.map(\.range))
        foreign = owned.foreign
        // Sentences in the middle without values are skipped, except words that label or end a value.
        var at = lower
        for (from, to) in Self.gaps(sentences, spans, places[.merchant]?.span, first..<last, text) where from >= at {
            elements += owned.elements(at..<from)
            elements.append(DraftElement(token: .skip, range: from..<to))
            at = to
        }
        elements += owned.elements(at..<upper)
        if !specificity.takesPreceding { dropSalutation() }
        joinDid()
        trim()
        opensSentence = elements.first.map { Self.isOpening($0.range.lowerBound, in: text) } ?? false
        closesRow =
            elements.last.map { last in rows.contains { $0.range.upperBound == last.range.upperBound } } ?? false
    }

    /// True if no word precedes this place in its line, or if a stop, a comma or a colon does.
    private static func isOpening(_ at: Int, in text: [UInt8]) -> Bool {
        guard at > 0, text[at - 1] != 0x0A else { return true }
        return at > 1 && text[at - 1] == 0x20 && !PrintedForms.isWord(text[at - 2])
    }

    /// Removes "Dear Customer,", which carries no information and has many forms.
    private mutating func dropSalutation() {
        guard case .word(let first)? = elements.first?.token, Salutation.openings.contains(first),
            let comma = elements.prefix(12).firstIndex(where: { $0.token == .mark(",") }),
            !elements[...comma].contains(where: { $0.token.isField })
        else { return }
        elements.removeFirst(comma + 1)
    }

    /// Shorter sentences are not worth a gap.
    private static let shortestGap = 12

    /// Skipped parts between the values.
    private static func gaps(
        _ sentences: [Range<Int>], _ spans: [Range<Int>], _ merchant: Range<Int>?, _ whole: Range<Int>, _ text: [UInt8]
    ) -> [(Int, Int)] {
        func isIdle(_ sentence: Range<Int>) -> Bool {
            sentence.lowerBound >= whole.lowerBound && sentence.upperBound <= whole.upperBound
                && !spans.contains { $0.overlaps(sentence) }
        }
        var gaps: [(Int, Int)] = []
        var index = 0
        while index < sentences.count {
            guard isIdle(sentences[index]) else {
                index += 1
                continue
            }
            var end = index
            while end + 1 < sentences.count, isIdle(sentences[end + 1]) { end += 1 }
            var from = sentences[index].lowerBound
            var to = sentences[end].upperBound
            let before = index > 0 ? sentences[index - 1] : nil
            // A name needs the next words as its end.
            if let before, let merchant,
                !text[min(merchant.upperBound, before.upperBound)..<before.upperBound].contains(
                    where: PrintedForms.isWord)
            {
                from = Self.end(of: 3, after: from, notAfter: to, in: text)
            }
            // A value that begins its line has its label on the line before.
            let next = end + 1 < sentences.count ? sentences[end + 1] : nil
            if let next,
                spans.contains(where: {
                    $0.lowerBound >= next.lowerBound
                        && !text[next.lowerBound..<max(next.lowerBound, min($0.lowerBound, next.upperBound))].contains(
                            where: PrintedForms.isLetter)
                })
            {
                to = max(from, Self.start(of: 4, before: to, notBefore: sentences[end].lowerBound, in: text))
            }
            if to - from >= shortestGap { gaps.append((from, to)) }
            index = end + 1
        }
        return gaps
    }

    /// The offset at which `count` words before `offset` begin.
    private static func start(of count: Int, before offset: Int, notBefore limit: Int, in text: [UInt8]) -> Int {
        var at = offset
        var left = count
        while at > limit {
            if text[at - 1] == 0x20 || text[at - 1] == 0x0A, at < offset {
                left -= 1
                if left == 0 { return at }
            }
            at -= 1
        }
        return at
    }

    private static func end(of count: Int, after offset: Int, notAfter limit: Int, in text: [UInt8]) -> Int {
        var at = offset
        var left = count
        while at < limit {
            if text[at] == 0x20 || text[at] == 0x0A, at > offset {
                if left == 0 { return at }
                left -= 1
            }
            at += 1
        }
        return at
    }

    private static let participles: Set<String> = ["spent", "paid", "made", "done", "sent", "withdrawn"]

    /// Replaces `has been debited` by a token for all such forms.
    private mutating func joinDid() {
        var result: [DraftElement] = []
        var at = 0
        func word(_ index: Int) -> String? {
            guard elements.indices.contains(index), case .word(let word) = elements[index].token else { return nil }
            return word
        }
        func isBlank(_ index: Int) -> Bool { elements.indices.contains(index) && elements[index].token == .blank }
        while at < elements.count {
            var length = 0
            if let first = word(at), ["has", "have"].contains(first), isBlank(at + 1), word(at + 2) == "been" {
                length = 3
            }
            if let first = word(at), ["is", "was", "were"].contains(first) { length = 1 }
            if length > 0, isBlank(at + length), word(at + length + 1) == "successfully" { length += 2 }
            if length > 0, isBlank(at + length), let next = word(at + length + 1),
                next.hasSuffix("ed") || Self.participles.contains(next)
            {
                result.append(
                    DraftElement(
                        token: .did, range: elements[at].range.lowerBound..<elements[at + length - 1].range.upperBound))
                at += length
            } else {
                result.append(elements[at])
                at += 1
            }
        }
        elements = result
    }

    /// Removes optional elements from both ends, so that a pattern begins and ends with a word or a value.
    private mutating func trim() {
        func isLoose(_ element: DraftElement) -> Bool {
            switch element.token {
            case .blank, .mark, .skip, .shape: true
            default: false
            }
        }
        while let last = elements.last, isLoose(last) { elements.removeLast() }
        while let first = elements.first, isLoose(first) { elements.removeFirst() }
    }
}
