/// A violation of the grammar. `what` never contains text from the server.
struct Malformed: Error {
    let what: StaticString
}

/// Reads the terminals of the grammar from one complete response (RFC 9051 section 9): `accept` and `read…` try,
/// `expect…` throws.
///
/// Total: it never reads outside its bytes. Ranges are offsets into them.
struct WireCursor {
    let bytes: UnsafeMutableRawBufferPointer
    let cuts: [WireReader.Cut]
    private(set) var at = 0

    init(_ bytes: UnsafeMutableRawBufferPointer, cuts: [WireReader.Cut] = []) {
        self.bytes = bytes
        self.cuts = cuts
    }

    var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// At CR LF, a bare LF, or the end of the bytes.
    var atEnd: Bool {
        guard let byte = peek else { return true }
        return byte == 0x0A || (byte == 0x0D && (at + 1 >= bytes.count || bytes[at + 1] == 0x0A))
    }

    mutating func accept(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    mutating func expect(_ byte: UInt8, _ what: StaticString) throws(Malformed) {
        guard accept(byte) else { throw Malformed(what: what) }
    }

    /// The grammar allows one blank; servers send any number.
    mutating func skipBlanks() {
        while peek == 0x20 { at += 1 }
    }

    /// `nil` without a digit, or if the number is too large.
    mutating func readNumber() -> UInt64? {
        var value: UInt64?
        while let digit = peek, (0x30...0x39).contains(digit) {
            let (shifted, overflow) = (value ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, carry) = shifted.addingReportingOverflow(UInt64(digit - 0x30))
            if overflow || carry { return nil }
            value = sum
            at += 1
        }
        return value
    }

    mutating func expectNumber(_ what: StaticString) throws(Malformed) -> UInt64 {
        guard let value = readNumber() else { throw Malformed(what: what) }
        return value
    }

    mutating func expectNumber32(_ what: StaticString) throws(Malformed) -> UInt32 {
        guard let value = readNumber(), let small = UInt32(exactly: value) else { throw Malformed(what: what) }
        return small
    }

    /// Reads up to a blank, a parenthesis, a bracket, a quote, a brace or the end; may be empty. Wider than `atom`:
    /// includes `\Seen`, `AUTH=PLAIN`, `a.b`, `NIL` and 8-bit keywords.
    mutating func readAtom() -> Range<Int> {
        let from = at
        while let byte = peek, byte > 0x20, byte != 0x7F, byte != 0x28, byte != 0x29, byte != 0x5B, byte != 0x5D,
            byte != 0x22,
            byte != 0x7B, byte != 0x3C
        { at += 1 }
        return from..<at
    }

    /// Compares without regard to case; `word` is upper case.
    func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for (index, at) in range.enumerated() where upper(bytes[at]) != word.utf8Start[index] { return false }
        return true
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// A quoted string or a literal (`string`); `nil` for NIL. Of a cut literal, the part that was kept.
    mutating func expectNString(_ what: StaticString) throws(Malformed) -> (content: Range<Int>, isCut: Bool)? {
        if peek == 0x22 { return (try expectQuoted(what), false) }
        if peek == 0x7B || peek == 0x7E { return try expectLiteral(what) }
        guard matches(readAtom(), "NIL") else { throw Malformed(what: what) }
        return nil
    }

    /// Removes backslashes in place, so the same string must not be read twice.
    mutating func expectQuoted(_ what: StaticString) throws(Malformed) -> Range<Int> {
        try expect(0x22, what)
        let from = at
        var to = at
        while let byte = peek, byte != 0x0D, byte != 0x0A {
            at += 1
            if byte == 0x22 { return from..<to }
            var plain = byte
            if byte == 0x5C {
                guard let escaped = peek, escaped == 0x22 || escaped == 0x5C else { throw Malformed(what: what) }
                plain = escaped
                at += 1
            }
            if to != at - 1 { bytes[to] = plain }
            to += 1
        }
        throw Malformed(what: what)
    }

    mutating func expectLiteral(_ what: StaticString) throws(Malformed) -> (content: Range<Int>, isCut: Bool) {
        _ = accept(0x7E)
        try expect(0x7B, what)
        guard let size = readNumber() else { throw Malformed(what: what) }
        _ = accept(0x2B)
        try expect(0x7D, what)
        _ = accept(0x0D)
        try expect(0x0A, what)
        let cut = cuts.first { $0.offset == at }
        let length = cut.map { UInt64($0.kept) } ?? size
        guard length <= UInt64(bytes.count - at) else { throw Malformed(what: what) }
        let content = at..<(at + Int(length))
        at = content.upperBound
        return (content, cut != nil)
    }

    /// Skips one value of any kind: atom, number, string, literal, nested list.
    mutating func skipValue(depth: Int = 0) throws(Malformed) {
        switch peek {
        case 0x28:
            guard depth < WireLimits.nesting else { throw Malformed(what: "lists nested too deeply") }
            at += 1
            skipBlanks()
            while !accept(0x29) {
                if atEnd { throw Malformed(what: "a list that is not closed") }
                try skipValue(depth: depth + 1)
                skipBlanks()
            }
        case 0x22: _ = try expectQuoted("a quoted string that is not closed")
        case 0x7B: _ = try expectLiteral("a literal")
        case 0x7E where at + 1 < bytes.count && bytes[at + 1] == 0x7B: _ = try expectLiteral("a literal")
        case 0x5B, 0x5D, 0x3C: at += 1
        default:
            if readAtom().isEmpty { throw Malformed(what: "a byte that begins no value") }
        }
    }

    /// Skips up to and past `byte`. If it does not occur before the end of the line, returns false and does not move.
    mutating func skip(past byte: UInt8) -> Bool {
        let from = at
        while !atEnd {
            at += 1
            if bytes[at - 1] == byte { return true }
        }
        at = from
        return false
    }

    var rest: Range<Int> {
        var to = at
        while to < bytes.count, bytes[to] != 0x0A { to += 1 }
        if to > at, bytes[to - 1] == 0x0D { to -= 1 }
        return at..<to
    }

    private func upper(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte & 0xDF : byte }
}
