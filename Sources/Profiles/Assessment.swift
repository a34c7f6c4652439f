import InternetMessage
import Ledger

/// The factors of a confidence that do not come from reading a single field.
enum Assessment {
    static func add(to decision: inout Decision, message: Message, text: CanonicalText) {
        if !message.defects.isEmpty {
            decision.reasons.append(Reason("damaged_mail", weight: 0.9, note: "the mail is damaged: \(message.defects.map(\.description).joined(separator: ", "))"))
        }
        guard let draft = decision.draft else { return }
        if message.date == nil, draft.spans[.date] == nil {
            decision.reasons.append(Reason("day_uncertain", weight: 0.7, note: "neither the mail's text nor its Date says the day"))
        }
        for field in [Field.merchant, .account] where isDamaged(draft.spans[field], text.bytes) {
            decision.reasons.append(Reason("\(field.rawValue)_damaged", weight: 0.8, note: "the \(field.rawValue) holds bytes that could not be decoded"))
        }
        if draft.merchant == nil, draft.vpa == nil, draft.channel == .upi || draft.channel == .card {
            decision.reasons.append(Reason("merchant_missing", weight: 0.9, note: "no counterparty is printed"))
            // An alert of a payment says where or when; an advert may say "your card was used".
            if draft.type == .expense, draft.spans[.date] == nil, draft.reference == nil {
                decision.reasons.append(Reason("only_an_amount", weight: 0.9, note: "neither a day nor a counterparty nor a reference is printed"))
            }
        }
        if draft.account == nil {
            decision.reasons.append(Reason("account_missing", weight: 0.95, note: "no account is printed"))
        }
    }

    /// U+FFFD stands in the span.
    private static func isDamaged(_ span: Range<Int>?, _ text: [UInt8]) -> Bool {
        guard let span, span.count >= 3 else { return false }
        let bytes = Array(text[span])
        return (0..<(bytes.count - 2)).contains { bytes[$0] == 0xEF && bytes[$0 + 1] == 0xBF && bytes[$0 + 2] == 0xBD }
    }
}
