/// Makes the canonical text of a mail from its text parts; decodes only the parts that are read.
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
        return CanonicalText(bytes: reader.sink.bytes, source: source, defects: reader.sink.defects.all)
    }

    /// Returns whether there were words in it.
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
            // HTML is what people see and what banks design; the plain form beside it often only says that the
            // mail is HTML. But an HTML form without words (a picture) is no text at all. Among equals the last
            // is the best (RFC 2046 section 5.1.4).
            for wantsHTML in [true, false] {
                for body in bodies.reversed() where body.hasHTML == wantsHTML {
                    if read(body, bytes) { return true }
                }
            }
            return false
        }
    }

    private mutating func read(_ part: TextPart, _ bytes: borrowing Octets) -> Bool {
        let content = part.content.clamped(to: 0..<bytes.count)
        let raw = part.encoding.decode(bytes, content, limit: limits.textPartBytes, noting: &sink.defects)
        let isHTML = part.isHTML || part.isTypeUnknown && Self.beginsLikeHTML(raw.span)
        var text = Charset.decode(raw, declared: part.charset, isHTML: isHTML, noting: &sink.defects)
        if part.isFlowed { text = FlowedText.unwrap(text, deletesSpace: part.deletesSpace) }
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

    private static func beginsLikeHTML(_ text: borrowing Octets) -> Bool {
        var start = 0
        while start < text.count, text[start].isSpace { start += 1 }
        return text.matches("<!doctype html", at: start) || text.matches("<html", at: start)
    }
}

/// format=flowed, RFC 3676 section 4: paragraphs broken into lines that end in a blank.
enum FlowedText {
    static func unwrap(_ text: [UInt8], deletesSpace: Bool) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(text.count)
        var flowsAtDepth: Int?
        for line in text.split(separator: ASCII.lf, omittingEmptySubsequences: false) {
            var content = line.last == ASCII.cr ? line.dropLast() : line
            let depth = content.prefix { $0 == UInt8(ascii: ">") }.count
            content = content.dropFirst(depth)
            if content.first == ASCII.space { content = content.dropFirst() }
            if flowsAtDepth == depth {
                if deletesSpace { joined.removeLast() }
            } else {
                if !joined.isEmpty { joined.append(ASCII.lf) }
                for _ in 0..<min(depth, 1) { joined.append(UInt8(ascii: ">")) }
                if depth > 0 { joined.append(ASCII.space) }
            }
            joined += content
            // The line that sets a signature off ends in a blank and is none the less fixed.
            let isSignature = content.elementsEqual("-- ".utf8)
            flowsAtDepth = content.last == ASCII.space && !isSignature ? depth : nil
        }
        return joined
    }
}
