/// The text of a message in the form that patterns match.
///
/// Always valid UTF-8. Exactly one byte, a space or a line feed, separates two words: each run of Unicode white space
/// is one ASCII space, lines are trimmed, empty lines are removed. Invisible characters (zero-width, soft hyphen, bidi
/// controls, control characters) are removed.
public struct CanonicalText: Hashable, Sendable {
    /// The kind of part that the text comes from.
    public enum Source: String, Hashable, Sendable {
        case plain
        case html
        /// The message has no text: only pictures, attachments or forwarded messages, or nothing.
        case none
    }

    /// UTF-8. Spans of fields are offsets into these bytes.
    public let bytes: [UInt8]
    public let source: Source
    /// The defects found while the text was made.
    public let defects: [Defect]

    /// The ranges of ``bytes`` that a reader of the mail may not see, in order. Their text has a colour that is unknown
    /// or close to the background, or is hidden by a style sheet, or is drawn at another place.
    public let uncertain: [Range<Int>]

    init(_ sink: CanonicalSink, source: Source) {
        bytes = sink.bytes
        self.source = source
        defects = sink.defects.all
        uncertain = sink.uncertain
    }

    /// Returns true if a reader may not see a part of the range.
    public func isUncertain(_ range: Range<Int>) -> Bool {
        uncertain.contains { $0.overlaps(range) }
    }

    /// Renders an HTML document in UTF-8 as a reader sees it.
    public init(html: [UInt8], limits: MessageLimits = .standard) {
        var renderer = HTMLRenderer(sink: CanonicalSink(limits), elementDepth: limits.elementDepth)
        renderer.render(html.span)
        self.init(renderer.sink, source: .html)
    }

    /// Converts plain text in UTF-8 to canonical form.
    public init(plain: [UInt8], limits: MessageLimits = .standard) {
        var sink = CanonicalSink(limits)
        sink.write(plain.span, 0..<plain.count, keepingLines: true)
        self.init(sink, source: .plain)
    }
}

extension CanonicalText: CustomStringConvertible {
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
