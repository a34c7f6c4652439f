import PCRE2

/// Whether the words that a pattern or template requires stand in a text at all, wherever: asked of dozens of templates for every mail.
///
/// A tree in one array: a node is its kind, how many elements it takes, and its words or its parts. The numbers of words that were given one after
/// the other lie side by side, so words are pairs: 32 numbers, and a bit for each of them.
struct WordGate: Sendable {
    private enum Kind { static let open: Int32 = 0, anyWord: Int32 = 1, all: Int32 = 2, any: Int32 = 3 }

    let code: [Int32]

    /// Lets every text pass.
    var isOpen: Bool { code[0] == Kind.open }

    private init(_ kind: Int32, _ elements: [Int32] = []) { code = [kind, Int32(truncatingIfNeeded: elements.count + 2)] + elements }

    /// One of the words.
    private init(_ numbers: Set<Int>) {
        var blocks: [Int: UInt32] = [:]
        for number in numbers { blocks[number >> 5, default: 0] |= 1 << UInt32(number & 31) }
        self.init(Kind.anyWord, blocks.sorted { $0.key < $1.key }.flatMap { [Int32(truncatingIfNeeded: $0.key), Int32(bitPattern: $0.value)] })
    }

    /// The single word or the words of which one must be there; `nil` for any other tree.
    private var words: Set<Int>? {
        guard code[0] == Kind.anyWord else { return nil }
        var numbers: Set<Int> = []
        for at in stride(from: 2, to: code.count, by: 2) {
            for bit in 0..<32 where UInt32(bitPattern: code[at + 1]) & 1 << UInt32(bit) != 0 { numbers.insert(Int(code[at]) << 5 + bit) }
        }
        return numbers
    }

    init(_ literals: RequiredLiterals, words: Vocabulary) {
        switch literals {
        case .nothing: self.init(Kind.open)
        case .word(let word, _):
            if let number = words.number(word) { self.init([number]) } else { self.init(Kind.open) }
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
        let single = parts.compactMap(\.words).reduce(into: Set()) { $0.formUnion($1) }
        let others = parts.filter { $0.code[0] != Kind.anyWord }
        if others.isEmpty { return Self(single) }
        return Self(Kind.any, (single.isEmpty ? [] : Self(single).code) + others.sorted { $0.code.count < $1.code.count }.flatMap(\.code))
    }

    func isMet(by found: borrowing WordPlaces) -> Bool {
        found.withBits { bits in code.withUnsafeBufferPointer { Self.isMet($0, 0, bits) } }
    }

    /// Many gates one behind the other.
    struct Row: Sendable {
        private let code: [Int32]

        init(_ gates: [WordGate]) { code = gates.flatMap(\.code) }

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
