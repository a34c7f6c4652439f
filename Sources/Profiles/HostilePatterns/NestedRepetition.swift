import PCRE2

extension PatternNode {
    /// True for a repetition of a part that may itself be just a repetition, as in `(\d+,?)*`: the same text can be
    /// split between the two in exponentially many ways. Found from the structure alone, in microseconds; an attack
    /// proves that it stalls.
    var hasNestedRepetition: Bool {
        switch self {
        case .repeated(let inside, let quantifier): (quantifier.isMany && inside.maySplit) || inside.hasNestedRepetition
        case .sequence(let items), .alternatives(let items): items.contains(where: \.hasNestedRepetition)
        case .group(_, _, let inside), .lookaround(_, _, let inside): inside.hasNestedRepetition
        default: false
        }
    }

    /// True for an unlimited or large repetition of more than single characters that can backtrack: each round adds a
    /// level of depth.
    var hasDeepRepetition: Bool {
        switch self {
        case .repeated(let inside, let quantifier):
            (quantifier.mode != .possessive && quantifier.maximum.map { $0 >= 1000 } ?? true && !inside.isSingle)
                || inside.hasDeepRepetition
        case .sequence(let items), .alternatives(let items): items.contains(where: \.hasDeepRepetition)
        case .group(_, _, let inside), .lookaround(_, _, let inside): inside.hasDeepRepetition
        default: false
        }
    }

    private var isSingle: Bool {
        switch self {
        case .literal, .set: true
        default: false
        }
    }

    /// True if the part can be one long repetition and nothing else.
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
        case .lookaround, .end, .boundary, .nothing, .unknown: true
        }
    }
}

extension PatternSyntax {
    var hasDeepRepetition: Bool { root.hasDeepRepetition || definitions.values.contains(where: \.hasDeepRepetition) }
}

extension PatternNode.Quantifier {
    /// True if the repetition allows very many splits; a possessive one allows none.
    fileprivate var isMany: Bool { mode != .possessive && maximum.map { $0 >= 16 } ?? true }
}

extension Backtracking {
    /// Check at every load of profiles: attacks only patterns with a repeated repetition. Takes a hundredth of the load
    /// time of the shipped profiles.
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

/// Byte scan of a pattern before its tree is built: finds a repeated group that contains a repetition. Most patterns
/// have none.
fileprivate struct RepetitionScan {
    let bytes: UnsafeBufferPointer<UInt8>

    func findsNesting() -> Bool {
        /// For each open group, true if it contains a repetition.
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
                // The sign of a group's type, as in (?: and (*.
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

    /// True if the quantifier at an offset allows many repetitions: `+`, `*`, `{3,}`, `{1,60}`. A literal brace counts,
    /// too; the tree decides.
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
