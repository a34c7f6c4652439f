/// Renderer of a message's text parts to canonical text. Decodes only the parts that it reads.
struct BodyReader {
    private var sink: CanonicalSink
    private let limits: MessageLimits
    private var sawHTML = false
    private var sawPlain = false

    init(_ limits: MessageLimits) {
        self.limits = limits
        sink = CanonicalSink(limits)
    }

    static func read(_ bytes: borrowing Octets, _ section: HeaderSection, _ limits: MessageLimits) -> CanonicalText {
        var structure = MIMEStructure(limits)
        let body = structure.body(of: bytes, section)
        var reader = BodyReader(limits)
        reader.sink.defects = structure.defects
        reader.read(body, bytes)
        let source: CanonicalText.Source = reader.sawHTML ? .html : reader.sawPlain ? .plain : .none
        return CanonicalText(reader.sink, source: source)
    }

    /// Returns true if the body contains words.
    @discardableResult
    private mutating func read(_ body: MIMEBody, _ bytes: borrowing Octets) -> Bool {
        switch body {
        case .nothing: return false
        case .text(let part): return read(part, bytes)
        case .sequence(let bodies):
            var hasWords = false
            for body in bodies where read(body, bytes) { hasWords = true }
            return hasWords
        case .choice(let bodies):
            // Banks design the HTML form; the plain one often only states that the message is HTML. But an HTML form
            // without words (a picture) is not text. Of several, the last is the best (RFC 2046 section 5.1.4).
            for wantsHTML in [true, false] {
                for body in bodies.reversed() where body.hasHTML == wantsHTML {
                    if read(body, bytes) { return true }
                }
            }
            return false
        }
    }

    private mutating func read(_ part: TextPart, _ bytes: borrowing Octets) -> Bool {
        let (text, isHTML) = part.text(in: bytes, limits, recording: &sink.defects)
        let before = sink.bytes.count
        sink.lineBreak()
        if isHTML {
            var renderer = HTMLRenderer(sink: sink, elementDepth: limits.elementDepth)
            sink = CanonicalSink(limits)
            renderer.render(text.span)
            sink = renderer.sink
        } else {
            sink.reserve(text.count)
            sink.write(text.span, 0..<text.count, keepingLines: true)
        }
        guard sink.bytes.count > before else { return false }
        if isHTML { sawHTML = true } else { sawPlain = true }
        return true
    }
}
