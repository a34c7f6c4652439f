public import InternetMessage
public import Ledger
public import Store

/// The retained mail of a review item, as an example to derive a template from.
public struct ReviewedMail {
    public let id: ReviewID
    public let bytes: [UInt8]
    public let message: Message
    public let mail: MailRow
    /// The transaction with the values as a person corrected them; `nil` if there is no draft.
    public let row: TransactionRow?
    /// The bank's key; `nil` if no profile knows the sender.
    public let bank: String?
    /// The template of the bank that claimed the mail, such as `hdfc/card-spend`.
    public let template: String?
    /// The values that the mail prints, and the amount in any case: an amount that the mail does not print is a mistake
    /// to be reported.
    public let values: [Field: String]

    /// - Throws: ``TemplateEditorError``, `StoreError`.
    init(_ id: ReviewID, in store: some ReadScope) throws {
        guard let item = try store.review.item(id), let mail = item.mail else { throw TemplateEditorError.noMail }
        guard let bytes = try store.mails.raw(ofMail: mail.id) else { throw TemplateEditorError.notRetained }
        let bank = mail.profile ?? item.transaction?.profile
        self.id = id
        self.bytes = bytes
        self.mail = mail
        self.bank = bank
        message = Message(parsing: bytes)
        row = item.transaction
        template = mail.template.flatMap { name in bank.flatMap { name.hasPrefix($0 + "/") ? name : nil } }
        var values = row?.printedValues(in: message) ?? [:]
        values[.amount] = row?.fieldValues[.amount]
        self.values = values
    }
}

/// A review item from which no template can be derived.
public enum TemplateEditorError: Error, Hashable, Sendable {
    /// No such item, or a transaction without a mail.
    case noMail
    /// The mail's bytes are not retained.
    case notRetained
    /// No profile knows the sender.
    case noBank
    case invalidName(String)
    case noProfileFolder
}
