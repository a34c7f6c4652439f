import Ledger

/// A number in a text that may be an amount, with the mark of its currency if one is printed beside it.
struct PrintedAmount {
    enum Sign { case minus, plus }

    /// The bytes of the number.
    var span: Range<Int>
    /// The bytes of number and mark.
    var whole: Range<Int>
    var mark: Range<Int>?
    var currency: Currency?
    var sign: Sign?
    /// True if the number has a decimal or grouping mark.
    var hasSeparator: Bool

    /// The maximum number of numbers read: statements have thousands, alerts a dozen.
    static let maximumCount = 128

    /// Every number that may be an amount. One pass over the text.
    /// - Parameter home: the bank's currency, which decides the meaning of a shared sign.
    static func all(in text: [UInt8], home: Currency?) -> [PrintedAmount] {
        var found: [PrintedAmount] = []
        var scanner = AmountScanner(text: text, home: home)
        while found.count < maximumCount, let next = scanner.next() { found.append(next) }
        return found
    }
}

fileprivate struct AmountScanner {
    let text: [UInt8]
    let home: Currency?
    private let table = CurrencyTable.shared
    private var at = 0

    init(text: [UInt8], home: Currency?) {
        self.text = text
        self.home = home
    }

    mutating func next() -> PrintedAmount? {
        while at < text.count {
            guard DecimalDigit.read(text[at...], at: at) != nil else {
                at += 1
                continue
            }
            let number = number(fractionStart(at) ?? at)
            defer { at = number.span.upperBound }
            if let amount = amount(number) {
                at = number.span.upperBound
                return amount
            }
        }
        return nil
    }

    // MARK: The number

    /// The place of a decimal mark before the first digit: `$.99`. The point of `Rs.99` ends a word.
    private func fractionStart(_ at: Int) -> Int? {
        guard at > 1, text[at - 1] == UInt8(ascii: ".") else { return nil }
        let previous = text[at - 2]
        return isWordPart(previous) || ".,*#".utf8.contains(previous) || previous >= 0x80 && !isSign(before: at - 1)
            ? nil : at - 1
    }

    /// True if a currency's sign of several bytes, such as `£`, ends at `end`.
    private func isSign(before end: Int) -> Bool { mark(endingAt: end, true).map { $0.range.count < 4 } ?? false }

    private func number(_ start: Int) -> (span: Range<Int>, hasSeparator: Bool) {
        var end = start
        var groupDigits = 0
        var hasSeparator = false
        var groupsAreBlank = true
        if text[start] == UInt8(ascii: ".") { (end, hasSeparator, groupsAreBlank) = (start + 1, true, false) }
        while end < text.count {
            if let (_, length) = DecimalDigit.read(text[end...], at: end) {
                groupDigits += 1
                end += length
            } else if let length = separatorLength(end), end + length < text.count,
                DecimalDigit.read(text[(end + length)...], at: end + length) != nil
            {
                groupsAreBlank = false
                hasSeparator = true
                groupDigits = 0
                end += length
            } else if text[end] == 0x20, groupsAreBlank, (1...3).contains(groupDigits), startsGroup(end + 1) {
                hasSeparator = true
                groupDigits = 0
                end += 1
            } else {
                break
            }
        }
        return (start..<end, hasSeparator)
    }

    private func separatorLength(_ at: Int) -> Int? {
        if ",.'".utf8.contains(text[at]) { return 1 }
        for mark in ["’", "٫", "٬", "，"] where text[at...].starts(with: mark.utf8) { return mark.utf8.count }
        return nil
    }

    /// True if exactly three digits follow.
    private func startsGroup(_ at: Int) -> Bool {
        guard at + 3 <= text.count, text[at..<at + 3].allSatisfy({ $0 &- 0x30 < 10 }) else { return false }
        guard at + 3 < text.count else { return true }
        let after = text[at + 3]
        return !(after &- 0x30 < 10 || isLetter(after) || "-/:".utf8.contains(after))
    }

    // MARK: The mark beside it

    private func amount(_ number: (span: Range<Int>, hasSeparator: Bool)) -> PrintedAmount? {
        let span = number.span
        guard !isPartOfOther(span) else { return nil }
        let before = markBefore(span.lowerBound, number.hasSeparator)
        let after = markAfter(span.upperBound, number.hasSeparator)
        // A letter or a mask directly before the number excludes it: 12AB34 and XX1234.
        if before?.range.upperBound != span.lowerBound, span.lowerBound > 0 {
            let previous = text[span.lowerBound - 1]
            if isLetter(previous) || "*#/_.•".utf8.contains(previous) && before == nil { return nil }
        }
        var result = PrintedAmount(
            span: span, whole: span, mark: nil, currency: nil, sign: nil, hasSeparator: number.hasSeparator)
        // "$1,289.00 MN": the mark after the number distinguishes dollars from pesos.
        if let mark = after.map({ before.map(isShared) ?? true ? $0 : before ?? $0 }) ?? before {
            (result.mark, result.currency) = (mark.range, mark.currency)
        }
        let marks = [before, after].compactMap { $0?.range } + [span]
        let start = marks.lazy.map(\.lowerBound).min() ?? span.lowerBound
        result.whole = start..<(marks.lazy.map(\.upperBound).max() ?? span.upperBound)
        result.sign = sign(before: start) ?? sign(before: span.lowerBound)
        return result
    }

    private typealias Mark = (range: Range<Int>, currency: Currency)

    /// True for a percentage, a part of a date or time, and a number after a mask.
    private func isPartOfOther(_ span: Range<Int>) -> Bool {
        func byte(_ at: Int) -> UInt8 { text.indices.contains(at) ? text[at] : 0 }
        let (next, second) = (byte(span.upperBound), byte(span.upperBound + 1))
        if next == UInt8(ascii: "%") || next == 0x20 && second == UInt8(ascii: "%") { return true }
        if ":-/".utf8.contains(next), second &- 0x30 < 10 { return true }
        let (previous, first) = (byte(span.lowerBound - 1), byte(span.lowerBound - 2))
        return ":-/".utf8.contains(previous) && first &- 0x30 < 10
    }

    private func markBefore(_ start: Int, _ hasSeparator: Bool) -> Mark? {
        var end = start
        // "Amount (THB): 1,000.00" has four signs between.
        for _ in 0..<6 {
            if let mark = mark(endingAt: end, hasSeparator) { return mark }
            guard end > 0, " :|=)+-.\u{2212}".utf8.contains(text[end - 1]) else { return nil }
            end -= 1
        }
        return nil
    }

    private func mark(endingAt end: Int, _ hasSeparator: Bool) -> Mark? {
        for length in stride(from: min(table.longestSpelling, end), through: 1, by: -1) {
            let range = end - length..<end
            guard let currency = table.currency(spelled: text[range], home: home) else { continue }
            if isLetter(text[range.lowerBound]), range.lowerBound > 0, isWordPart(text[range.lowerBound - 1]) {
                continue
            }
            if isTrusted(range, currency, hasSeparator) { return (range, currency) }
        }
        return nil
    }

    /// The end of a dash in place of the decimals: `450,- Kč`, `249:- kr`, `12,– €`.
    private func dashEnd(_ end: Int) -> Int {
        guard end < text.count, ",.:".utf8.contains(text[end]) else { return end }
        let dashes = text[(end + 1)...].prefix { "-–—".utf8.contains($0) }
        return ["-", "--", "–", "—"].contains { dashes.elementsEqual($0.utf8) } ? dashes.endIndex : end
    }

    private func markAfter(_ number: Int, _ hasSeparator: Bool) -> Mark? {
        let end = dashEnd(number)
        var start = end
        for _ in 0..<3 {
            for length in stride(from: min(table.longestSpelling, text.count - start), through: 1, by: -1) {
                let range = start..<start + length
                guard let currency = table.currency(spelled: text[range], home: home) else { continue }
                let isWord = isLetter(text[range.upperBound - 1])
                if isWord, range.upperBound < text.count, isWordPart(text[range.upperBound]) { continue }
                // A sign before the next number is that number's.
                if !isWord, range.upperBound < text.count, text[range.upperBound] &- 0x30 < 10 { continue }
                if isTrusted(range, currency, hasSeparator) { return (range, currency) }
            }
            guard start < text.count, text[start] == 0x20 || text[start] == UInt8(ascii: "(") else { return nil }
            start += 1
        }
        return nil
    }

    /// Words that are currencies, too, need the number of an amount; one letter needs the bank's own currency.
    private func isTrusted(_ mark: Range<Int>, _ currency: Currency, _ hasSeparator: Bool) -> Bool {
        if currency == home { return true }
        guard text[mark].allSatisfy({ isLetter($0) || $0 == UInt8(ascii: ".") }) else { return true }
        return mark.count > 1 && (hasSeparator || mark.count > 2 && table.isCommon(currency))
    }

    /// True if several currencies have the mark.
    private func isShared(_ mark: Mark) -> Bool { text[mark.range].elementsEqual("$".utf8) }

    private func sign(before start: Int) -> PrintedAmount.Sign? {
        var at = start
        if at > 0, text[at - 1] == 0x20 { at -= 1 }
        guard at > 0 else { return nil }
        if text[..<at].suffix(3).elementsEqual("−".utf8) { return .minus }
        let isFirst = at < 2 || text[at - 2] == 0x20 || text[at - 2] == 0x0A || ":(".utf8.contains(text[at - 2])
        switch text[at - 1] {
        // A dash between words is not a sign.
        case UInt8(ascii: "-") where isFirst && at == start: return .minus
        case UInt8(ascii: "+") where isFirst: return .plus
        default: return nil
        }
    }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private func isWordPart(_ byte: UInt8) -> Bool { isLetter(byte) || byte &- 0x30 < 10 }
}
