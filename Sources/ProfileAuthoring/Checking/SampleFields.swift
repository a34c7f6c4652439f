import Ledger
import Profiles

extension Sample {
    /// What a sample says of a mail from which this is read.
    static func fields(of draft: TransactionDraft) -> [Field: String] {
        var fields: [Field: String] = [:]
        for field in strictFields where draft.stands(field) { fields[field] = draft.text(of: field) }
        if draft.stands(.currency) { fields[.currency] = draft.amount.currency.code }
        return fields
    }
}

extension TransactionDraft {
    /// Whether the field was read from the mail, its subject included, and not worked out or known beforehand.
    func stands(_ field: Field) -> Bool { spans[field] != nil || patterns[field] == .subject }
}
