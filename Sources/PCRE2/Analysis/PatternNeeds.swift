/// The texts that a pattern requires, derived without running it.
///
/// A conservative reading of the syntax of pcre2pattern(3): an unknown construct requires nothing and has unlimited
/// extent, so a filter never removes a pattern that would match. Assumes `(?ix)`: caseless, blanks and comments
/// ignored.
public struct PatternNeeds: Sendable, Equatable {
    /// Maximum length of a match.
    public let extent: Extent
    /// All texts that the pattern can match, if they are known and few: lower-case ASCII, with one blank for each blank
    /// that `\s` matches.
    let texts: Texts?
    /// What a match requires besides being one of `texts`.
    let others: RequiredLiterals

    static let unknown = PatternNeeds(texts: nil, others: .nothing, extent: .unbounded)
    /// Requirements of an empty match.
    static let nothing = PatternNeeds(texts: .empty, others: .nothing, extent: .none)

    init(texts: Texts?, others: RequiredLiterals, extent: Extent) {
        self.texts = texts
        self.others = others
        self.extent = extent
    }

    /// - Parameter definitions: requirements of the groups that `(?&name)` may call; other groups are unknown.
    public init(of source: String, definitions: [String: PatternNeeds] = [:]) {
        let syntax = PatternSyntax(source)
        self = syntax.isUnderstood ? Self(of: syntax.root, definitions) : .unknown
    }

    /// All that a match requires.
    public var literals: RequiredLiterals {
        .all(of: [others, texts.map { Self.words($0, behind: .none) } ?? .nothing])
    }

    /// The requirement that one of the texts occurs; nothing if one of them is too short to be selective.
    ///
    /// - Parameter extent: the maximum length of what precedes the text in a match.
    static func words(_ texts: Texts, behind extent: Extent) -> RequiredLiterals {
        guard
            (0..<texts.count).allSatisfy({
                texts[$0].lazy.filter { $0 != 0x20 }.count >= RequiredLiterals.minimumLength
            })
        else { return .nothing }
        // A text that contains another need not be searched itself: of "debited" and "is debited", the first is enough,
        // and lies up to three characters further behind the start of a match.
        var fewest: [(index: Int, letters: UInt64, reach: Extent)] = []
        for index in (0..<texts.count).sorted(by: { texts.length($0) < texts.length($1) }) {
            let text = texts[index]
            // The letters as bits exclude most pairs: a text that lacks a letter of the other does not contain it.
            let letters = text.reduce(0) { $0 | 1 << UInt64($1 & 63) } as UInt64
            var containsOther = false
            for known in fewest.indices where !containsOther && fewest[known].letters & ~letters == 0 {
                guard let at = texts.offset(of: fewest[known].index, in: index) else { continue }
                containsOther = true
                fewest[known].reach = fewest[known].reach.union(
                    Extent(characters: at, lines: text.prefix(at).count(where: { $0 == 0x20 })))
            }
            if !containsOther { fewest.append((index, letters, .none)) }
        }
        let words = fewest.map {
            RequiredLiterals.word(String(decoding: texts[$0.index], as: UTF8.self), extent + $0.reach)
        }
        return words.count == 1 ? words[0] : .any(words)
    }

    private init(of node: PatternNode, _ definitions: [String: PatternNeeds]) {
        func needs(_ node: PatternNode) -> PatternNeeds { PatternNeeds(of: node, definitions) }
        switch node {
        case .literal:
            self =
                Self.letter(node).map { .letters([$0]) }
                ?? PatternNeeds(texts: nil, others: .nothing, extent: Extent(characters: 1, lines: 0))
        case .set(let set):
            let texts = set.few.flatMap {
                $0.allSatisfy(Self.isPlain) ? Texts(Set($0.map(Self.folded)).sorted().map { [$0] }) : nil
            }
            self.init(texts: texts, others: .nothing, extent: Extent(characters: 1, lines: set.contains(0x0A) ? 1 : 0))
        case .sequence(let items): self = Self.needs(ofSequence: items, definitions)
        case .alternatives(let branches): self = Self.needs(ofAlternatives: branches.map(needs))
        case .group(_, _, let inside): self = needs(inside)
        case .lookaround(let isAhead, let isNegative, let inside):
            // A lookbehind requires text before this place; a negative one excludes text there.
            self.init(texts: .empty, others: isAhead && !isNegative ? needs(inside).literals : .nothing, extent: .none)
        case .repeated(let inside, let quantifier): self = needs(inside).repeated(quantifier)
        case .call(let name): self = definitions[name] ?? .unknown
        case .end, .boundary, .nothing: self = .nothing
        case .unknown: self = .unknown
        }
    }

    private static func needs(
        ofSequence items: [PatternNode], _ definitions: [String: PatternNeeds]
    ) -> PatternNeeds {
        var run = TextRun()
        var rest = items[...]
        while let item = rest.first {
            // Adjacent letters form one text.
            var letters: [UInt8] = []
            while let letter = rest.first.flatMap(Self.letter) {
                letters.append(letter)
                rest.removeFirst()
            }
            if !letters.isEmpty {
                run.append(.letters(letters))
                continue
            }
            rest.removeFirst()
            if case .repeated(let inside, let quantifier) = item, quantifier.minimum > 0, quantifier.maximum != 1 {
                run.append(PatternNeeds(of: inside, definitions), repeated: quantifier)
            } else {
                run.append(PatternNeeds(of: item, definitions))
            }
        }
        return run.needs()
    }

    private static func needs(ofAlternatives all: [PatternNeeds]) -> PatternNeeds {
        var texts: Texts? = Texts()
        for branch in all where texts != nil {
            if branch.others == .nothing, let more = branch.texts {
                texts?.append(contentsOf: more)
            } else {
                texts = nil
            }
        }
        texts = texts?.unique()
        return PatternNeeds(
            texts: texts, others: texts == nil ? .any(of: all.map(\.literals)) : .nothing,
            extent: all.reduce(.none) { $0.union($1.extent) })
    }

    private func repeated(_ quantifier: PatternNode.Quantifier) -> PatternNeeds {
        if quantifier.minimum == 0 {
            var texts = quantifier.maximum == 1 ? self.texts : nil
            texts?.append([])
            texts = texts?.unique()
            return PatternNeeds(texts: texts, others: .nothing, extent: extent.repeated(quantifier.maximum))
        }
        if quantifier.maximum == 1 { return self }
        var run = TextRun()
        run.append(self, repeated: quantifier)
        return run.needs()
    }

    /// The character of a literal, if it is plain.
    private static func letter(_ node: PatternNode) -> UInt8? {
        guard case .literal(let bytes) = node, bytes.count == 1, isPlain(bytes[0]) else { return nil }
        return bytes[0]
    }

    private static func letters(_ bytes: [UInt8]) -> PatternNeeds {
        PatternNeeds(
            texts: Texts([bytes.map(folded)]), others: .nothing,
            extent: Extent(characters: bytes.count, lines: bytes.count(where: { $0 == 0x0A })))
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) || (0x09...0x0D).contains(byte) }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte < 0x20 ? 0x20 : (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
