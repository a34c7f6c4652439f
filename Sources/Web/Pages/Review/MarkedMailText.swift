import Ledger
import Review

/// A piece of a mail's text for a page. The template escapes it.
struct MarkedPiece: Sendable {
    var text: String
    /// The field that was read from the piece.
    var field: String?
    /// The name of the field.
    var label: String?

    /// Bytes that are shown: an alert is short, and the rest is small print.
    static let limit = 24 << 10

    static func pieces(of text: [UInt8], _ spans: [Field: Range<Int>]) -> [MarkedPiece] {
        let marked = MarkedText(text, spans, limit: limit)
        let pieces = marked.pieces.map {
            MarkedPiece(
                text: $0.text, field: $0.field?.rawValue, label: $0.field.map { PageText.of("field.\($0.rawValue)") })
        }
        return pieces + (marked.isCut ? [MarkedPiece(text: PageText.of("review.text-continues"))] : [])
    }
}

/// One reason of a confidence.
struct ReasonLine {
    var note: String
    /// `×0.8`; `nil` if it changes nothing.
    var factor: String?
    var lowers: Bool

    init(_ reason: Reason) {
        note = ReasonText.note(reason)
        lowers = reason.weight < 1
        factor = lowers ? "×\((reason.weight * 100).rounded() / 100)" : nil
    }
}
