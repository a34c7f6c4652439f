import Codecs

/// Parser for the syntax of pcre2pattern(3) in extended mode. Unknown constructs become `.unknown`; nothing is
/// rejected.
struct PatternReader {
    let bytes: [UInt8]
    var at = 0
    /// Named groups, used by calls.
    var definitions: [String: PatternNode] = [:]
    /// Set by a construct that can change the meaning of the text around it, which makes the tree unreliable.
    private(set) var isLost = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func peek(_ offset: Int = 0) -> UInt8? { at + offset < bytes.count ? bytes[at + offset] : nil }
    private func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            at + text.count <= bytes.count && text.indices.allSatisfy { bytes[at + $0] == text[$0] }
        }
    }

    private mutating func skip(to end: UInt8) -> String {
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
            while let next = peek(), byte >= 0xC0, next & 0xC0 == 0x80 {
                _ = next
                at += 1
            }
            return .literal(Array(bytes[start..<at]))
        }
    }

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

    private mutating func close(_ make: (PatternNode) -> PatternNode) -> PatternNode {
        let inside = alternatives()
        if peek() == nil { isLost = true }
        at += 1
        return make(inside)
    }

    /// Marks the tree as unreliable because of an unsupported construct.
    private mutating func lost() -> PatternNode {
        isLost = true
        return .unknown
    }

    private mutating func group() -> PatternNode {
        at += 1
        guard peek() == UInt8(ascii: "?") else {
            if peek() == UInt8(ascii: "*") {
                _ = skip(to: UInt8(ascii: ")"))
                return lost()
            }
            return close { .group(name: nil, atomic: false, $0) }
        }
        at += 1
        if let node = unread() ?? lookaround() { return node }
        if isNext("<") || isNext("P<") {
            at += isNext("<") ? 1 : 2
            let name = skip(to: UInt8(ascii: ">"))
            let inside = close { $0 }
            if definitions[name] == nil { definitions[name] = inside }
            return .group(name: name, atomic: false, inside)
        }
        if isNext(">") {
            at += 1
            return close { .group(name: nil, atomic: true, $0) }
        }
        if isNext(":") || isNext("|") {
            at += 1
            return close { .group(name: nil, atomic: false, $0) }
        }
        return options()
    }

    /// Parses a comment, a definition, a condition or a call after `(?`; `nil` if none of these follows.
    private mutating func unread() -> PatternNode? {
        if isNext("#") {
            _ = skip(to: UInt8(ascii: ")"))
            return .nothing
        }
        if isNext("(DEFINE)") {
            at += 8
            _ = close { $0 }
            return .nothing
        }
        if isNext("(") {
            _ = close { $0 }
            return lost()
        }
        if isNext("&") {
            at += 1
            return .call(skip(to: UInt8(ascii: ")")))
        }
        return nil
    }

    private mutating func lookaround() -> PatternNode? {
        for (prefix, ahead, negative) in [
            ("=", true, false), ("!", true, true), ("<=", false, false), ("<!", false, true),
        ] as [(StaticString, Bool, Bool)] where isNext(prefix) {
            at += prefix.utf8CodeUnitCount
            return close { .lookaround(ahead: ahead, negative: negative, $0) }
        }
        return nil
    }

    /// Parses `(?i)` or `(?-i:…)`. Options that change the meaning of blanks or of a dot make the tree unreliable;
    /// so does `xx`, which ignores blanks in classes too. Letters that are not options count as an unknown construct.
    private mutating func options() -> PatternNode {
        let start = at
        while let byte = peek(), byte != UInt8(ascii: ":"), byte != UInt8(ascii: ")") {
            _ = byte
            at += 1
        }
        let options = bytes[start..<min(at, bytes.count)]
        if options.contains(where: { !"imxUJ-".utf8.contains($0) })
            || options.contains(UInt8(ascii: "-")) && options.contains(UInt8(ascii: "x"))
            || options.count { $0 == UInt8(ascii: "x") } > 1
        {
            isLost = true
        }
        guard options.allSatisfy({ "imsxnUJ-^".utf8.contains($0) }) else {
            at = start
            _ = skip(to: UInt8(ascii: ")"))
            return .unknown
        }
        if peek() == UInt8(ascii: ":") {
            at += 1
            return close { .group(name: nil, atomic: false, $0) }
        }
        at += 1
        return .nothing
    }

    private mutating func escape() -> PatternNode {
        at += 1
        guard let byte = peek() else { return .unknown }
        at += 1
        if let set = Self.set(of: byte) { return .set(set) }
        if let control = Self.control(of: byte) { return .literal([control]) }
        switch byte {
        case UInt8(ascii: "z"), UInt8(ascii: "Z"): return .end
        case UInt8(ascii: "b"): return .boundary
        case UInt8(ascii: "B"), UInt8(ascii: "A"), UInt8(ascii: "G"), UInt8(ascii: "K"): return .nothing
        case UInt8(ascii: "R"):
            return .alternatives([.sequence([.literal([0x0D]), .literal([0x0A])]), .set(Self.lineEnds)])
        case UInt8(ascii: "N") where peek() != UInt8(ascii: "{"): return .set(.dot)
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            if peek() == UInt8(ascii: "{") { _ = skip(to: UInt8(ascii: "}")) } else { at += 1 }
            return .set(.any)
        case UInt8(ascii: "x"):
            if peek() == UInt8(ascii: "{") {
                _ = skip(to: UInt8(ascii: "}"))
            } else {
                for _ in 0..<2 where peek().flatMap(Hexadecimal.value) != nil { at += 1 }
            }
            return .set(.any)
        case UInt8(ascii: "Q"): return lost()
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
            skipReference(byte)
            return .unknown
        default:
            // Consumes all bytes of a character outside ASCII.
            let start = at - 1
            while let next = peek(), byte >= 0xC0, next & 0xC0 == 0x80 {
                _ = next
                at += 1
            }
            return .literal(Array(bytes[start..<at]))
        }
    }

    /// Skips the rest of a reference or a code.
    private mutating func skipReference(_ byte: UInt8) {
        switch (byte, peek()) {
        case (0x30...0x39, _):
            while let digit = peek(), (0x30...0x39).contains(digit) {
                _ = digit
                at += 1
            }
        case (_, UInt8(ascii: "{")): _ = skip(to: UInt8(ascii: "}"))
        case (_, UInt8(ascii: "<")): _ = skip(to: UInt8(ascii: ">"))
        case (_, UInt8(ascii: "'")):
            at += 1
            _ = skip(to: UInt8(ascii: "'"))
        case (UInt8(ascii: "c"), _): at += 1
        case (UInt8(ascii: "g"), _):
            while let byte = peek(),
                (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            {
                _ = byte
                at += 1
            }
        default: break
        }
    }

    /// Control character of an escape such as `\n`.
    private static func control(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "e"): 0x1B
        case UInt8(ascii: "a"): 0x07
        default: nil
        }
    }

    private static let lineEnds: ByteSet = {
        var set = ByteSet([0x0A, 0x0B, 0x0C, 0x0D])
        set.hasOthers = true
        return set
    }()

    /// Set of an escape such as `\d`.
    private static func set(of letter: UInt8) -> ByteSet? {
        switch letter {
        case UInt8(ascii: "d"): .digits
        case UInt8(ascii: "D"): ByteSet.digits.inverted
        case UInt8(ascii: "s"): .blanks
        case UInt8(ascii: "S"): ByteSet.blanks.inverted
        case UInt8(ascii: "w"): .word
        case UInt8(ascii: "W"): ByteSet.word.inverted
        case UInt8(ascii: "h"): ByteSet([0x09, 0x20])
        case UInt8(ascii: "v"): lineEnds
        case UInt8(ascii: "V"): ByteSet([0x0A, 0x0B, 0x0C, 0x0D]).inverted
        case UInt8(ascii: "H"): ByteSet([0x09, 0x20]).inverted
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
        /// Set if the class holds an unknown item, which may match any character.
        var isUncertain = false
        while let byte = peek(), isFirst || byte != UInt8(ascii: "]") {
            isFirst = false
            at += 1
            if byte == UInt8(ascii: "["), peek() == UInt8(ascii: ":") {
                isUncertain = true
                _ = skip(to: UInt8(ascii: "]"))
                continue
            }
            var single = byte
            if byte == UInt8(ascii: "\\"), let letter = peek() {
                at += 1
                if let group = Self.set(of: letter) {
                    set.formUnion(group)
                    previous = nil
                    continue
                }
                switch letter {
                case UInt8(ascii: "n"): single = 0x0A
                case UInt8(ascii: "t"): single = 0x09
                case UInt8(ascii: "r"): single = 0x0D
                case UInt8(ascii: "Q"), UInt8(ascii: "c"):
                    // The unknown item may include the closing bracket.
                    isLost = true
                    isUncertain = true
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: isUncertain = true
                default: single = letter
                }
            } else if byte == UInt8(ascii: "-"), let range = classRange(from: previous, &isUncertain) {
                for member in range { set.insert(member) }
                previous = nil
                continue
            }
            set.insert(single)
            previous = single < 0x80 ? single : nil
        }
        at += 1
        return isUncertain ? .any : isInverted ? set.inverted : set
    }

    /// Range of a class after its hyphen; `nil` if the hyphen is a literal.
    private mutating func classRange(from first: UInt8?, _ isUncertain: inout Bool) -> ClosedRange<UInt8>? {
        guard let first, let last = peek(), last != UInt8(ascii: "]"), last >= first, last < 0x80 else { return nil }
        at += 1
        if last == UInt8(ascii: "\\") {
            isUncertain = true
            at += 1
        }
        return first...last
    }
}
