import PCRE2

/// Whether the words that a pattern or template requires stand in a text at all, wherever: asked of dozens of templates for every mail.
///
/// A tree in one array: a node is its kind, how many elements it takes, and its words' numbers or its parts.
struct WordGate: Sendable {
    /// The words of `words` stand in pairs: 32 numbers, and a bit for each of them.
    private enum Kind { static let open: Int32 = 0, anyWord: Int32 = 1, all: Int32 = 2, any: Int32 = 3, words: Int32 = 4 }

    let code: [Int32]

    /// Lets every text pass.
    var isOpen: Bool { code[0] == Kind.open }
    /// The single word or the words of which one must be there; `nil` for any other tree.
    private var words: ArraySlice<Int32>? { code[0] == Kind.anyWord ? code[2...] : nil }

    private init(_ kind: Int32, _ elements: [Int32] = []) { code = [kind, Int32(truncatingIfNeeded: elements.count + 2)] + elements }

    init(_ literals: RequiredLiterals, words: Vocabulary) {
        switch literals {
        case .nothing: self.init(Kind.open)
        case .word(let word, _):
            if let number = words.number(word) { self.init(Kind.anyWord, [Int32(truncatingIfNeeded: number)]) } else { self.init(Kind.open) }
        case .all(let list): self = .all(list.map { WordGate($0, words: words) })
        case .any(let list): self = .any(list.map { WordGate($0, words: words) })
        case .behind(_, let inside): self.init(inside, words: words)
        }
    }

    /// The same tree with other numbers for its words; `nil` where it is none, or a word has no number.
    init?(code: [Int32], naming number: (Int32) -> Int32?) {
        var code = code
        guard code.withUnsafeMutableBufferPointer({ Self.rename($0, $0.indices, number) }) else { return nil }
        self.code = code
    }

    private static func rename(_ code: UnsafeMutableBufferPointer<Int32>, _ node: Range<Int>, depth: Int = 0, _ number: (Int32) -> Int32?) -> Bool {
        let inside = node.dropFirst(2)
        switch code[node.lowerBound] {
        case Kind.open: return inside.isEmpty
        case Kind.anyWord:
            return inside.allSatisfy { at in
                guard let number = number(code[at]) else { return false }
                code[at] = number
                return true
            }
        case Kind.all, Kind.any: return depth < CodeTree.maximumDepth && CodeTree.all(code, in: inside) { rename(code, $0, depth: depth + 1, number) }
        default: return false
        }
    }

    /// The shortest first: it is done with soonest.
    static func all(_ parts: [WordGate]) -> Self {
        let parts = parts.filter { !$0.isOpen }.sorted { $0.code.count < $1.code.count }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? Self(Kind.open) : Self(Kind.all, parts.flatMap(\.code))
    }

    static func any(_ parts: [WordGate]) -> Self {
        if parts.contains(where: \.isOpen) { return Self(Kind.open) }
        let single = Set(parts.compactMap(\.words).joined()).sorted()
        let others = parts.filter { $0.words == nil }
        if others.isEmpty { return Self(Kind.anyWord, single) }
        return Self(Kind.any, (single.isEmpty ? [] : Self(Kind.anyWord, single).code) + others.sorted { $0.code.count < $1.code.count }.flatMap(\.code))
    }

    func isMet(by found: borrowing WordPlaces) -> Bool {
        found.withBits { bits in code.withUnsafeBufferPointer { Self.isMet($0, 0, bits) } }
    }

    /// The same tree with its words in pairs. The numbers of words that were given one after the other lie side by side: of thirty words one pair
    /// or two are looked at.
    private static func packed(_ code: ArraySlice<Int32>) -> [Int32] {
        let inside = code.dropFirst(2)
        guard let kind = code.first else { return [] }
        var result: [Int32] = []
        switch kind {
        case Kind.anyWord:
            var blocks: [Int32: UInt32] = [:]
            for number in inside { blocks[number >> 5, default: 0] |= 1 << UInt32(number & 31) }
            for (block, bits) in blocks.sorted(by: { $0.key < $1.key }) { result += [block, Int32(bitPattern: bits)] }
        default:
            var at = inside.startIndex
            while at < inside.endIndex {
                let end = at + Int(code[at + 1])
                result += packed(code[at..<end])
                at = end
            }
        }
        return [kind == Kind.anyWord ? Kind.words : kind, Int32(truncatingIfNeeded: result.count + 2)] + result
    }

    /// Many gates one behind the other.
    struct Row: Sendable {
        private let code: [Int32]

        init(_ gates: [WordGate]) { code = gates.flatMap { WordGate.packed($0.code[...]) } }

        /// The indices of those that let the text pass.
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
    }

    private static func isMet(_ code: UnsafeBufferPointer<Int32>, _ node: Int, _ bits: UnsafeBufferPointer<UInt32>) -> Bool {
        let end = node + Int(code[node + 1])
        var at = node + 2
        switch code[node] {
        case Kind.anyWord:
            while at < end {
                let word = Int(code[at])
                if word >> 5 < bits.count, bits[word >> 5] & (1 &<< UInt32(word & 31)) != 0 { return true }
                at += 1
            }
            return false
        case Kind.words:
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
