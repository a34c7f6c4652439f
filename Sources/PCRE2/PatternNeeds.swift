import Glibc

/// What is known of a pattern without running it.
///
/// A conservative reading of the syntax of pcre2pattern(3): what it does not understand requires nothing and is without bound, so that
/// nothing that would match is ever filtered out. Assumes `(?ix)`: caseless, blanks and comments ignored.
public struct PatternNeeds: Sendable, Equatable {
    /// The length of a match.
    public let extent: Extent
    /// All that a match can be, where that is known and little: lower-case ASCII, one blank for any that `\s` takes.
    let texts: [[UInt8]]?
    /// Required besides `texts`.
    let others: RequiredLiterals

    static let unknown = PatternNeeds(texts: nil, others: .nothing, extent: .unbounded)
    /// Takes no text.
    static let nothing = PatternNeeds(texts: [[]], others: .nothing, extent: .none)

    init(texts: [[UInt8]]?, others: RequiredLiterals, extent: Extent) {
        self.texts = texts
        self.others = others
        self.extent = extent
    }

    /// - Parameter definitions: what is known of the groups that `(?&name)` may call; nothing is known of any other.
    public init(of source: String, definitions: [String: PatternNeeds] = [:]) {
        let syntax = PatternSyntax(source)
        self = syntax.isUnderstood ? Self(of: syntax.root, definitions) : .unknown
    }

    public var literals: RequiredLiterals { .all(of: [others, texts.map { Self.words($0, behind: .none) } ?? .nothing]) }

    /// One of the texts, if all of them are long enough to tell something.
    static func words(_ texts: [[UInt8]], behind extent: Extent) -> RequiredLiterals {
        guard texts.allSatisfy({ $0.lazy.filter { $0 != 0x20 }.count >= RequiredLiterals.minimumLength }) else { return .nothing }
        // Where one stands in another, the other need not be looked for.
        var fewest: [(text: [UInt8], reach: Extent)] = []
        for text in texts.sorted(by: { $0.count < $1.count }) {
            var isSaid = false
            for index in fewest.indices where !isSaid {
                guard let at = offset(of: fewest[index].text, in: text) else { continue }
                isSaid = true
                fewest[index].reach = fewest[index].reach.union(Extent(characters: at, lines: text[..<at].count(where: { $0 == 0x20 })))
            }
            if !isSaid { fewest.append((text, .none)) }
        }
        return .any(of: fewest.map { .word(String(decoding: $0.text, as: UTF8.self), extent + $0.reach) })
    }

    private static func offset(of word: [UInt8], in text: [UInt8]) -> Int? {
        text.withUnsafeBytes { text in
            guard let start = text.baseAddress, word.count <= text.count else { return nil }
            var at = 0
            while at + word.count <= text.count {
                if memcmp(start + at, word, word.count) == 0 { return at }
                at += 1
            }
            return nil
        }
    }

    private init(of node: PatternNode, _ definitions: [String: PatternNeeds]) {
        func needs(_ node: PatternNode) -> PatternNeeds { PatternNeeds(of: node, definitions) }
        switch node {
        case .literal(let bytes): self = .character(bytes)
        case .set(let set):
            let texts: [[UInt8]]? = set.few.flatMap { $0.allSatisfy(Self.isPlain) ? Set($0.map(Self.folded)).sorted().map { [$0] } : nil }
            self.init(texts: texts, others: .nothing, extent: Extent(characters: 1, lines: set.contains(0x0A) ? 1 : 0))
        case .sequence(let items):
            var run = TextRun()
            for item in items {
                if case .repeated(let inside, let quantifier) = item, quantifier.minimum > 0, quantifier.maximum != 1 {
                    run.append(needs(inside), repeated: quantifier)
                } else {
                    run.append(needs(item))
                }
            }
            self = run.needs()
        case .alternatives(let branches):
            let all = branches.map(needs)
            var texts: [[UInt8]]? = []
            for branch in all where texts != nil { texts = branch.others == .nothing && branch.texts != nil ? TextRun.unique((texts ?? []) + (branch.texts ?? [])) : nil }
            self.init(texts: texts, others: texts == nil ? .any(of: all.map(\.literals)) : .nothing, extent: all.reduce(.none) { $0.union($1.extent) })
        case .group(_, _, let inside): self = needs(inside)
        case .look(let isAhead, let isNegative, let inside):
            // What a look behind requires stands before this place; what a negative one requires must not stand there.
            self.init(texts: [[]], others: isAhead && !isNegative ? needs(inside).literals : .nothing, extent: .none)
        case .repeated(let inside, let quantifier):
            let once = needs(inside)
            if quantifier.minimum == 0 {
                let texts = quantifier.maximum == 1 ? once.texts.flatMap { TextRun.unique($0 + [[]]) } : nil
                self.init(texts: texts, others: .nothing, extent: once.extent.repeated(quantifier.maximum))
            } else if quantifier.maximum == 1 {
                self = once
            } else {
                var run = TextRun()
                run.append(once, repeated: quantifier)
                self = run.needs()
            }
        case .call(let name): self = definitions[name] ?? .unknown
        case .end, .boundary, .nothing: self = .nothing
        case .unknown: self = .unknown
        }
    }

    private static func character(_ bytes: [UInt8]) -> PatternNeeds {
        let extent = Extent(characters: 1, lines: bytes == [0x0A] ? 1 : 0)
        guard bytes.count == 1, isPlain(bytes[0]) else { return PatternNeeds(texts: nil, others: .nothing, extent: extent) }
        return PatternNeeds(texts: [[folded(bytes[0])]], others: .nothing, extent: extent)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) || (0x09...0x0D).contains(byte) }

    private static func folded(_ byte: UInt8) -> UInt8 { byte < 0x20 ? 0x20 : (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
