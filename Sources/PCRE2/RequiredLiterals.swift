/// What any text that a pattern matches must contain: the base of a prefilter that spares most patterns the run.
///
/// A conservative reading of the syntax of pcre2pattern(3): what it does not understand requires nothing, so that
/// nothing that would match is ever filtered out. Assumes `(?ix)`: caseless, blanks and comments ignored.
public indirect enum RequiredLiterals: Sendable, Equatable {
    /// Any text may match.
    case nothing
    /// This word, in lower-case ASCII, stands in the text in whatever case.
    case word(String)
    case all([RequiredLiterals])
    case any([RequiredLiterals])

    /// Shorter words stand in almost every text and filter nothing.
    static let minimumLength = 3

    /// - Parameter definitions: what the groups that `(?&name)` may call require; a call of any other requires nothing.
    public init(of source: String, definitions: [String: RequiredLiterals] = [:]) {
        var reader = Reader(bytes: Array(source.utf8), definitions: definitions)
        let found = reader.alternatives()
        // Groups that do not close, or too many that do: not understood after all.
        self = reader.isAtEnd && !reader.isLost ? found : .nothing
    }

    /// Every word named.
    public var words: Set<String> {
        switch self {
        case .nothing: []
        case .word(let word): [word]
        case .all(let list), .any(let list): list.reduce(into: []) { $0.formUnion($1.words) }
        }
    }

    static func all(of list: [Self]) -> Self {
        var flat: [Self] = []
        for item in list {
            switch item {
            case .nothing: continue
            case .all(let inner): flat += inner.filter { !flat.contains($0) }
            default: if !flat.contains(item) { flat.append(item) }
            }
        }
        return flat.isEmpty ? .nothing : flat.count == 1 ? flat[0] : .all(flat)
    }

    static func any(of list: [Self]) -> Self {
        var flat: [Self] = []
        for item in list {
            switch item {
            case .nothing: return .nothing
            case .any(let inner): flat += inner.filter { !flat.contains($0) }
            default: if !flat.contains(item) { flat.append(item) }
            }
        }
        return flat.count == 1 ? flat[0] : .any(flat)
    }
}

extension RequiredLiterals: CustomStringConvertible {
    /// `card & (declined | refused)`, a hyphen where nothing is required.
    public var description: String {
        switch self {
        case .nothing: "-"
        case .word(let word): word
        case .all(let list): "(" + list.map(\.description).joined(separator: " & ") + ")"
        case .any(let list): "(" + list.map(\.description).joined(separator: " | ") + ")"
        }
    }
}

private struct Reader {
    let bytes: [UInt8]
    let definitions: [String: RequiredLiterals]
    var at = 0
    /// A construct was met that is not read.
    var isLost = false

    var isAtEnd: Bool { at >= bytes.count }

    init(bytes: [UInt8], definitions: [String: RequiredLiterals]) {
        self.bytes = bytes
        self.definitions = definitions
    }

    private func peek(_ offset: Int = 0) -> UInt8? { at + offset < bytes.count ? bytes[at + offset] : nil }

    /// `a|b|c` up to a closing parenthesis, which is left, or the end.
    mutating func alternatives() -> RequiredLiterals {
        var branches = [sequence()]
        while peek() == UInt8(ascii: "|") {
            at += 1
            branches.append(sequence())
        }
        return .any(of: branches)
    }

