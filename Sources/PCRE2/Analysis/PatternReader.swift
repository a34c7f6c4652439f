/// Parser for the syntax of pcre2pattern(3) in extended mode, by recursive descent: each function reads one construct
/// from `at` on and leaves `at` behind it.
///
/// Unknown constructs become `.unknown`; nothing is rejected, because PCRE2 has compiled the pattern. A construct after
/// which the rest cannot be read reliably sets ``isLost``.
struct PatternReader {
    let bytes: [UInt8]
    var at = 0
    /// Named groups, used by calls.
    var definitions: [String: PatternNode] = [:]
    /// Set by a construct that can change the meaning of the text around it, which makes the tree unreliable.
    var isLost = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The byte at an offset from the position; `nil` at the end.
    func peek(_ offset: Int = 0) -> UInt8? { at + offset < bytes.count ? bytes[at + offset] : nil }
    func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            at + text.count <= bytes.count && text.indices.allSatisfy { bytes[at + $0] == text[$0] }
        }
    }

    /// Skips to the byte, and past it.
    /// - Returns: the text before it.
    mutating func skip(to end: UInt8) -> String {
        let start = at
        while let byte = peek(), byte != end {
            _ = byte
            at += 1
        }
        defer { at += 1 }
        return String(decoding: bytes[start..<min(at, bytes.count)], as: UTF8.self)
    }

    /// Parses `a|b|c` up to the end or a closing parenthesis, which is not consumed.
    mutating func alternatives() -> PatternNode {
        var branches = [sequence()]
        while peek() == UInt8(ascii: "|") {
            at += 1
            branches.append(sequence())
        }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    /// Parses items up to a `|` or a closing parenthesis, each with its quantifiers.
    private mutating func sequence() -> PatternNode {
        var items: [PatternNode] = []
        while let byte = peek(), byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            case UInt8(ascii: "#"): _ = skip(to: 0x0A)
            default:
                var item = atom(byte)
                while let quantifier = quantifier() { item = .repeated(item, quantifier) }
                items.append(item)
            }
        }
        return items.count == 1 ? items[0] : .sequence(items)
    }

    /// Parses one item without its quantifiers.
    private mutating func atom(_ byte: UInt8) -> PatternNode {
        switch byte {
        case UInt8(ascii: "("): return group()
        case UInt8(ascii: "["): return .set(characterClass())
        case UInt8(ascii: "\\"): return escape()
        case UInt8(ascii: "."):
            at += 1
            return .set(.dot)
        case UInt8(ascii: "^"):
            at += 1
            return .nothing
        case UInt8(ascii: "$"):
            at += 1
            return .end
        default:
            let start = at
            at += 1
            while let next = peek(), byte >= 0xC0, next & 0xC0 == 0x80 {
                _ = next
                at += 1
            }
            return .literal(Array(bytes[start..<at]))
        }
    }

    /// Parses `?`, `*`, `+` or `{1,3}`, with the sign of its mode; `nil` if none follows.
    private mutating func quantifier() -> PatternNode.Quantifier? {
        let start = at
        // Extended mode allows blanks and comments before it.
        while let byte = peek(),
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "#")
        {
            at += 1
            if byte == UInt8(ascii: "#") { _ = skip(to: 0x0A) }
        }
        var result = PatternNode.Quantifier(minimum: 0, maximum: nil, mode: .greedy)
        switch peek() {
        case UInt8(ascii: "?"): result.maximum = 1
        case UInt8(ascii: "*"): break
        case UInt8(ascii: "+"): result.minimum = 1
        case UInt8(ascii: "{"):
            guard let close = bytes[at...].firstIndex(of: UInt8(ascii: "}")) else {
                at = start
                return nil
            }
            let parts = bytes[(at + 1)..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { Int(String(decoding: $0, as: UTF8.self)) }
            guard let minimum = parts.first ?? nil, parts.count <= 2,
                parts.count == 1 || parts[1] != nil || bytes[close - 1] == UInt8(ascii: ",")
            else {
                at = start
                return nil
            }
            result.minimum = minimum
            result.maximum = parts.count == 1 ? minimum : parts[1]
            at = close
        default:
            at = start
            return nil
        }
        at += 1
        if peek() == UInt8(ascii: "?") {
            result.mode = .lazy
            at += 1
        } else if peek() == UInt8(ascii: "+") {
            result.mode = .possessive
            at += 1
        }
        return result
    }
}
