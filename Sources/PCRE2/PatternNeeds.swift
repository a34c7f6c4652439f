/// What is known of a pattern without running it.
///
/// A conservative reading of the syntax of pcre2pattern(3): what it does not understand requires nothing and is without bound, so that
/// nothing that would match is ever filtered out. Assumes `(?ix)`: caseless, blanks and comments ignored.
public struct PatternNeeds: Sendable, Equatable {
    public let literals: RequiredLiterals
    /// The length of a match.
    public let extent: Extent

    static let unknown = PatternNeeds(literals: .nothing, extent: .unbounded)

    init(literals: RequiredLiterals, extent: Extent) {
        self.literals = literals
        self.extent = extent
    }

    /// - Parameter definitions: what is known of the groups that `(?&name)` may call; nothing is known of any other.
    public init(of source: String, definitions: [String: PatternNeeds] = [:]) {
        var reader = NeedsReader(bytes: Array(source.utf8), definitions: definitions)
        let found = reader.alternatives()
        // Groups that do not close, or too many that do: not understood after all.
        self = reader.isAtEnd && !reader.isLost ? found : .unknown
    }
}

private struct NeedsReader {
    let bytes: [UInt8]
    let definitions: [String: PatternNeeds]
    var at = 0
    /// A construct was met that is not read.
    var isLost = false

    var isAtEnd: Bool { at >= bytes.count }

    init(bytes: [UInt8], definitions: [String: PatternNeeds]) {
        self.bytes = bytes
        self.definitions = definitions
    }

    private func peek(_ offset: Int = 0) -> UInt8? { at + offset < bytes.count ? bytes[at + offset] : nil }

    /// `a|b|c` up to a closing parenthesis, which is left, or the end.
    mutating func alternatives() -> PatternNeeds {
        var branches = [sequence()]
        while peek() == UInt8(ascii: "|") {
            at += 1
            branches.append(sequence())
        }
        return PatternNeeds(literals: .any(of: branches.map(\.literals)), extent: branches.reduce(.none) { $0.union($1.extent) })
    }

