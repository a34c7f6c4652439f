import InternetMessage
import Ledger

extension Findings {
    /// Adds the factors of the confidence that concern the mail as a whole.
    mutating func assess(_ message: Message) {
        if !message.defects.isEmpty {
            add(
                .damagedMail, 0.9,
                "the mail is damaged: \(message.defects.map(\.description).joined(separator: ", "))")
        }
        guard let draft else { return }
        if message.date == nil, draft.spans[.date] == nil {
            add(.dayUncertain, 0.7, "neither the mail's text nor its Date gives the day")
        }
        if draft.spans.values.contains(where: message.text.isUncertain) {
            add(.hiddenText, 0.3, "a person who reads the mail may not see the text that a value was read from")
        }
        let text = message.text.bytes
        if Self.isDamaged(draft.spans[.merchant], text) {
            add(.merchantDamaged, 0.8, "the merchant holds bytes that could not be decoded")
        }
        if Self.isDamaged(draft.spans[.account], text) {
            add(.accountDamaged, 0.8, "the account holds bytes that could not be decoded")
        }
        if draft.merchant == nil, draft.vpa == nil, draft.channel == .upi || draft.channel == .card {
            add(.merchantMissing, 0.9, "no counterparty is printed")
            // An alert of a payment gives place or time; an advertisement may claim "your card was used".
            if draft.type == .expense, draft.spans[.date] == nil, draft.reference == nil {
                add(.onlyAnAmount, 0.9, "neither a day nor a counterparty nor a reference is printed")
            }
        }
        if draft.account == nil { add(.accountMissing, 0.95, "no account is printed") }
    }

    /// True if U+FFFD occurs in the span.
    private static func isDamaged(_ span: Range<Int>?, _ text: [UInt8]) -> Bool {
        guard let span, span.count >= 3 else { return false }
        return text.withUnsafeBufferPointer { text in
            (span.lowerBound..<span.upperBound - 2).contains {
                text[$0] == 0xEF && text[$0 + 1] == 0xBF && text[$0 + 2] == 0xBD
            }
        }
    }
}
