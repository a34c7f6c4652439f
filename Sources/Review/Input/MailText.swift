/// A mail's canonical text as words that a person can select. Exactly one byte, a blank or a line feed, is between two
/// words.
public struct MailText: Hashable, Sendable {
    /// Bytes that are shown: an alert is short, and the rest is small print.
    static let limit = 32 << 10

    public let bytes: [UInt8]
    /// Byte ranges, in order.
    public let words: [Range<Int>]
    public let isCut: Bool

    public init(_ text: [UInt8]) {
        isCut = text.count > Self.limit
        bytes = isCut ? Array(text[..<Self.limit]) : text
        var words: [Range<Int>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == 0x20 || bytes[index] == 0x0A {
            if start < index { words.append(start..<index) }
            start = index + 1
        }
        if start < bytes.count { words.append(start..<bytes.count) }
        self.words = words
    }

    /// The bytes from the first to the last selected word.
    public func range(of selection: ClosedRange<Int>) -> Range<Int>? {
        guard words.indices.contains(selection.lowerBound), words.indices.contains(selection.upperBound) else {
            return nil
        }
        return words[selection.lowerBound].lowerBound..<words[selection.upperBound].upperBound
    }

    /// A span with line feeds as blanks; empty if it is not within the text.
    public func string(_ span: Range<Int>) -> String {
        guard span.lowerBound >= 0, span.upperBound <= bytes.count else { return "" }
        return String(decoding: bytes[span].map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
    }

    /// The words that a span touches.
    public func words(in span: Range<Int>) -> ClosedRange<Int>? {
        guard let first = words.firstIndex(where: { $0.upperBound > span.lowerBound }),
            words[first].lowerBound < max(span.upperBound, span.lowerBound + 1)
        else { return nil }
        let last = words.lastIndex { $0.lowerBound < span.upperBound } ?? first
        return first...max(first, last)
    }
}
