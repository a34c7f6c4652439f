/// A decoded part that contributes to a message's text.
public struct ReadPart: Sendable {
    public var isHTML: Bool
    /// UTF-8.
    public var text: [UInt8]
}

extension Message {
    /// The parts that ``text`` is made of, in order, chosen among alternatives in the same way. Redaction rewrites
    /// them.
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

    /// Returns nil for a part without words.
    private func decoded(_ part: TextPart, _ limits: MessageLimits) -> ReadPart? {
        var defects = DefectList()
        let bytes = self.bytes
        let (text, isHTML) = part.text(in: bytes.span, limits, recording: &defects)
        let canonical = isHTML ? CanonicalText(html: text, limits: limits) : CanonicalText(plain: text, limits: limits)
        return canonical.bytes.isEmpty ? nil : ReadPart(isHTML: isHTML, text: text)
    }
}
