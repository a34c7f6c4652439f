import Chronology
import Ledger
import Review
import Store

/// The mail of a transaction, as a page shows it.
struct MailSourceView {
    var sender: String
    var subject: String
    var arrived: String
    var isKept: Bool
    var pieces: [MarkedPiece]

    init(_ source: MailSource, _ zone: IANATimeZone) {
        sender = source.sender
        subject = source.subject
        arrived = source.arrived.map { DayText.instant($0, zone) } ?? ""
        isKept = source.text != nil
        pieces = source.text.map { MarkedPiece.pieces(of: $0, source.spans) } ?? []
    }

    /// - Parameter content: of an item whose mail is in the ledger.
    init?(_ content: ReviewItemContent, _ zone: IANATimeZone) {
        guard let mail = content.mail else { return nil }
        sender = mail.fromAddress ?? ""
        subject = mail.subject ?? ""
        arrived = (mail.receivedAt ?? mail.sentAt).map { DayText.instant($0, zone) } ?? ""
        isKept = content.text != nil
        pieces = content.text.map { MarkedPiece.pieces(of: $0.bytes, content.spans) } ?? []
    }
}
