// The steps of reading a mail one by one, for measuring and proving each of them.

extension Message {
    /// Finds the text parts and decodes none. Returns how many there are.
    package func findParts() -> Int { count(body()) }

    /// Finds the text parts and decodes those that ``text`` is usually made of. Returns their bytes.
    package func decodeParts() -> Int { decode(body()) }

    private func body() -> MIMEBody {
        var structure = MIMEStructure(.standard)
        let bytes = self.bytes
        return structure.body(of: bytes.span, section)
    }

    private func count(_ body: MIMEBody) -> Int {
        switch body {
        case .nothing: 0
        case .text: 1
        case .sequence(let bodies), .choice(let bodies): bodies.reduce(0) { $0 + count($1) }
        }
    }

    private func decode(_ body: MIMEBody) -> Int {
        switch body {
        case .nothing: return 0
        case .sequence(let bodies): return bodies.reduce(0) { $0 + decode($1) }
        case .choice(let bodies): return (bodies.last(where: \.hasHTML) ?? bodies.last).map(decode) ?? 0
        case .text(let part):
            var defects = DefectList()
            let bytes = self.bytes
            let limit = MessageLimits.standard.textPartBytes
            let raw = part.encoding.decode(
                bytes.span, part.content.clamped(to: 0..<bytes.count), limit: limit, noting: &defects)
            return Charset.decode(raw, declared: part.charset, isHTML: part.isHTML, noting: &defects).count
        }
    }
}