    private mutating func sequence() -> PatternNeeds {
        var found = Words()
        while let byte = peek(), byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            case UInt8(ascii: "#"): while let next = peek(), next != 0x0A { _ = next; at += 1 }
            case UInt8(ascii: "("):
                found.endRun()
                let inside = group()
                let count = quantifier()
                if count.minimum > 0 { found.required.append(inside.literals.behind(found.extent)) }
                found.extent = found.extent + inside.extent.repeated(count.maximum)
            case UInt8(ascii: "["): taken(lines: characterClass(), &found)
            case UInt8(ascii: "^"), UInt8(ascii: "$"): at += 1
            case UInt8(ascii: "\\"): escape(&found)
            case UInt8(ascii: "."):
                at += 1
                taken(lines: 0, &found)
            default:
                at += 1
                literal(byte, &found)
            }
        }
        found.endRun()
        return PatternNeeds(literals: .all(of: found.required), extent: found.extent)
    }

    /// The words of one sequence, and the characters that stand side by side so far.
    private struct Words {
        var required: [RequiredLiterals] = []
        var run: [UInt8] = []
        /// What may stand before the run.
        var beforeRun = Extent.none
        /// What was read so far, the run included.
        var extent = Extent.none

        mutating func endRun() {
            if run.lazy.filter({ $0 != 0x20 }).count >= RequiredLiterals.minimumLength { required.append(.word(String(decoding: run, as: UTF8.self), beforeRun)) }
            run.removeAll()
        }
    }

    /// One character out of several, `lines` of which may be a line feed, with the quantifier behind it.
    private mutating func taken(lines: Int, characters: Int = 1, _ found: inout Words) {
        found.endRun()
        found.extent = found.extent + Extent(characters: characters, lines: lines).repeated(quantifier().maximum)
    }

    /// One character that stands for itself, with the quantifier behind it.
    private mutating func literal(_ byte: UInt8, lines: Int = 0, _ found: inout Words) {
        let start = at
        let count = quantifier()
        let extent = Extent(characters: 1, lines: lines).repeated(count.maximum)
        guard byte < 0x80, count.minimum > 0 else {
            found.endRun()
            found.extent = found.extent + extent
            return
        }
        if found.run.isEmpty { found.beforeRun = found.extent }
        found.run.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        found.extent = found.extent + extent
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
        case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "A"), UInt8(ascii: "z"), UInt8(ascii: "Z"), UInt8(ascii: "K"), UInt8(ascii: "G"): return
        case UInt8(ascii: "d"), UInt8(ascii: "w"), UInt8(ascii: "S"), UInt8(ascii: "V"), UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "f"), UInt8(ascii: "e"), UInt8(ascii: "a"):
            taken(lines: 0, &found)
        // A blank of any kind: the text is searched with all of them alike.
        case UInt8(ascii: "s"): literal(0x20, lines: 1, &found)
        case UInt8(ascii: "h"): literal(0x20, &found)
        case UInt8(ascii: "D"), UInt8(ascii: "W"), UInt8(ascii: "n"), UInt8(ascii: "v"), UInt8(ascii: "H"): taken(lines: 1, &found)
        case UInt8(ascii: "N") where peek() != UInt8(ascii: "{"): taken(lines: 0, &found)
        case UInt8(ascii: "R"): taken(lines: 1, characters: 2, &found)
        case UInt8(ascii: "x") where peek() == UInt8(ascii: "{"):
            skip(to: UInt8(ascii: "}"))
            taken(lines: 1, &found)
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            if peek() == UInt8(ascii: "{") { skip(to: UInt8(ascii: "}")) } else { at += 1 }
            taken(lines: 1, &found)
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
            found.endRun()
            // A reference or a code: what it matches is not read, nor a quotation's end.
            switch next {
            case 0x30...0x39: while let byte = peek(), (0x30...0x39).contains(byte) { _ = byte; at += 1 }
            case UInt8(ascii: "x"):
                for _ in 0..<2 { if let byte = peek(), (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20) { _ = byte; at += 1 } }
            case UInt8(ascii: "c"): at += 1
            case UInt8(ascii: "g"): while let byte = peek(), (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { _ = byte; at += 1 }
            case UInt8(ascii: "Q"): _ = unknown()
            default: break
            }
            // \x{…}, \g{…}, \k<…>: what stands in brackets belongs to it.
            if peek() == UInt8(ascii: "{"), "gkouN".utf8.contains(next) { skip(to: UInt8(ascii: "}")) }
            if peek() == UInt8(ascii: "<"), next == UInt8(ascii: "k") { skip(to: UInt8(ascii: ">")) }
            _ = quantifier()
            found.extent = .unbounded
        default: literal(next, &found)
        }
    }

    /// Passes over everything up to the byte, and it.
    private mutating func skip(to end: UInt8) {
        while let byte = peek(), byte != end { _ = byte; at += 1 }
        at += 1
    }

    /// At `(`: reads the group and what it requires.
    private mutating func group() -> PatternNeeds {
        at += 1
        /// A look ahead or behind takes no text.
        var isLook = false
        /// What it requires stands behind this place; what another look requires stands before it, or must not stand there.
        var isLookAhead = false
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
                return definitions[name] ?? .unknown
            case (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: "!")):
                at += 2
                isLook = true
            case (UInt8(ascii: "="), _), (UInt8(ascii: "!"), _):
                isLookAhead = peek() == UInt8(ascii: "=")
                at += 1
                isLook = true
            case (UInt8(ascii: "<"), _), (UInt8(ascii: "P"), UInt8(ascii: "<")):
                while let byte = peek(), byte != UInt8(ascii: ">") { _ = byte; at += 1 }
                at += 1
            case (UInt8(ascii: ":"), _), (UInt8(ascii: ">"), _), (UInt8(ascii: "|"), _): at += 1
            default:
                // (?i) or (?-i:…): options up to the colon or the end of the group. Those that give blanks or a dot another meaning are not read.
                let start = at
                while let byte = peek(), byte != UInt8(ascii: ":"), byte != UInt8(ascii: ")") { _ = byte; at += 1 }
                let options = bytes[start..<min(at, bytes.count)]
                if options.contains(where: { !"imxUJ-".utf8.contains($0) }) || options.contains(UInt8(ascii: "-")) && options.contains(UInt8(ascii: "x")) { return unknown() }
                at += 1
                if at <= bytes.count, bytes[at - 1] == UInt8(ascii: ")") { return PatternNeeds(literals: .nothing, extent: .none) }
            }
        }
        let inside = alternatives()
        guard peek() == UInt8(ascii: ")") else {
            return unknown()
        }
        at += 1
        return isLook ? PatternNeeds(literals: isLookAhead ? inside.literals : .nothing, extent: .none) : inside
    }

    /// A construct that is not read: the whole pattern then requires nothing.
    private mutating func unknown() -> PatternNeeds {
        isLost = true
        at = bytes.count
        return .unknown
    }

    /// Reads a class; 1 where it may take a line feed, otherwise 0.
    private mutating func characterClass() -> Int {
        at += 1
        let isInverted = peek() == UInt8(ascii: "^")
        if isInverted { at += 1 }
        /// Named in the class, for certain; perhaps.
        var namesLine = false
        var mayTakeLine = false
        var isFirst = true
        /// A range that begins so low may pass the line feed.
        var beginsLow = false
        while let byte = peek(), isFirst || byte != UInt8(ascii: "]") {
            isFirst = false
            at += 1
            if byte == UInt8(ascii: "-"), beginsLow { mayTakeLine = true }
            beginsLow = byte < 0x20 || byte == UInt8(ascii: "\\")
            if byte == UInt8(ascii: "["), peek() == UInt8(ascii: ":") {
                // [:space:] and the like hold a bracket of their own.
                mayTakeLine = true
                skip(to: UInt8(ascii: "]"))
            } else if byte == UInt8(ascii: "\\"), let letter = peek() {
                at += 1
                if "nsv".utf8.contains(letter) { namesLine = true } else if "DWHPpxocQE0123456789".utf8.contains(letter) { mayTakeLine = true }
            } else if byte == 0x0A {
                namesLine = true
            }
        }
        at += 1
        return isInverted ? (namesLine ? 0 : 1) : (namesLine || mayTakeLine ? 1 : 0)
    }

    /// Reads a quantifier, with the blanks that extended mode allows before it: how often what stands before it comes; no maximum: without bound.
    private mutating func quantifier() -> (minimum: Int, maximum: Int?) {
        let start = at
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == UInt8(ascii: "#") {
            at += 1
            if byte == UInt8(ascii: "#") { skip(to: 0x0A) }
        }
        var count: (minimum: Int, maximum: Int?) = (1, nil)
        switch peek() {
        case UInt8(ascii: "?"): count = (0, 1)
        case UInt8(ascii: "*"): count = (0, nil)
        case UInt8(ascii: "+"): break
        case UInt8(ascii: "{"):
            // PCRE2 takes no number beyond 65,535, and here a brace without numbers for itself.
            guard let end = bytes[at...].firstIndex(of: UInt8(ascii: "}")) else { at = start; return (1, 1) }
            let parts = bytes[(at + 1)..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Int(String(decoding: $0, as: UTF8.self)) }
            guard let minimum = parts.first ?? nil, parts.count <= 2, parts.count == 1 || parts[1] != nil || bytes[end - 1] == UInt8(ascii: ",") else {
                at = start
                return (1, 1)
            }
            count = (minimum, parts.count == 1 ? minimum : parts[1])
            at = end
        default:
            at = start
            return (1, 1)
        }
        at += 1
        if let suffix = peek(), suffix == UInt8(ascii: "?") || suffix == UInt8(ascii: "+") { at += 1 }
        return count
    }
}
