/// Reads groups, lookarounds, options and calls, such as `(?<name>…)` and `(?&amount)`.
extension PatternReader {
    /// Parses the inside of a group and its closing parenthesis.
    private mutating func close(_ make: (PatternNode) -> PatternNode) -> PatternNode {
        let inside = alternatives()
        if peek() == nil { isLost = true }
        at += 1
        return make(inside)
    }

    /// Marks the tree as unreliable because of an unsupported construct.
    mutating func lost() -> PatternNode {
        isLost = true
        return .unknown
    }

    /// Parses a group, a lookaround, an option, a call or a comment, from its opening parenthesis on.
    mutating func group() -> PatternNode {
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

    /// Parses `(?=`, `(?!`, `(?<=` or `(?<!` after the question mark; `nil` if none of these follows.
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
            || options.count(where: { $0 == UInt8(ascii: "x") }) > 1
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
}
