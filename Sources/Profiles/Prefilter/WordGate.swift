/// The condition that a text contains, at any position, the words that a pattern or template requires: the first and
/// cheapest check of the prefilter, made for dozens of templates for every mail.
///
/// A tree in one array, as ``RequirementCode``, but without distances. The leaf `anyWord` holds if the text contains
/// one of several words. It stores them as pairs of a block number and a mask of 32 bits: bit `b` of block `n` is the
/// word `32 * n + b`. The words of one pattern mostly have consecutive numbers, so thirty of them need one or two
/// pairs. The words found in the text are stored in the same blocks, so one AND checks a pair.
struct WordGate: Sendable {
    private enum Kind { static let open: Int32 = 0, anyWord: Int32 = 1, all: Int32 = 2, any: Int32 = 3 }
    private typealias Pair = (block: Int32, bits: Int32)

    private let code: [Int32]

    /// True if every text passes.
    var isOpen: Bool { code[0] == Kind.open }
    /// Words of which one must occur; `nil` for any other tree.
    private var words: [Pair]? {
        code[0] == Kind.anyWord ? stride(from: 2, to: code.count, by: 2).map { (code[$0], code[$0 + 1]) } : nil
    }

    private init(_ kind: Int32, _ elements: [Int32] = []) {
        code = [kind, Int32(truncatingIfNeeded: elements.count + 2)] + elements
    }

    private init(anyOf words: [Pair]) {
        var elements: [Int32] = []
        for (block, bits) in words.sorted(by: { $0.block < $1.block }) {
            if elements.isEmpty || elements[elements.count - 2] != block {
                elements += [block, bits]
            } else {
                elements[elements.count - 1] |= bits
            }
        }
        self.init(Kind.anyWord, elements)
    }

    /// The words of a requirement, without their distances.
    init(_ requirement: RequirementCode) { self = requirement.code.withUnsafeBufferPointer { Self.gate($0, 0) } }

    /// The gate of the node at an index.
    private static func gate(_ code: UnsafeBufferPointer<Int32>, _ node: Int) -> WordGate {
        switch code[node] {
        case RequirementCode.Kind.word: return WordGate(anyOf: [pair(code[node + 2])])
        case RequirementCode.Kind.all: return .all(parts(code, node).map { gate(code, $0) })
        case RequirementCode.Kind.any:
            var (words, others): ([Pair], [WordGate]) = ([], [])
            for part in parts(code, node) {
                if code[part] == RequirementCode.Kind.word {
                    words.append(pair(code[part + 2]))
                } else {
                    others.append(gate(code, part))
                }
            }
            return .any(words, others)
        case RequirementCode.Kind.behind: return gate(code, node + 4)
        default: return WordGate(Kind.open)
        }
    }

    private static func pair(_ word: Int32) -> Pair { (word >> 5, 1 << (word & 31)) }

    /// The indices of the parts of a node.
    private static func parts(_ code: UnsafeBufferPointer<Int32>, _ node: Int) -> [Int] {
        var (parts, at): ([Int], Int) = ([], node + 2)
        while at < node + Int(code[node + 1]) {
            parts.append(at)
            at += Int(code[at + 1])
        }
        return parts
    }

    /// Conjunction, the shortest part first, because it fails soonest.
    static func all(_ parts: [WordGate]) -> Self {
        let parts = parts.filter { !$0.isOpen }.sorted { $0.code.count < $1.code.count }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? Self(Kind.open) : Self(Kind.all, parts.flatMap(\.code))
    }

    static func any(_ parts: [WordGate]) -> Self { any([], parts) }

    /// Disjunction of words and gates.
    private static func any(_ words: [Pair], _ parts: [WordGate]) -> Self {
        if parts.contains(where: \.isOpen) { return Self(Kind.open) }
        let words = words + parts.compactMap(\.words).flatMap(\.self)
        let others = parts.filter { $0.code[0] != Kind.anyWord }
        if others.isEmpty { return Self(anyOf: words) }
        return Self(
            Kind.any,
            (words.isEmpty ? [] : Self(anyOf: words).code)
                + others.sorted { $0.code.count < $1.code.count }.flatMap(\.code))
    }

    func isMet(by found: borrowing WordPlaces) -> Bool {
        found.withBits { bits in code.withUnsafeBufferPointer { Self.isMet($0, 0, bits) } }
    }

    /// Consecutive gates.
    struct Row: Sendable {
        private let code: [Int32]

        init(_ gates: [WordGate]) { code = gates.flatMap(\.code) }

        /// Indices of the gates that the text passes.
        func met(by found: borrowing WordPlaces) -> [Int] {
            found.withBits { bits in
                code.withUnsafeBufferPointer { code in
                    var met: [Int] = []
                    var (index, at) = (0, 0)
                    while at < code.count {
                        if WordGate.isMet(code, at, bits) { met.append(index) }
                        at += Int(code[at + 1])
                        index += 1
                    }
                    return met
                }
            }
        }

        /// How near the text comes to passing each gate: the required words that occur, less those that lack; of
        /// alternatives the best.
        func likenesses(to found: borrowing WordPlaces) -> [Int] {
            found.withBits { bits in
                code.withUnsafeBufferPointer { code in
                    var (likenesses, at): ([Int], Int) = ([], 0)
                    while at < code.count {
                        likenesses.append(WordGate.likeness(code, at, bits))
                        at += Int(code[at + 1])
                    }
                    return likenesses
                }
            }
        }
    }

    private static func likeness(
        _ code: UnsafeBufferPointer<Int32>, _ node: Int, _ bits: UnsafeBufferPointer<UInt32>
    ) -> Int {
        switch code[node] {
        case Kind.anyWord: return isMet(code, node, bits) ? 1 : -1
        case Kind.all: return parts(code, node).map { likeness(code, $0, bits) }.reduce(0, +)
        case Kind.any: return parts(code, node).map { likeness(code, $0, bits) }.max() ?? 0
        default: return 0
        }
    }

    private static func isMet(
        _ code: UnsafeBufferPointer<Int32>, _ node: Int, _ bits: UnsafeBufferPointer<UInt32>
    ) -> Bool {
        let end = node + Int(code[node + 1])
        var at = node + 2
        switch code[node] {
        case Kind.anyWord:
            while at < end {
                let block = Int(code[at])
                if block < bits.count, bits[block] & UInt32(bitPattern: code[at + 1]) != 0 { return true }
                at += 2
            }
            return false
        case Kind.all:
            while at < end {
                if !isMet(code, at, bits) { return false }
                at += Int(code[at + 1])
            }
            return true
        case Kind.any:
            while at < end {
                if isMet(code, at, bits) { return true }
                at += Int(code[at + 1])
            }
            return false
        default: return true
        }
    }
}
