/// The items of one FETCH response (RFC 9051 section 7.5.2), in any order.
struct FetchItems {
    enum Body {
        /// The response has no such item, for example a response about flags.
        case absent
        /// `NIL`: the server has no text.
        case none
        /// Offsets into the response. `isCut`: longer than the limit.
        case text(Range<Int>, isCut: Bool)
    }

    /// `BODY[1.2.MIME]`: a part of the message.
    struct Section {
        /// Upper case.
        let name: String
        let body: Body
    }

    var uid: UInt32?
    var internalDate: InternalDate?
    var size: UInt64?
    var gmailMessageID: UInt64?
    /// `BODY[]` from its first byte on.
    var body = Body.absent
    var sections: [Section] = []
    var structure: BodyStructure?
}

extension WireCursor {
    mutating func fetchItems() throws(Malformed) -> FetchItems {
        var items = FetchItems()
        try expect(0x28, "a FETCH without its list")
        skipBlanks()
        while !accept(0x29) {
            let name = readAtom()
            if name.isEmpty { throw Malformed(what: "a FETCH item without a name") }
            if matches(name, "BODY"), peek == 0x5B { try section(into: &items) } else { try item(name, into: &items) }
            skipBlanks()
        }
        guard atEnd else { throw Malformed(what: "something behind a FETCH") }
        return items
    }

    private mutating func item(_ name: Range<Int>, into items: inout FetchItems) throws(Malformed) {
        if peek == 0x5B, !skip(past: 0x5D) { throw Malformed(what: "a section that is not closed") }
        if peek == 0x3C, !skip(past: 0x3E) { throw Malformed(what: "an origin that is not closed") }
        skipBlanks()
        if matches(name, "UID") {
            items.uid = try expectNumber32("a UID that is not a number")
        } else if matches(name, "RFC822.SIZE") {
            items.size = try expectNumber("an RFC822.SIZE that is not a number")
        } else if matches(name, "INTERNALDATE"), peek == 0x22 {
            items.internalDate = InternalDate(wire: bytes[try expectQuoted("an INTERNALDATE that is not a string")])
        } else if matches(name, "X-GM-MSGID") {
            items.gmailMessageID = try expectNumber("an X-GM-MSGID that is not a number")
        } else if matches(name, "BODYSTRUCTURE"), peek == 0x28 {
            items.structure = try bodyStructure()
        } else {
            try skipValue()
        }
    }

    /// Parses at the `[` of `BODY[…]<origin> value`. Ignores text that does not begin with the first byte of its
    /// section.
    private mutating func section(into items: inout FetchItems) throws(Malformed) {
        try expect(0x5B, "BODY without a section")
        let start = at
        guard skip(past: 0x5D) else { throw Malformed(what: "a section that is not closed") }
        let name = start..<(at - 1)
        var origin: UInt64 = 0
        if accept(0x3C) {
            origin = try expectNumber("an origin that is not a number")
            try expect(0x3E, "an origin that is not closed")
        }
        skipBlanks()
        let value = try expectNString("a body that is not a string")
        guard origin == 0 else { return }
        let body = value.map { FetchItems.Body.text($0.content, isCut: $0.isCut) } ?? .none
        if name.isEmpty {
            items.body = body
        } else if items.sections.count < WireLimits.sections {
            items.sections.append(FetchItems.Section(name: text(name.prefix(200)).uppercased(), body: body))
        }
    }
}
