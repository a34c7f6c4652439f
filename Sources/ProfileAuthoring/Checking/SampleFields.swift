import Ledger
import Profiles

extension Sample {
    /// The expected fields of a sample from which this draft is read.
    static func fields(of draft: TransactionDraft) -> [Field: String] {
        var fields: [Field: String] = [:]
        for field in strictFields where draft.isRead(field) { fields[field] = draft.text(of: field) }
        if draft.isRead(.currency) { fields[.currency] = draft.amount.currency.code }
        return fields
    }
}

extension TransactionDraft {
    /// True if the field was read from the mail or its subject, not derived or known beforehand.
    func isRead(_ field: Field) -> Bool { spans[field] != nil || patterns[field] == .subject }
}
