// The steps of reading a message, one by one, for `parserctl benchmark`.

extension Message {
    /// Finds the text parts without decoding them. Returns their number.
    package func findParts() -> Int { count(body()) }

    /// Finds the text parts and decodes those that ``text`` is usually made of. Returns the number of decoded bytes.
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
            return part.text(in: bytes.span, .standard, recording: &defects).text.count
        }
    }
}
