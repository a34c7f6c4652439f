public import Ledger

/// A mail's canonical text in pieces; each piece that a field was read from has the field's name.
public struct MarkedText {
    public struct Piece: Hashable, Sendable {
        public var text: String
        public var field: Field?
    }

    public let pieces: [Piece]
    /// The text is longer than the limit, and only its beginning is in `pieces`.
    public let isCut: Bool

    /// - Parameters:
    ///   - spans: byte offsets into `text`; those outside it, overlapping an earlier one or cutting a character are
    ///     left out.
    ///   - limit: the maximum number of bytes; `nil` for all of the text.
    public init(_ text: [UInt8], _ spans: [Field: Range<Int>], limit: Int? = nil) {
        var end = min(text.count, limit ?? text.count)
        while end < text.count, end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        var pieces: [Piece] = []
        var offset = 0
        func append(_ range: Range<Int>, _ field: Field? = nil) {
            if !range.isEmpty {
                pieces.append(Piece(text: String(decoding: text[range], as: UTF8.self), field: field))
            }
        }
        for (field, span) in Self.ordered(spans, in: text[..<end]) {
            append(offset..<span.lowerBound)
            append(span, field)
            offset = span.upperBound
        }
        append(offset..<end)
        self.pieces = pieces
        isCut = end < text.count
    }

    /// The spans that can be shown together, in the order of the text.
    public static func ordered(
        _ spans: [Field: Range<Int>], in text: ArraySlice<UInt8>
    ) -> [(field: Field, span: Range<Int>)] {
        func isBoundary(_ index: Int) -> Bool { index == text.endIndex || text[index] & 0xC0 != 0x80 }
        var found: [(field: Field, span: Range<Int>)] = []
        for (field, span) in spans.sorted(by: {
            ($0.value.lowerBound, $0.key.rawValue) < ($1.value.lowerBound, $1.key.rawValue)
        })
        where !span.isEmpty && span.lowerBound >= (found.last?.span.upperBound ?? text.startIndex)
            && span.upperBound <= text.endIndex && isBoundary(span.lowerBound) && isBoundary(span.upperBound)
        {
            found.append((field, span))
        }
        return found
    }
}
