import Ledger
import PCRE2

extension GenericReader {
    /// Bytes before the first and after the last field that a template read in which another amount is looked for: the same sentence, and not the
    /// offers below it.
    private static let secondAmountReach = 100

    /// Whether an amount stands in the sentence of the fields that the template did not read and that no word explains: then the one that was read may
    /// be the wrong one.
    ///
    /// The same amount again is none, nor one in another currency than the amount that was read: that is what it was converted to.
    func hasSecondAmount(beside draft: TransactionDraft, of bank: Bank, in text: [UInt8], with matcher: Matcher) throws(MatchError) -> Bool {
        guard let first = draft.spans.values.map(\.lowerBound).min(), let last = draft.spans.values.map(\.upperBound).max() else { return false }
        let sentence = Self.sentenceStart(first, in: text)..<Self.sentenceEnd(last, in: text)
        // The words before the sentence may name the role of its first amount.
        var start = max(0, sentence.lowerBound - Self.secondAmountReach)
        while start < sentence.lowerBound, text[start] & 0xC0 == 0x80 { start += 1 }
        guard Self.hasDigit(text, sentence, outside: draft.spans) else { return false }
        let words = Array(text[start..<sentence.upperBound])
        let known = [draft.amount, draft.balance, draft.limit].compactMap { $0?.minorUnits }
        let read = Array(draft.spans.values)
        let others = try amounts(in: words, with: matcher) { span in
            span.lowerBound + start < sentence.lowerBound || read.contains { $0.lowerBound < span.upperBound + start && span.lowerBound + start < $0.upperBound }
        }
        for other in others where other.role == .amount {
            let currency = other.currency.flatMap { Currency.named(String(decoding: words[$0], as: UTF8.self)) } ?? bank.currency
            guard currency == draft.amount.currency, let money = Money(printed: words[other.span], currency: currency) else { continue }
            if !known.contains(money.minorUnits) { return true }
        }
        return false
    }

    /// Whether a digit stands in the range that belongs to no field: without one there is no other amount, and nothing need be looked for.
    private static func hasDigit(_ text: [UInt8], _ range: Range<Int>, outside spans: FieldSpans) -> Bool {
        for at in range where text[at] &- 0x30 < 10 {
            if !spans.values.contains(where: { $0.contains(at) }) { return true }
        }
        return false
    }

    /// Whether another sentence tells of other money that moved: a digest, or two alerts in one mail. Only one of them would be booked.
    ///
    /// The same amount again is none: alerts repeat theirs in tables, in another language, and for the side that receives it.
    func hasSecondMovement(beside draft: TransactionDraft, of bank: Bank, in text: [UInt8], with matcher: Matcher) throws(MatchError) -> Bool {
        guard draft.amount.currency == bank.currency else { return false }
        let known = [draft.amount, draft.balance, draft.limit].compactMap { $0?.minorUnits }
        var offset = 0
        while offset < text.count, try matcher.firstMatch(of: wording.settled, in: text, from: offset) {
            guard let whole = matcher.range(of: 0), let span = matcher.fields(wording.settledGroups)[.amount] else { return false }
            offset = max(whole.upperBound, offset + 1)
            if draft.spans.values.contains(where: { $0.overlaps(span) }) { continue }
            guard let money = Money(printed: text[span], currency: bank.currency), money.minorUnits > 0, !known.contains(money.minorUnits) else { continue }
            if try role(of: span, in: text, with: matcher) == .amount { return true }
        }
        return false
    }

    private static func isStop(_ at: Int, in text: [UInt8]) -> Bool {
        guard text[at] == UInt8(ascii: "."), at + 1 == text.count || text[at + 1] == 0x20 || text[at + 1] == 0x0A else { return false }
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
