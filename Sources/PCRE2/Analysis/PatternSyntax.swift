/// A pattern as a tree, as far as its checks need it: what may follow what, what may repeat (pcre2pattern(3)).
package indirect enum PatternNode: Sendable {
    /// One character that stands for itself, in UTF-8.
    case literal([UInt8])
    /// One character out of several.
    case set(ByteSet)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// Named, numbered or plain; `atomic` gives nothing back.
    case group(name: String?, atomic: Bool, PatternNode)
    /// A look ahead or behind, which takes no text.
    case look(ahead: Bool, negative: Bool, PatternNode)
    case repeated(PatternNode, Quantifier)
    /// `(?&name)`.
    case call(String)
    /// `$` and its like: an end of the line or of the text.
    case end
    /// `\b`.
    case boundary
    /// Takes no text and says little: `^`, an option.
    case nothing
    /// A construct that is not read.
    case unknown

    package struct Quantifier: Sendable {
        package enum Mode: Sendable { case greedy, lazy, possessive }
        package var minimum: Int
        /// `nil`: without bound.
        package var maximum: Int?
        package var mode: Mode
    }
}

/// The ASCII characters of a class; every other character is of one sort.
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

    /// Its members, unless they are many or not ASCII.
    var few: [UInt8]? {
        let count = low.nonzeroBitCount + high.nonzeroBitCount
        return hasOthers || count == 0 || count > 10 ? nil : (0..<128).filter(contains)
    }

    /// Takes letters, digits and most signs: what a name may be made of, and what may follow one.
    package var isFreeText: Bool {
        let signs = Array(#".,&/'-*:;#@()"#.utf8)
        return contains(UInt8(ascii: "a")) && contains(UInt8(ascii: "5"))
            && signs.lazy.filter(contains).count > signs.count / 2
    }
}

/// A pattern's tree and the groups that it may call.
package struct PatternSyntax: Sendable {
    package let root: PatternNode
    /// Every named group, those inside `(?(DEFINE)…)` among them.
    package let definitions: [String: PatternNode]
    /// Nothing was met that gives what stands elsewhere another meaning than the tree says. What is merely not read is
    /// `.unknown` in the tree.
    let isUnderstood: Bool

    /// - Parameter source: a pattern in extended mode (`(?x)`). The tree of one that does not compile means nothing.
    package init(_ source: String) {
        var reader = PatternReader(bytes: Array(source.utf8))
        root = reader.alternatives()
        definitions = reader.definitions
        // Groups that do not close, or too many that do.
        isUnderstood = reader.at == reader.bytes.count && !reader.isLost
    }
}