    private mutating func sequence() -> RequiredLiterals {
        var found = Words()
        while let byte = peek(), byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            case UInt8(ascii: "#"): while let next = peek(), next != 0x0A { _ = next; at += 1 }
            case UInt8(ascii: "("):
                found.endRun()
                let inside = group()
                if minimum() > 0 { found.required.append(inside) }
            case UInt8(ascii: "["):
                found.endRun()
                skipClass()
                _ = minimum()
            case UInt8(ascii: "^"), UInt8(ascii: "$"): at += 1
            case UInt8(ascii: "\\"): escape(&found)
            case UInt8(ascii: "."):
                at += 1
                found.endRun()
                _ = minimum()
            default:
                at += 1
                literal(byte, &found)
            }
        }
        found.endRun()
        return .all(of: found.required)
    }

    /// The words of one sequence, and the characters that stand side by side so far.
    private struct Words {
        var required: [RequiredLiterals] = []
        var run: [UInt8] = []

        mutating func endRun() {
            if run.count >= RequiredLiterals.minimumLength { required.append(.word(String(decoding: run, as: UTF8.self))) }
            run.removeAll()
        }
    }

    /// One character that stands for itself, with the quantifier behind it.
    private mutating func literal(_ byte: UInt8, _ found: inout Words) {
        let start = at
        let count = minimum()
        guard byte < 0x80, count > 0 else {
            found.endRun()
            return
        }
        found.run.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        // Behind a quantifier the character may stand again: what follows does not touch it for certain.
        if at != start { found.endRun() }
    }

    private mutating func escape(_ found: inout Words) {
        guard let next = peek(1) else {
            at += 1
            return found.endRun()
        }
        at += 2
        switch next {
        case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "A"), UInt8(ascii: "z"), UInt8(ascii: "Z"), UInt8(ascii: "K"): return
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
            found.endRun()
            // The rest of \12, \x20, \cA and \g-1 belongs to the escape.
            switch next {
            case 0x30...0x39: while let byte = peek(), (0x30...0x39).contains(byte) { _ = byte; at += 1 }
            case UInt8(ascii: "x"):
                for _ in 0..<2 { if let byte = peek(), (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20) { _ = byte; at += 1 } }
            case UInt8(ascii: "c"): at += 1
            case UInt8(ascii: "g"): while let byte = peek(), (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { _ = byte; at += 1 }
            default: break
            }
            // \p{…}, \x{…}, \g{…}, \k<…>: what stands in brackets belongs to it.
            if let bracket = peek(), bracket == UInt8(ascii: "{") || (bracket == UInt8(ascii: "<") && next == UInt8(ascii: "k")) {
                if "pPxgkNou".utf8.contains(next) {
                    let end: UInt8 = bracket == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: ">")
                    while let byte = peek(), byte != end { _ = byte; at += 1 }
                    at += 1
                }
            }
            // \Q…\E quotes, which is not read here: everything behind it is unknown.
            if next == UInt8(ascii: "Q") { _ = unknown() }
            _ = minimum()
        default: literal(next, &found)
        }
    }

    /// At `(`: reads the group and what it requires.
    private mutating func group() -> RequiredLiterals {
        at += 1
        var requires = true
        if peek() == UInt8(ascii: "*") { return unknown() }
        if peek() == UInt8(ascii: "?") {
            at += 1
            switch (peek(), peek(1)) {
            case (UInt8(ascii: "#"), _), (UInt8(ascii: "("), _), (UInt8(ascii: "C"), _), (UInt8(ascii: "R"), _): return unknown()
            case (UInt8(ascii: "&"), _):
                at += 1
                let start = at
                while let byte = peek(), byte != UInt8(ascii: ")") { _ = byte; at += 1 }
                let name = String(decoding: bytes[start..<min(at, bytes.count)], as: UTF8.self)
                at += 1
                return definitions[name] ?? .nothing
            case (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: "!")):
                at += 2
                requires = false
            case (UInt8(ascii: "="), _), (UInt8(ascii: "!"), _):
                at += 1
                requires = false
            case (UInt8(ascii: "<"), _), (UInt8(ascii: "P"), UInt8(ascii: "<")):
                while let byte = peek(), byte != UInt8(ascii: ">") { _ = byte; at += 1 }
                at += 1
            case (UInt8(ascii: ":"), _), (UInt8(ascii: ">"), _), (UInt8(ascii: "|"), _): at += 1
            default:
                // (?i) or (?-i:…): options up to the colon or the end of the group.
                while let byte = peek(), byte != UInt8(ascii: ":"), byte != UInt8(ascii: ")") { _ = byte; at += 1 }
                if peek() == UInt8(ascii: ":") { at += 1 } else { at += 1; return .nothing }
            }
        }
        let inside = alternatives()
        guard peek() == UInt8(ascii: ")") else {
            return unknown()
        }
        at += 1
        return requires ? inside : .nothing
    }

    /// A construct that is not read: the whole pattern then requires nothing.
    private mutating func unknown() -> RequiredLiterals {
        isLost = true
        at = bytes.count
        return .nothing
    }

    private mutating func skipClass() {
        at += 1
        if peek() == UInt8(ascii: "^") { at += 1 }
        if peek() == UInt8(ascii: "]") { at += 1 }
        while let byte = peek(), byte != UInt8(ascii: "]") {
            // [:alpha:] holds a bracket of its own.
            if byte == UInt8(ascii: "["), peek(1) == UInt8(ascii: ":") {
                at += 2
                while let next = peek(), next != UInt8(ascii: "]") { _ = next; at += 1 }
            } else if byte == UInt8(ascii: "\\") {
                at += 1
            }
            at += 1
        }
        at += 1
    }

    /// Reads a quantifier, with the blanks that extended mode allows before it; how often what stands before it must come at least.
    private mutating func minimum() -> Int {
        let start = at
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A { at += 1 }
        var count = 1
        switch peek() {
        case UInt8(ascii: "?"), UInt8(ascii: "*"): count = 0
        case UInt8(ascii: "+"): break
        case UInt8(ascii: "{"):
            var digits = at + 1
            var value = 0
            while digits < bytes.count, (0x30...0x39).contains(bytes[digits]), value < 100_000 {
                value = value * 10 + Int(bytes[digits] - 0x30)
                digits += 1
            }
            while digits < bytes.count, (0x30...0x39).contains(bytes[digits]) || bytes[digits] == UInt8(ascii: ",") { digits += 1 }
            // Not a quantifier: a brace that stands for itself.
            guard digits < bytes.count, bytes[digits] == UInt8(ascii: "}"), digits > at + 1 else {
                at = start
                return 1
            }
            at = digits
            count = value
        default:
            at = start
            return 1
        }
        at += 1
        if let suffix = peek(), suffix == UInt8(ascii: "?") || suffix == UInt8(ascii: "+") { at += 1 }
        return count
    }
}
