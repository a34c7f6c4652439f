import Ledger

/// A mail's canonical text in pieces, those that a field was read from named by it. The template escapes them.
struct MarkedText {
    struct Piece {
        var text: String
        var field: String?
    }

    /// Bytes that are shown: an alert is short, and what comes after so much is small print.
    static let limit = 24 << 10

    let pieces: [Piece]

    /// - Parameter spans: byte offsets into `text`; such as lie outside, overlap an earlier one or cut a character are
    ///   left out.
    init(_ text: [UInt8], _ spans: [Field: Range<Int>]) {
        var end = min(text.count, Self.limit)
        while end < text.count, end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        var pieces: [Piece] = []
        var offset = 0
        func piece(_ range: Range<Int>, _ field: Field? = nil) {
            if !range.isEmpty {
                pieces.append(Piece(text: String(decoding: text[range], as: UTF8.self), field: field?.rawValue))
            }
        }
        func isBoundary(_ index: Int) -> Bool { index == text.count || text[index] & 0xC0 != 0x80 }
        for (field, span) in spans.sorted(by: {
            ($0.value.lowerBound, $0.key.rawValue) < ($1.value.lowerBound, $1.key.rawValue)
        })
        where span.lowerBound >= offset && span.upperBound <= end && !span.isEmpty && isBoundary(span.lowerBound)
            && isBoundary(span.upperBound)
        {
            piece(offset..<span.lowerBound)
            piece(span, field)
            offset = span.upperBound
        }
        piece(offset..<end)
        if end < text.count { pieces.append(Piece(text: "\n[the text goes on]", field: nil)) }
        self.pieces = pieces
    }
}

/// One reason of a confidence.
struct ReasonLine {
    var note: String
    /// `×0.8`; `nil` where it changes nothing.
    var factor: String?
    var lowers: Bool

    init(_ reason: Reason) {
        note = reason.note
        lowers = reason.weight < 1
        factor = lowers ? "×\((reason.weight * 100).rounded() / 100)" : nil
    }
}
