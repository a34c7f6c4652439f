import Ledger
import PCRE2

extension DraftReader {
    /// True if a body pattern of the template matches again after the alert that was read, with other values: the mail
    /// contains two alerts, of which only one was read.
    ///
    /// A repetition of the same alert, for example below a heading, does not count.
    func hasSecondAlert(
        beside draft: TransactionDraft, by extraction: Template.Extraction
    ) throws(MatchError) -> Bool {
        var end = 0
        for (field, span) in draft.spans {
            guard case .body = draft.patterns[field] else { continue }
            end = max(end, span.upperBound)
        }
        guard end > 0 else { return false }
        for body in extraction.bodies where try text.match(body, from: end, with: matcher) {
            let spans = matcher.fields(body.groups)
            guard let span = spans[.amount] else { continue }
            let currency =
                spans[.currency].flatMap { Currency.named(context.string($0)) } ?? draft.amount.currency
            guard let amount = context.money(span, currency), amount.minorUnits > 0 else { continue }
            let known = [draft.amount, draft.balance, draft.limit]
            if !known.contains(amount) { return true }
            if amount == draft.amount, differs(spans, from: draft) { return true }
        }
        return false
    }

    /// True if a field that identifies a transaction is printed twice with different values.
    private func differs(_ spans: FieldSpans, from draft: TransactionDraft) -> Bool {
        for field in [Field.reference, .date, .time, .merchant] {
            guard let one = draft.spans[field], let other = spans[field] else { continue }
            if !text.bytes[one].elementsEqual(text.bytes[other], by: Self.areEqual) { return true }
        }
        return false
    }

    /// Compares ASCII letters regardless of case, and a blank as equal to a line feed.
    private static func areEqual(_ one: UInt8, _ other: UInt8) -> Bool {
        one | 0x20 == other | 0x20 || one == 0x0A && other == 0x20 || one == 0x20 && other == 0x0A
    }
}
