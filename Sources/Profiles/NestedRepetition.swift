import PCRE2

extension PatternNode {
    /// A repetition of something that may itself be no more than a repetition, as in `(\d+,?)*`: the same text can be split among the two
    /// in more ways than can be tried. Seen from the structure alone, in some microseconds; that it stalls is for an attack to prove.
    var hasNestedRepetition: Bool {
        switch self {
        case .repeated(let inside, let quantifier): (quantifier.isMany && inside.maySplit) || inside.hasNestedRepetition
        case .sequence(let items), .alternatives(let items): items.contains(where: \.hasNestedRepetition)
        case .group(_, _, let inside), .look(_, _, let inside): inside.hasNestedRepetition
        default: false
        }
    }

    /// Can be one long repetition and nothing else.
    private var maySplit: Bool {
        switch self {
        case .repeated(_, let quantifier): quantifier.isMany
        case .group(_, let atomic, let inside): !atomic && inside.maySplit
        case .alternatives(let branches): branches.contains(where: \.maySplit)
        case .sequence(let items): items.indices.contains { index in items[index].maySplit && items.indices.allSatisfy { $0 == index || items[$0].mayBeEmpty } }
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
        case .look, .end, .nothing, .unknown: true
        }
    }
}

extension PatternNode.Quantifier {
    /// Often enough for a text to be split in very many ways; what gives nothing back splits nothing.
    fileprivate var isMany: Bool { mode != .possessive && maximum.map { $0 >= 16 } ?? true }
}

extension Backtracking {
    /// The part of the check that is made whenever profiles are loaded: only patterns that repeat a repetition are attacked.
    ///
    /// - Parameter text: the pattern without the common pieces, which all patterns share.
    static func quickFault(of pattern: Pattern, text: String) -> Fault? {
        // Without two repetitions there is nothing to nest.
        guard text.utf8.lazy.filter({ $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "{") }).prefix(2).count == 2 else { return nil }
        let syntax = PatternSyntax(text)
        guard syntax.root.hasNestedRepetition else { return nil }
        return Backtracking()?.exponentialFault(of: pattern)
    }
}
