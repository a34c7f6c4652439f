/// What one FETCH response said (RFC 9051 section 7.5.2); items stand in any order.
struct FetchItems {
    enum Body {
        /// Not mentioned: news about flags, say.
        case absent
        /// `NIL`: the server has no text for us.
        case none
        /// Offsets into the response. `isCut`: longer than what is kept.
        case text(Range<Int>, isCut: Bool)
    }

    var uid: UInt32?
    var internalDate: InternalDate?
    var size: UInt64?
    var gmailMessageID: UInt64?
    var body = Body.absent
}

extension WireCursor {
    mutating func fetchItems() throws(Malformed) -> FetchItems {
        var items = FetchItems()
        try expect(0x28, "a FETCH without its list")
        skipBlanks()
        while !take(0x29) {
            let name = takeAtom()
            if name.isEmpty { throw Malformed(what: "a FETCH item without a name") }
            if matches(name, "BODY"), peek == 0x5B {
                try body(into: &items)
            } else {
                if peek == 0x5B, !skip(past: 0x5D) { throw Malformed(what: "a section that is not closed") }
                if peek == 0x3C, !skip(past: 0x3E) { throw Malformed(what: "an origin that is not closed") }
                skipBlanks()
                if matches(name, "UID") {
                    items.uid = try expectNumber32("a UID that is no number")
                } else if matches(name, "RFC822.SIZE") {
                    items.size = try expectNumber("an RFC822.SIZE that is no number")
                } else if matches(name, "INTERNALDATE"), peek == 0x22 {
                    items.internalDate = InternalDate(
                        wire: bytes[try expectQuoted("an INTERNALDATE that is no string")])
                } else if matches(name, "X-GM-MSGID") {
                    items.gmailMessageID = try expectNumber("an X-GM-MSGID that is no number")
                } else {
                    try skipValue()
                }
            }
            skipBlanks()
        }
        guard atEnd else { throw Malformed(what: "something behind a FETCH") }
        return items
    }

    /// At the `[` of `BODY[…]<origin> value`. Only the whole text from its first byte on is ours.
    private mutating func body(into items: inout FetchItems) throws(Malformed) {
        try expect(0x5B, "BODY without a section")
        let whole = peek == 0x5D
        guard skip(past: 0x5D) else { throw Malformed(what: "a section that is not closed") }
        var origin: UInt64 = 0
        if take(0x3C) {
            origin = try expectNumber("an origin that is no number")
            try expect(0x3E, "an origin that is not closed")
        }
        skipBlanks()
        let value = try expectNString("a body that is no string")
        guard whole, origin == 0 else { return }
        items.body = value.map { .text($0.content, isCut: $0.isCut) } ?? .none
    }
}
