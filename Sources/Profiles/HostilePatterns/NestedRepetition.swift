import PCRE2

extension PatternNode {
    /// A repetition of something that may itself be no more than a repetition, as in `(\d+,?)*`: the same text can be
    /// split among the two in more ways than can be tried. Seen from the structure alone, in some microseconds; that it
    /// stalls is for an attack to prove.
    var hasNestedRepetition: Bool {
        switch self {
        case .repeated(let inside, let quantifier): (quantifier.isMany && inside.maySplit) || inside.hasNestedRepetition
        case .sequence(let items), .alternatives(let items): items.contains(where: \.hasNestedRepetition)
        case .group(_, _, let inside), .look(_, _, let inside): inside.hasNestedRepetition
        default: false
        }
    }

    /// A repetition, without a bound or with a large one, of more than single characters that gives back what it took:
    /// each round stands on those before it.
    var hasDeepRepetition: Bool {
        switch self {
        case .repeated(let inside, let quantifier):
            (quantifier.mode != .possessive && quantifier.maximum.map { $0 >= 1000 } ?? true && !inside.isSingle)
                || inside.hasDeepRepetition
        case .sequence(let items), .alternatives(let items): items.contains(where: \.hasDeepRepetition)
        case .group(_, _, let inside), .look(_, _, let inside): inside.hasDeepRepetition
        default: false
        }
    }

    private var isSingle: Bool {
        switch self {
        case .literal, .set: true
        default: false
        }
    }

    /// Can be one long repetition and nothing else.
    private var maySplit: Bool {
        switch self {
        case .repeated(_, let quantifier): quantifier.isMany
        case .group(_, let atomic, let inside): !atomic && inside.maySplit
        case .alternatives(let branches): branches.contains(where: \.maySplit)
        case .sequence(let items):
            items.indices.contains { index in
                items[index].maySplit && items.indices.allSatisfy { $0 == index || items[$0].mayBeEmpty }
            }
        default: false
        }
    }

    private var mayBeEmpty: Bool {
        switch self {
        case .literal, .set, .call: false
        case .sequence(let items): items.allSatisfy(\.mayBeEmpty)
        case .alternatives(let branches): branches.contains(where: \.mayBeEmpty)
        case .group(_, _, let inside): inside.mayBeEmpty
        case .repeated(let inside, let quantifier): quantifier.minimum == 0 || inside.mayBeEmpty
        case .look, .end, .boundary, .nothing, .unknown: true
        }
    }
}

extension PatternSyntax {
    var hasDeepRepetition: Bool { root.hasDeepRepetition || definitions.values.contains(where: \.hasDeepRepetition) }
}

extension PatternNode.Quantifier {
    /// Often enough for a text to be split in very many ways; what gives nothing back splits nothing.
    fileprivate var isMany: Bool { mode != .possessive && maximum.map { $0 >= 16 } ?? true }
}

extension Backtracking {
    /// The part of the check that is made whenever profiles are loaded: only patterns that repeat a repetition are
    /// attacked. A hundredth of the time that loading the shipped profiles takes.
    ///
    /// - Parameter text: the pattern without the common pieces, which all patterns share.
    static func quickFault(of pattern: @autoclosure () -> Pattern?, text: String) -> Fault? {
        var text = text
        guard text.withUTF8({ RepetitionScan(bytes: $0).findsNesting() }) else { return nil }
        let syntax = PatternSyntax(text)
        guard syntax.root.hasNestedRepetition, let pattern = pattern() else { return nil }
        return Backtracking()?.exponentialFault(of: pattern)
    }
}

/// One look over a pattern's bytes, before its tree is made: a group that holds a repetition and is repeated itself.
/// Most patterns have none.
fileprivate struct RepetitionScan {
    let bytes: UnsafeBufferPointer<UInt8>

    func findsNesting() -> Bool {
        /// For each open group, whether it holds a repetition.
        var open: [Bool] = [false]
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\\"): at += 1
            case UInt8(ascii: "#"): while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            case UInt8(ascii: "["):
                at += 1
                if at < bytes.count, bytes[at] == UInt8(ascii: "^") { at += 1 }
                if at < bytes.count, bytes[at] == UInt8(ascii: "]") { at += 1 }
                while at < bytes.count, bytes[at] != UInt8(ascii: "]") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            case UInt8(ascii: "("):
                open.append(false)
                // The quantifier's own sign, as in (?: and (*.
                at += 1
            case UInt8(ascii: ")"):
                let holds = open.count > 1 ? open.removeLast() : open[0]
                if holds, isRepeated(behind: at) { return true }
                if holds { open[open.count - 1] = true }
            case UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "{"): if isMany(at) { open[open.count - 1] = true }
            default: break
            }
            at += 1
        }
        return false
    }

    private func isRepeated(behind close: Int) -> Bool {
        var at = close + 1
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x09 || bytes[at] == 0x0D {
            at += 1
        }
        return at < bytes.count && "+*{".utf8.contains(bytes[at]) && isMany(at)
    }

    /// Whether the quantifier at an offset allows many repetitions: `+`, `*`, `{3,}`, `{1,60}`. A brace that is none
    /// counts too; the tree decides.
    private func isMany(_ start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "{") else { return true }
        var (at, last) = (start + 1, 0)
        while at < bytes.count, bytes[at] != UInt8(ascii: "}") {
            if bytes[at] == UInt8(ascii: ",") { last = 0 } else { last = min(last * 10 + Int(bytes[at] & 0x0F), 1000) }
            at += 1
        }
        return last >= 16 || at > start && bytes[min(at, bytes.count) - 1] == UInt8(ascii: ",")
    }
}
