internal import InternetMessage
public import Ledger
public import Store

/// One mail with everything that explains its outcome.
public struct MailContent: Sendable {
    public var mail: MailRow
    /// The transaction that was made from it, in any state.
    public var transaction: TransactionRow?
    public var reasons: [Reason]
    /// The result of the authentication, in words; `nil` if the mail is of no known bank.
    public var authentication: String?
    /// The authserv-id of the topmost Authentication-Results; `nil` without one, or if the bytes are not retained.
    public var authservID: String?
    /// The canonical text; `nil` if the mail's bytes are not retained.
    public var text: [UInt8]?
    public var spans: [Field: Range<Int>]
    /// True if a person can decide it in the review queue.
    public var isWaiting: Bool
}

extension ReviewService {
    /// One mail of any outcome; `nil` if the ledger does not have it. Parses the mail.
    public func mail(_ id: String) throws(StoreError) -> MailContent? {
        guard let mail = try store.mails.find(id) else { return nil }
        let item = try store.review.item(.mail(id))
        let row = item?.transaction
        let provenance = row?.provenance ?? mail.provenance
        let message = try store.mails.raw(ofMail: id).map { Message(parsing: $0) }
        return MailContent(
            mail: mail, transaction: row, reasons: item?.reasons ?? [],
            authentication: try store.review.authentication(in: provenance),
            authservID: message?.authservID, text: message?.text.bytes,
            spans: try store.review.spans(in: provenance),
            isWaiting: row.map { $0.status == .needsReview } ?? item?.isBlank ?? false)
    }
}
