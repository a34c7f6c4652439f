import PCRE2

/// Texts that a pattern, or a part of it, probably matches; the material of attacks.
///
/// Lookarounds are ignored, so a match is not guaranteed.
struct PatternWitness {
    let definitions: [String: PatternNode]
    /// Limit for the depth of group calls.
    static let maximumDepth = 6
    /// Limit for the number of repetitions that are tried.
    static let maximumPumps = 24

    /// A repeatable part of a text, with the text that leads to it.
    struct Pump: Hashable {
        var prefix: [UInt8]
        var unit: [UInt8]
    }

    init(_ syntax: PatternSyntax) { definitions = syntax.definitions }

    /// - Parameter branch: index of the alternative to use.
    func text(_ node: PatternNode, branch: Int = 0, depth: Int = 0) -> [UInt8] {
        guard depth < Self.maximumDepth * 4 else { return [] }
        switch node {
        case .literal(let bytes): return bytes
        case .set(let set): return Self.member(of: set)
        case .sequence(let items): return text(of: items, branch: branch, depth: depth + 1)
        case .alternatives(let branches):
            return branches.isEmpty ? [] : text(branches[branch % branches.count], branch: branch, depth: depth + 1)
        case .group(_, _, let inside): return text(inside, branch: branch, depth: depth + 1)
        case .call(let name): return definitions[name].map { text($0, branch: branch, depth: depth + 4) } ?? []
        case .repeated(let inside, let quantifier):
            // Includes optional parts, which lead to more of the pattern.
            let once = text(inside, branch: branch, depth: depth + 1)
            return Array(
                repeatElement(once, count: min(max(quantifier.minimum, quantifier.maximum == 0 ? 0 : 1), 16)).joined())
        case .lookaround, .end, .boundary, .nothing, .unknown: return []
        }
    }

    /// Concatenates the items, with a blank at a word boundary that would otherwise be missing.
    private func text(of items: some Sequence<PatternNode>, branch: Int = 0, depth: Int = 0) -> [UInt8] {
        var text: [UInt8] = []
        var isAtBoundary = false
        for item in items {
            if case .boundary = item {
                isAtBoundary = true
                continue
            }
            let next = self.text(item, branch: branch, depth: depth)
            guard let first = next.first else { continue }
            if isAtBoundary, let last = text.last, ByteSet.word.contains(last), ByteSet.word.contains(first) {
                text.append(0x20)
            }
            isAtBoundary = false
            text += next
        }
        return text
    }

    /// Words of the pattern with more than one letter, in their order.
    func words(_ root: PatternNode) -> [[UInt8]] {
        var found: [[UInt8]] = []
        func add(_ word: inout [UInt8]) {
            if word.count > 1, !found.contains(word) { found.append(word) }
            word = []
        }
        func collect(_ node: PatternNode) {
            switch node {
            case .sequence(let items):
                var word: [UInt8] = []
                for item in items {
                    if case .literal(let bytes) = item, bytes.allSatisfy(ByteSet.word.contains) {
                        word += bytes
                    } else {
                        add(&word)
                        collect(item)
                    }
                }
                add(&word)
            case .alternatives(let branches): for branch in branches { collect(branch) }
            case .group(_, _, let inside), .repeated(let inside, _): collect(inside)
            default: break
            }
        }
        collect(root)
        return found
    }

    static func member(of set: ByteSet, except: UInt8? = nil) -> [UInt8] {
        for byte in "a1 A0x.,-:/@#*\n".utf8 where set.contains(byte) && byte != except { return [byte] }
        for byte: UInt8 in 0x21..<0x7F where set.contains(byte) && byte != except { return [byte] }
        return set.hasOthers ? Array("é".utf8) : []
    }

    /// Parts of the pattern that may repeat many times.
    func pumps(_ root: PatternNode) -> [Pump] {
        var found: [Pump] = []
        var seen = Set<Pump>()
        collect(root, [], 0, &found, &seen)
        return Array(found.prefix(Self.maximumPumps))
    }

    /// Minimum repetition count.
    private static let manyTimes = 10

    private func collect(
        _ node: PatternNode, _ prefix: [UInt8], _ depth: Int, _ found: inout [Pump], _ seen: inout Set<Pump>
    ) {
        guard depth < Self.maximumDepth * 4, found.count < Self.maximumPumps else { return }
        switch node {
        case .sequence(let items):
            for (index, item) in items.enumerated() {
                collect(item, prefix + text(of: items[..<index]), depth + 1, &found, &seen)
            }
        case .alternatives(let branches): for branch in branches { collect(branch, prefix, depth + 1, &found, &seen) }
        case .group(_, _, let inside): collect(inside, prefix, depth + 1, &found, &seen)
        case .lookaround(_, _, let inside): collect(inside, prefix, depth + 1, &found, &seen)
        case .call(let name): if let inside = definitions[name] { collect(inside, prefix, depth + 4, &found, &seen) }
        case .repeated(let inside, let quantifier):
            if quantifier.maximum.map({ $0 >= Self.manyTimes }) ?? true {
                for unit in units(inside) where !unit.isEmpty {
                    let pump = Pump(prefix: prefix, unit: unit)
                    if seen.insert(pump).inserted { found.append(pump) }
                }
            }
            collect(inside, prefix, depth + 1, &found, &seen)
        default: break
        }
    }

    /// Texts of one repetition in several forms.
    private func units(_ node: PatternNode) -> [[UInt8]] {
        switch node {
        case .set(let set):
            return ["a", "1", " "].map { Array($0.utf8) }.filter { $0.allSatisfy(set.contains) }.orElse([
                Self.member(of: set)
            ])
        case .alternatives(let branches): return branches.prefix(4).map { text($0) }
        case .group(_, _, let inside): return units(inside)
        default: return [text(node), text(node, branch: 1)]
        }
    }

    /// Texts that lead to each piece of the top-level sequence.
    func beginnings(_ root: PatternNode) -> [[UInt8]] {
        switch root {
        case .sequence(let items):
            return items.indices.reduce(into: []) { result, index in
                let beginning = text(of: items[...index])
                if !beginning.isEmpty, beginning != result.last { result.append(beginning) }
            }
        case .alternatives(let branches): return branches.flatMap(beginnings)
        case .group(_, _, let inside): return beginnings(inside)
        case .call(let name): return definitions[name].map(beginnings) ?? []
        default: return [text(root)].filter { !$0.isEmpty }
        }
    }
}

extension Array {
    fileprivate func orElse(_ other: [Element]) -> [Element] { isEmpty ? other : self }
}
