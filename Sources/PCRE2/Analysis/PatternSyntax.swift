/// Syntax tree of a pattern (pcre2pattern(3)), reduced to sequence and repetition.
package indirect enum PatternNode: Sendable {
    /// A literal character in UTF-8.
    case literal([UInt8])
    /// One character of a set.
    case set(ByteSet)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// A named, numbered or plain group; `atomic` prevents backtracking into it.
    case group(name: String?, atomic: Bool, PatternNode)
    /// A lookahead or lookbehind, which consumes no text.
    case lookaround(ahead: Bool, negative: Bool, PatternNode)
    case repeated(PatternNode, Quantifier)
    /// A call `(?&name)`.
    case call(String)
    /// `$` and similar: an end of the line or of the text.
    case end
    /// `\b`.
    case boundary
    /// An item without text that requires nothing: `^`, an option.
    case nothing
    /// An unsupported construct.
    case unknown

    package struct Quantifier: Sendable {
        package enum Mode: Sendable { case greedy, lazy, possessive }
        package var minimum: Int
        /// `nil` means unlimited.
        package var maximum: Int?
        package var mode: Mode
    }
}

/// ASCII characters of a class; all other characters are treated alike.
package struct ByteSet: Equatable, Sendable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    package var hasOthers = false

    package init() {}
    package init(_ bytes: some Sequence<UInt8>) { for byte in bytes { insert(byte) } }

    package mutating func insert(_ byte: UInt8) {
        if byte < 64 {
            low |= 1 << UInt64(byte)
        } else if byte < 128 {
            high |= 1 << UInt64(byte - 64)
        } else {
            hasOthers = true
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low & (1 << UInt64(byte)) != 0 : byte < 128 ? high & (1 << UInt64(byte - 64)) != 0 : hasOthers
    }

    package var inverted: ByteSet {
        var result = self
        result.low = ~low
        result.high = ~high
        result.hasOthers = !hasOthers
        return result
    }

    package mutating func formUnion(_ other: ByteSet) {
        low |= other.low
        high |= other.high
        hasOthers = hasOthers || other.hasOthers
    }

    package static let digits = ByteSet(0x30...0x39)
    package static let blanks = ByteSet([0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20])
    package static let word: ByteSet = {
        var set = ByteSet(Array(0x30...0x39) + Array(0x41...0x5A) + Array(0x61...0x7A) + [0x5F])
        set.hasOthers = true
        return set
    }()
    package static let dot = ByteSet([0x0A]).inverted
    package static let any = ByteSet().inverted

    /// Members, if they are few and ASCII.
    var few: [UInt8]? {
        let count = low.nonzeroBitCount + high.nonzeroBitCount
        return hasOthers || count == 0 || count > 10 ? nil : (0..<128).filter(contains)
    }

    /// True if the set contains letters, digits and most signs: characters of a name and of the text after it.
    package var isFreeText: Bool {
        let signs = Array(#".,&/'-*:;#@()"#.utf8)
        return contains(UInt8(ascii: "a")) && contains(UInt8(ascii: "5"))
            && signs.lazy.filter(contains).count > signs.count / 2
    }
}

/// Syntax tree of a pattern with its callable groups.
package struct PatternSyntax: Sendable {
    package let root: PatternNode
    /// Named groups, including those inside `(?(DEFINE)…)`.
    package let definitions: [String: PatternNode]
    /// True if no construct changes the meaning of other parts of the tree. A local unsupported construct is `.unknown`
    /// in the tree.
    let isUnderstood: Bool

    /// - Parameter source: a valid pattern in extended mode (`(?x)`).
    package init(_ source: String) {
        var reader = PatternReader(bytes: Array(source.utf8))
        root = reader.alternatives()
        definitions = reader.definitions
        // False for unbalanced parentheses.
        isUnderstood = reader.at == reader.bytes.count && !reader.isLost
    }
}
