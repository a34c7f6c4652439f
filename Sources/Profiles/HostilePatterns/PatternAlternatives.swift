/// Splits a pattern in extended mode at the bars outside of groups.
enum PatternAlternatives {
    /// Alternatives without surrounding blanks; `nil` if one may depend on another by an option, a number, a name or a
    /// verb, or if a blank is a literal.
    ///
    /// - Parameter isKnown: true if a group of that name is defined elsewhere.
    static func split(_ pattern: String, calling isKnown: (String) -> Bool) -> [String]? {
        let bytes = Array(pattern.utf8)
        var bars: [Int] = []
        var depth = 0
        var dependsOnNothing = true
        PatternSigns.each(in: bytes) { at, sign in
            switch sign {
            case UInt8(ascii: "\\"):
                if at + 1 == bytes.count || "123456789gkKQE \n".utf8.contains(bytes[at + 1]) {
                    dependsOnNothing = false
                }
            case UInt8(ascii: "("):
                if !isIndependent(bytes, at, isKnown) { dependsOnNothing = false }
                depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "|"): if depth == 0 { bars.append(at) }
            default: break
            }
        }
        guard dependsOnNothing, depth == 0 else { return nil }
        var parts: [String] = []
        var start = 0
        for bar in bars + [bytes.count] {
            parts.append(String(decoding: trimmed(bytes[start..<bar]), as: UTF8.self))
            start = bar + 1
        }
        return parts
    }

    /// True if a group's body has the same meaning in another pattern: no captures, no references by number, no options
    /// for the text after it.
    static func isMovable(_ body: String) -> Bool {
        let bytes = Array(body.utf8)
        var isMovable = true
        PatternSigns.each(in: bytes) { at, sign in
            switch sign {
            case UInt8(ascii: "\\"):
                if at + 1 == bytes.count || "0123456789gkKQE".utf8.contains(bytes[at + 1]) { isMovable = false }
            case UInt8(ascii: "("):
                let opening = bytes[at...].prefix(4)
                let isLookBehind = opening.starts(with: "(?<=".utf8) || opening.starts(with: "(?<!".utf8)
                if !opening.starts(with: "(?".utf8) || opening.starts(with: "(?<".utf8) && !isLookBehind
                    || !isIndependent(bytes, at, { _ in true })
                {
                    isMovable = false
                }
            default: break
            }
        }
        return isMovable
    }

    /// True if the group at an offset is plain, named, a lookaround, or a call of a known group.
    private static func isIndependent(_ bytes: [UInt8], _ open: Int, _ isKnown: (String) -> Bool) -> Bool {
        func byte(_ offset: Int) -> UInt8 { open + offset < bytes.count ? bytes[open + offset] : 0 }
        if byte(1) == UInt8(ascii: "*") { return false }
        guard byte(1) == UInt8(ascii: "?") else { return true }
        switch byte(2) {
        case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"): return true
        case UInt8(ascii: "&"):
            return isKnown(String(decoding: bytes[(open + 3)...].prefix { $0 != UInt8(ascii: ")") }, as: UTF8.self))
        default:
            // (?-i: and similar apply to their group only; an option without a colon applies beyond it.
            let options = bytes[(open + 2)...].prefix { "imsx-^".utf8.contains($0) }
            return !options.isEmpty && options.endIndex < bytes.count && bytes[options.endIndex] == UInt8(ascii: ":")
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }
        // A comment ends with its line, and no alternative ends inside it.
        let end =
            bytes.contains(UInt8(ascii: "#"))
            ? bytes.endIndex : bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
        return bytes[..<end].drop(while: isBlank)
    }
}
