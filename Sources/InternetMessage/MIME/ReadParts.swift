/// A part of a mail that its text is made of, decoded.
public struct ReadPart: Sendable {
    public var isHTML: Bool
    /// UTF-8.
    public var text: [UInt8]
}

extension Message {
    /// The parts that ``text`` is made of, in order, by the same choice among alternatives: for writing the mail anew.
    public var readParts: [ReadPart] {
        let limits = MessageLimits.standard
        var structure = MIMEStructure(limits)
        let bytes = self.bytes
        let body = structure.body(of: bytes.span, section)
        return readParts(of: body, limits)
    }

    private func readParts(of body: MIMEBody, _ limits: MessageLimits) -> [ReadPart] {
        switch body {
        case .nothing: return []
        case .text(let part): return decoded(part, limits).map { [$0] } ?? []
        case .sequence(let bodies): return bodies.flatMap { readParts(of: $0, limits) }
        case .choice(let bodies):
            for wantsHTML in [true, false] {
                for body in bodies.reversed() where body.hasHTML == wantsHTML {
                    let parts = readParts(of: body, limits)
                    if !parts.isEmpty { return parts }
                }
            }
            return []
        }
    }

    /// `nil` for a part without words.
    private func decoded(_ part: TextPart, _ limits: MessageLimits) -> ReadPart? {
        var defects = DefectList()
        let bytes = self.bytes
        let content = part.content.clamped(to: 0..<bytes.count)
        let raw = part.encoding.decode(bytes.span, content, limit: limits.textPartBytes, noting: &defects)
        let isHTML = part.isHTML || part.isTypeUnknown && Self.beginsLikeHTML(raw)
        var text = Charset.decode(raw, declared: part.charset, isHTML: isHTML, noting: &defects)
        if part.isFlowed { text = FlowedText.unwrap(text, deletesSpace: part.deletesSpace) }
        let canonical = isHTML ? CanonicalText(html: text, limits: limits) : CanonicalText(plain: text, limits: limits)
        return canonical.bytes.isEmpty ? nil : ReadPart(isHTML: isHTML, text: text)
    }

    /// As `BodyReader` decides it.
    private static func beginsLikeHTML(_ text: [UInt8]) -> Bool {
        let start = text.drop { $0.isSpace }.prefix(15).map(\.lowercased)
        return start.starts(with: Array("<!doctype html".utf8)) || start.starts(with: Array("<html".utf8))
    }
}
