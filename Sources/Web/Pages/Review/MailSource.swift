import InternetMessage
import Ledger
import Store

/// The mail behind a transaction: who wrote it, and its text with the words that were read.
struct MailSource: Sendable {
    var sender: String
    var subject: String
    var arrived: String
    /// The mail's text; `nil` where its bytes are not kept any more.
    var text: [UInt8]?
    var spans: [Field: Range<Int>]

    /// - Throws: `StoreError`. Reads and parses the mail: not on a thread that serves.
    init?(ofMail id: String?, provenance: String?, in store: Store) throws {
        guard let id, let mail = try store.mail(id) else { return nil }
        sender = mail.fromAddress ?? ""
        subject = mail.subject ?? ""
        arrived = (mail.receivedAt ?? mail.sentAt).map(DayText.instant) ?? ""
        text = try store.raw(ofMail: id).map { Message(parsing: $0).text.bytes }
        spans = try store.spans(in: provenance ?? mail.provenance)
    }
}

struct MailSourceView {
    var sender: String
    var subject: String
    var arrived: String
    var isKept: Bool
    var pieces: [MarkedText.Piece]

    init(_ source: MailSource) {
        sender = source.sender
        subject = source.subject
        arrived = source.arrived
        isKept = source.text != nil
        pieces = source.text.map { MarkedText($0, source.spans).pieces } ?? []
    }
}
