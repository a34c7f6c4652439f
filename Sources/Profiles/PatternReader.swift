/// Reads the syntax of pcre2pattern(3) in extended mode. What it does not know becomes `.unknown`; nothing is refused.
struct PatternReader {
    let bytes: [UInt8]
    var at = 0
    /// Every named group, for those that call it.
    var definitions: [String: PatternNode] = [:]

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func peek(_ offset: Int = 0) -> UInt8? { at + offset < bytes.count ? bytes[at + offset] : nil }
    private func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in at + text.count <= bytes.count && text.indices.allSatisfy { bytes[at + $0] == text[$0] } }
    }

    private mutating func skip(to end: UInt8) -> String {
        let start = at
        while let byte = peek(), byte != end { _ = byte; at += 1 }
        defer { at += 1 }
        return String(decoding: bytes[start..<min(at, bytes.count)], as: UTF8.self)
    }

    /// `a|b|c` up to a closing parenthesis, which is left, or the end.
    mutating func alternatives() -> PatternNode {
        var branches = [sequence()]
        while peek() == UInt8(ascii: "|") {
            at += 1
            branches.append(sequence())
        }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

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
            while let next = peek(), byte >= 0xC0, next & 0xC0 == 0x80 { _ = next; at += 1 }
            return .literal(Array(bytes[start..<at]))
        }
    }

    private mutating func quantifier() -> PatternNode.Quantifier? {
        let start = at
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { _ = byte; at += 1 }
        var result = PatternNode.Quantifier(minimum: 0, maximum: nil, mode: .greedy)
        switch peek() {
        case UInt8(ascii: "?"): result.maximum = 1
        case UInt8(ascii: "*"): break
        case UInt8(ascii: "+"): result.minimum = 1
        case UInt8(ascii: "{"):
            guard let close = bytes[at...].firstIndex(of: UInt8(ascii: "}")) else { at = start; return nil }
            let parts = bytes[(at + 1)..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Int(String(decoding: $0, as: UTF8.self)) }
            guard let minimum = parts.first ?? nil, parts.count <= 2, parts.count == 1 || parts[1] != nil || bytes[close - 1] == UInt8(ascii: ",") else { at = start; return nil }
            result.minimum = minimum
            result.maximum = parts.count == 1 ? minimum : parts[1]
            at = close
        default:
            at = start
            return nil
        }
        at += 1
        if peek() == UInt8(ascii: "?") { result.mode = .lazy; at += 1 } else if peek() == UInt8(ascii: "+") { result.mode = .possessive; at += 1 }
        return result
    }

    private mutating func close(_ make: (PatternNode) -> PatternNode) -> PatternNode {
        let inside = alternatives()
        at += 1
        return make(inside)
    }

    private mutating func group() -> PatternNode {
        at += 1
        guard peek() == UInt8(ascii: "?") else {
            if peek() == UInt8(ascii: "*") { _ = skip(to: UInt8(ascii: ")")); return .unknown }
            return close { .group(name: nil, atomic: false, $0) }
        }
        at += 1
        if isNext("#") { _ = skip(to: UInt8(ascii: ")")); return .nothing }
        if isNext("(DEFINE)") {
            at += 8
            _ = close { $0 }
            return .nothing
        }
        if isNext("(") {
            _ = close { $0 }
            return .unknown
        }
        if isNext("&") { at += 1; return .call(skip(to: UInt8(ascii: ")"))) }
        for (prefix, ahead, negative) in [("=", true, false), ("!", true, true), ("<=", false, false), ("<!", false, true)] as [(StaticString, Bool, Bool)] where isNext(prefix) {
            at += prefix.utf8CodeUnitCount
            return close { .look(ahead: ahead, negative: negative, $0) }
        }
        if isNext("<") || isNext("P<") {
            at += isNext("<") ? 1 : 2
            let name = skip(to: UInt8(ascii: ">"))
            let inside = close { $0 }
            if definitions[name] == nil { definitions[name] = inside }
            return .group(name: name, atomic: false, inside)
        }
        if isNext(">") { at += 1; return close { .group(name: nil, atomic: true, $0) } }
        if isNext(":") || isNext("|") { at += 1; return close { .group(name: nil, atomic: false, $0) } }
        // (?i) or (?-i:…)
        while let byte = peek(), byte != UInt8(ascii: ":"), byte != UInt8(ascii: ")") {
            guard (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "^") else { _ = skip(to: UInt8(ascii: ")")); return .unknown }
            at += 1
        }
        if peek() == UInt8(ascii: ":") { at += 1; return close { .group(name: nil, atomic: false, $0) } }
        at += 1
        return .nothing
    }

    private mutating func escape() -> PatternNode {
        at += 1
        guard let byte = peek() else { return .unknown }
        at += 1
        if let set = Self.set(of: byte) { return .set(set) }
        switch byte {
        case UInt8(ascii: "n"): return .literal([0x0A])
        case UInt8(ascii: "t"): return .literal([0x09])
        case UInt8(ascii: "r"): return .literal([0x0D])
        case UInt8(ascii: "z"), UInt8(ascii: "Z"): return .end
        case UInt8(ascii: "b"): return .boundary
        case UInt8(ascii: "B"), UInt8(ascii: "A"), UInt8(ascii: "G"), UInt8(ascii: "K"): return .nothing
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            if peek() == UInt8(ascii: "{") { _ = skip(to: UInt8(ascii: "}")) } else { at += 1 }
            return .set(.any)
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
            // A reference, a code in digits, a quotation: the rest of it is left to be read as it stands.
            if peek() == UInt8(ascii: "{") { _ = skip(to: UInt8(ascii: "}")) } else if peek() == UInt8(ascii: "<") { _ = skip(to: UInt8(ascii: ">")) }
            return .unknown
        default: return .literal([byte])
        }
    }

    /// `\d` and its like.
    private static func set(of letter: UInt8) -> ByteSet? {
        switch letter {
        case UInt8(ascii: "d"): .digits
        case UInt8(ascii: "D"): ByteSet.digits.inverted
        case UInt8(ascii: "s"): .blanks
        case UInt8(ascii: "S"): ByteSet.blanks.inverted
        case UInt8(ascii: "w"): .word
        case UInt8(ascii: "W"): ByteSet.word.inverted
        case UInt8(ascii: "h"): ByteSet([0x09, 0x20])
        case UInt8(ascii: "N"): .dot
        case UInt8(ascii: "v"), UInt8(ascii: "R"): ByteSet([0x0A, 0x0B, 0x0C, 0x0D])
        default: nil
        }
    }

    private mutating func characterClass() -> ByteSet {
        at += 1
        var set = ByteSet()
        let isInverted = peek() == UInt8(ascii: "^")
        if isInverted { at += 1 }
        var isFirst = true
        var previous: UInt8?
        while let byte = peek(), isFirst || byte != UInt8(ascii: "]") {
            isFirst = false
            at += 1
            if byte == UInt8(ascii: "["), peek() == UInt8(ascii: ":") {
                set = .any
                _ = skip(to: UInt8(ascii: "]"))
                continue
            }
            var single = byte
            if byte == UInt8(ascii: "\\"), let letter = peek() {
                at += 1
                if let group = Self.set(of: letter) { set.formUnion(group); previous = nil; continue }
                single = letter == UInt8(ascii: "n") ? 0x0A : letter == UInt8(ascii: "t") ? 0x09 : letter
                if (0x61...0x7A).contains(letter | 0x20), single == letter { set.formUnion(.any) }
            } else if byte == UInt8(ascii: "-"), let first = previous, let last = peek(), last != UInt8(ascii: "]"), last >= first, last < 0x80 {
                at += 1
                for member in first...last { set.insert(member) }
                previous = nil
                continue
            }
            set.insert(single)
            previous = single < 0x80 ? single : nil
        }
        at += 1
        return isInverted ? set.inverted : set
    }
}
