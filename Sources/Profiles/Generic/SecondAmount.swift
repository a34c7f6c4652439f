import Ledger
import PCRE2

extension GenericReader {
    /// Bytes before the first and after the last field that are searched for another amount: the same sentence without
    /// the offers below it.
    private static let secondAmountReach = 100

    /// True if the sentence of the fields contains an amount that the template did not read and no word explains: then
    /// the one read may be wrong.
    ///
    /// Ignores the same amount, and amounts in another currency, which are conversions.
    func hasSecondAmount(
        beside draft: TransactionDraft, of bank: Bank, in text: [UInt8], with matcher: Matcher
    ) throws(MatchError) -> Bool {
        let read = Array(draft.spans.values)
        guard let first = read.lazy.map(\.lowerBound).min(), let last = read.lazy.map(\.upperBound).max() else {
            return false
        }
        let sentence = Self.sentenceStart(first, in: text)..<Self.sentenceEnd(last, in: text)
        // The words before the sentence may give the role of its first amount.
        var start = max(0, sentence.lowerBound - Self.secondAmountReach)
        while start < sentence.lowerBound, text[start] & 0xC0 == 0x80 { start += 1 }
        guard Self.hasDigit(text, sentence, outside: read) else { return false }
        let words = Array(text[start..<sentence.upperBound])
        let known = [draft.amount, draft.balance, draft.limit].compactMap { $0?.minorUnits }
        let others = try amounts(in: words, with: matcher) { span in
            span.lowerBound + start < sentence.lowerBound
                || read.contains { $0.lowerBound < span.upperBound + start && span.lowerBound + start < $0.upperBound }
        }
        for other in others where other.role == .amount {
            let currency =
                other.currency.flatMap { Currency.named(String(decoding: words[$0], as: UTF8.self)) } ?? bank.currency
            guard currency == draft.amount.currency, let money = Money(printed: words[other.span], currency: currency)
            else { continue }
            if !known.contains(money.minorUnits) { return true }
        }
        return false
    }

    /// True if the range contains a digit outside the fields; without one there is no other amount, and no search is
    /// needed.
    private static func hasDigit(_ text: [UInt8], _ range: Range<Int>, outside read: [Range<Int>]) -> Bool {
        text.withUnsafeBufferPointer { text in
            var at = Digits.next(in: text, from: range.lowerBound, upTo: range.upperBound)
            while at < range.upperBound {
                guard let field = read.first(where: { $0.contains(at) }) else { return true }
                at = Digits.next(in: text, from: field.upperBound, upTo: range.upperBound)
            }
            return false
        }
    }

    /// Bytes before and after an amount that are searched for words of a movement.
    private static let movementReach = 100

    /// True if another sentence reports other money that moved: a digest, or two alerts in one mail, of which only one
    /// would be booked.
    ///
    /// Ignores the same amount, which alerts repeat in tables, in another language, and for the receiving side.
    func hasSecondMovement(
        beside draft: TransactionDraft, of bank: Bank, in text: [UInt8], with matcher: Matcher
    ) throws(MatchError) -> Bool {
        guard draft.amount.currency == bank.currency else { return false }
        let known = [draft.amount, draft.balance, draft.limit].compactMap { $0?.minorUnits }
        var at = 0
        while let figure = text.withUnsafeBufferPointer({ Self.rupees(in: $0, from: at) }) {
            at = figure.upperBound
            if draft.spans.values.contains(where: { $0.overlaps(figure) }) { continue }
            guard let money = Money(printed: text[figure], currency: bank.currency), money.minorUnits > 0,
                !known.contains(money.minorUnits)
            else { continue }
            if try isTold(figure, in: text, with: matcher), try role(of: figure, in: text, with: matcher) == .amount {
                return true
            }
        }
        return false
    }

    /// True if the words around a figure report a movement.
    private func isTold(_ figure: Range<Int>, in text: [UInt8], with matcher: Matcher) throws(MatchError) -> Bool {
        var start = max(0, figure.lowerBound - Self.movementReach)
        while text[start] & 0xC0 == 0x80 { start += 1 }
        var end = min(text.count, figure.upperBound + Self.movementReach)
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        let words = Array(text[start..<end])
        var offset = 0
        while offset < words.count, try matcher.firstMatch(of: wording.settled, in: words, from: offset) {
            guard let whole = matcher.range(of: 0), let amount = matcher.fields(wording.settledGroups)[.amount] else {
                return false
            }
            if amount.lowerBound + start < figure.upperBound, figure.lowerBound < amount.upperBound + start {
                return true
            }
            offset = max(whole.upperBound, offset + 1)
        }
        return false
    }

    /// The next figure after Rs, INR or ₹, by a byte search, because nearly every mail has none besides its own.
    private static func rupees(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        func isDigit(_ at: Int) -> Bool { at < text.count && text[at] &- 0x30 < 10 }
        var at = start
        while true {
            at = Digits.next(in: text, from: at, upTo: text.count)
            if at == text.count { return nil }
            var end = at
            while isDigit(end) || isDigit(end + 1) && (text[end] == UInt8(ascii: ",") || text[end] == UInt8(ascii: "."))
            { end += 1 }
            var mark = at - 1
            while mark >= max(0, at - 4),
                text[mark] == 0x20 || text[mark] == UInt8(ascii: ".") || text[mark] == UInt8(ascii: ":")
            { mark -= 1 }
            // Last byte of Rs, of INR, or of the sign.
            if mark >= 0,
                text[mark] | 0x20 == UInt8(ascii: "s") || text[mark] | 0x20 == UInt8(ascii: "r") || text[mark] == 0xB9
            {
                return at..<end
            }
            at = end
        }
    }

    private static func isStop(_ at: Int, in text: [UInt8]) -> Bool {
        guard text[at] == UInt8(ascii: "."), at + 1 == text.count || text[at + 1] == 0x20 || text[at + 1] == 0x0A else {
            return false
        }
        // "Rs. 500" ends no sentence.
        return at < 2 || text[at - 1] | 0x20 != UInt8(ascii: "s") || text[at - 2] | 0x20 != UInt8(ascii: "r")
    }

    private static func sentenceStart(_ at: Int, in text: [UInt8]) -> Int {
        var start = at
        while start > 0, at - start < secondAmountReach, !isStop(start - 1, in: text) { start -= 1 }
        while start < at, text[start] & 0xC0 == 0x80 { start += 1 }
        return start
    }

    private static func sentenceEnd(_ at: Int, in text: [UInt8]) -> Int {
        var end = at
        while end < text.count, end - at < secondAmountReach, !isStop(end, in: text) { end += 1 }
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
