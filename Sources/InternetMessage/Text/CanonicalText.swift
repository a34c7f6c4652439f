/// The text of a mail in the one form that patterns see.
///
/// Always valid UTF-8. Between two words there is always exactly one byte, a blank or a line feed: every Unicode
/// blank and every run of blanks became one ASCII blank, lines are trimmed, empty lines are dropped. Characters
/// that are not seen (zero-width, soft hyphen, bidi controls, control characters) are removed.
public struct CanonicalText: Hashable, Sendable {
    /// What the text was made of.
    public enum Source: String, Hashable, Sendable {
        case plain
        case html
        /// The mail has no text: only pictures, attachments, forwarded mails or nothing at all.
        case none
    }

    /// Spans of fields are offsets into these bytes.
    public let bytes: [UInt8]
    public let source: Source
    /// Damage found while the text was made, and limits hit.
    public let defects: [Defect]

    init(bytes: [UInt8], source: Source, defects: [Defect]) {
        self.bytes = bytes
        self.source = source
        self.defects = defects
    }

    /// Renders an HTML document, in UTF-8, as a person would see it.
    public init(html: [UInt8], limits: MessageLimits = .standard) {
        var renderer = HTMLRenderer(sink: CanonicalSink(limits), elementDepth: limits.elementDepth)
        renderer.render(html.span)
        self.init(renderer.sink, source: .html)
    }

    /// Brings plain text, in UTF-8, into canonical form.
    public init(plain: [UInt8], limits: MessageLimits = .standard) {
        var sink = CanonicalSink(limits)
        sink.write(plain.span, 0..<plain.count, keepingLines: true)
        self.init(sink, source: .plain)
    }

    private init(_ sink: CanonicalSink, source: Source) {
        self.init(bytes: sink.bytes, source: source, defects: sink.defects.all)
    }
}

extension CanonicalText: CustomStringConvertible {
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
