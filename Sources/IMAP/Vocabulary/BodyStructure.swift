/// MIME structure of a message as parsed by the server: BODYSTRUCTURE (RFC 9051 section 7.5.2), reduced to the needed
/// values.
public indirect enum BodyStructure: Hashable, Sendable {
    /// A part that is not a multipart. A message/rfc822 is one part, of any content.
    case part(BodyPart)
    /// `subtype` is lower case: `mixed`, `alternative`.
    case multipart(subtype: String, parts: [BodyStructure])
}

/// A leaf of a ``BodyStructure``.
public struct BodyPart: Hashable, Sendable {
    /// Lower case: `text`.
    public let type: String
    /// Lower case: `html`.
    public let subtype: String
    /// The length of the encoded part in bytes.
    public let size: UInt64
    /// Content-Disposition is `attachment`.
    public let isAttachment: Bool

    public init(type: String, subtype: String, size: UInt64, isAttachment: Bool = false) {
        (self.type, self.subtype, self.size, self.isAttachment) = (type, subtype, size, isAttachment)
    }
}

extension WireCursor {
    /// Parses at the `(` of a `body`. A structure that is nested too deeply or has too many parts is malformed.
    mutating func bodyStructure() throws(Malformed) -> BodyStructure {
        var left = WireLimits.bodyParts
        return try body(depth: 0, left: &left)
    }

    private mutating func body(depth: Int, left: inout Int) throws(Malformed) -> BodyStructure {
        guard depth < WireLimits.bodyDepth else { throw Malformed(what: "a BODYSTRUCTURE nested too deeply") }
        left -= 1
        guard left >= 0 else { throw Malformed(what: "a BODYSTRUCTURE with too many parts") }
        try expect(0x28, "a BODYSTRUCTURE without its list")
        skipBlanks()
        guard peek == 0x28 else { return .part(try part()) }
        var parts: [BodyStructure] = []
        while peek == 0x28 {
            parts.append(try body(depth: depth + 1, left: &left))
            skipBlanks()
        }
        let subtype = try word("a multipart without its subtype")
        _ = try skipRest()
        return .multipart(subtype: subtype, parts: parts)
    }

    /// Parses after the `(` of `body-type-1part`: type, subtype, parameters, id, description, encoding, octets.
    private mutating func part() throws(Malformed) -> BodyPart {
        let type = try word("a part without its type")
        let subtype = try word("a part without its subtype")
        for _ in 0..<4 {
            skipBlanks()
            try skipValue()
        }
        skipBlanks()
        let size = try expectNumber("the size of a part that is not a number")
        return BodyPart(type: type, subtype: subtype, size: size, isAttachment: try skipRest())
    }

    /// Skips the rest of a list.
    ///
    /// - Returns: true if one of its values is `("ATTACHMENT" …)`, a `body-fld-dsp`.
    private mutating func skipRest() throws(Malformed) -> Bool {
        var isAttachment = false
        skipBlanks()
        while !accept(0x29) {
            if atEnd { throw Malformed(what: "a BODYSTRUCTURE that is not closed") }
            let start = at
            try skipValue()
            if isDisposition(start..<at) { isAttachment = true }
            skipBlanks()
        }
        return isAttachment
    }

    private func isDisposition(_ range: Range<Int>) -> Bool {
        let name: StaticString = "(\"ATTACHMENT\""
        return range.count > name.utf8CodeUnitCount && matches(range.prefix(name.utf8CodeUnitCount), name)
    }

    private mutating func word(_ what: StaticString) throws(Malformed) -> String {
        skipBlanks()
        guard let value = try expectNString(what), value.content.count <= WireLimits.bodyWord else {
            throw Malformed(what: what)
        }
        return text(value.content).lowercased()
    }
}
