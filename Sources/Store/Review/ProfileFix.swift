import Chronology
internal import GRDB
public import Ledger

/// "Mend the profile": offered after a person corrected a template's reading, or if no template claimed the mail.
public struct ProfileFix: Hashable, Sendable {
    /// Review item of the mail.
    public var reviewID: String
    /// Key of the bank; `nil` if it is unknown.
    public var bank: String?
    /// `nil` if no template claimed the mail.
    public var template: String?
    /// The fields that a person corrected.
    public var fields: [Field]
}

extension TransactionRow {
    /// Values of the printed fields, in the form that a person types.
    public var fieldValues: [Field: String] {
        var values: [Field: String] = [.amount: amount.decimal, .date: date.description]
        // An amount without a currency is in rupees.
        if amount.currency.code != "INR" { values[.amount] = "\(amount.currency.code) \(amount.decimal)" }
        values[.time] = time?.description
        values[.merchant] = vendor
        values[.vpa] = vpa
        values[.account] = accountDigits
        values[.reference] = reference
        values[.balance] = balance?.decimal
        values[.limit] = limit?.decimal
        return values
    }
}

extension ReviewRepository {
    /// `nil` if no printed field was corrected, or the mail is no longer retained.
    public func profileFix(for transaction: Int64) throws(StoreError) -> ProfileFix? {
        try read { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT t.corrected, t.profile, m.template FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
                        WHERE t.id = ? AND t.deleted_at IS NULL AND t.corrected IS NOT NULL AND EXISTS (SELECT 1 FROM raw_messages r WHERE r.mail_id = m.id)
                        """, arguments: [transaction])
            else { return nil }
            let fields = FieldBits.fields(corrected: row[0])
            let template: String? = row[2]
            return fields.isEmpty
                ? nil
                : ProfileFix(
                    reviewID: "\(transaction)", bank: row[1], template: TemplateName.template(template),
                    fields: fields)
        }
    }
}
