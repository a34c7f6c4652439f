import InternetMessage
import Ledger

/// The factors of a confidence that do not come from reading a single field.
enum Assessment {
    static func add(to decision: inout Decision, _ draft: TransactionDraft?, message: Message, text: CanonicalText) {
        if !message.defects.isEmpty {
            decision.reasons.append(
                Reason(
                    "damaged_mail", weight: 0.9,
                    note: "the mail is damaged: \(message.defects.map(\.description).joined(separator: ", "))"))
        }
        guard let draft else { return }
        if message.date == nil, draft.spans[.date] == nil {
            decision.reasons.append(
                Reason("day_uncertain", weight: 0.7, note: "neither the mail's text nor its Date says the day"))
        }
        func note(_ field: Field) {
            guard isDamaged(draft.spans[field], text.bytes) else { return }
            decision.reasons.append(
                Reason(
                    "\(field.rawValue)_damaged", weight: 0.8,
                    note: "the \(field.rawValue) holds bytes that could not be decoded"))
        }
        note(.merchant)
        note(.account)
        if draft.merchant == nil, draft.vpa == nil, draft.channel == .upi || draft.channel == .card {
            decision.reasons.append(Reason("merchant_missing", weight: 0.9, note: "no counterparty is printed"))
            // An alert of a payment says where or when; an advert may say "your card was used".
            if draft.type == .expense, draft.spans[.date] == nil, draft.reference == nil {
                decision.reasons.append(
                    Reason(
                        "only_an_amount", weight: 0.9,
                        note: "neither a day nor a counterparty nor a reference is printed"))
            }
        }
        if draft.account == nil {
            decision.reasons.append(Reason("account_missing", weight: 0.95, note: "no account is printed"))
        }
    }

    /// U+FFFD stands in the span.
    private static func isDamaged(_ span: Range<Int>?, _ text: [UInt8]) -> Bool {
        guard let span, span.count >= 3 else { return false }
        return text.withUnsafeBufferPointer { text in
            (span.lowerBound..<span.upperBound - 2).contains {
                text[$0] == 0xEF && text[$0 + 1] == 0xBF && text[$0 + 2] == 0xBD
            }
        }
    }
}
