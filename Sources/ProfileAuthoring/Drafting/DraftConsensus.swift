import Ledger
import Profiles

/// The common parts of the windows of several mails, and the variable parts between them.
indirect enum DraftNode: Hashable {
    case keep(DraftToken)
    /// Varies between mails; lengths in bytes.
    case gap(minimum: Int, maximum: Int, crossesLines: Bool)
    /// One of a few words, beside a value that needs a fence.
    case either([[DraftToken]], isOptional: Bool)
    /// Occurs in some mails only.
    case optional([DraftNode])
}

enum DraftConsensus {
    /// A window of more elements is not an alert.
    static let maximumElements = 600
    /// Minimum proportion of common words, of the shorter window, for two mails of one form.
    static let commonShare = 0.4

    /// Groups windows that are of one form: the same values in the same order, and enough words in common.
    static func groups(_ windows: [[DraftElement]]) -> [[Int]] {
        var groups: [[Int]] = []
        for index in windows.indices {
            let group = groups.firstIndex { members in members.allSatisfy { areAlike(windows[$0], windows[index]) } }
            if let group { groups[group].append(index) } else { groups.append([index]) }
        }
        return groups
    }

    private static func areAlike(_ a: [DraftElement], _ b: [DraftElement]) -> Bool {
        let (first, second) = (fields(a), fields(b))
        let shared = Set(first).intersection(second)
        guard first.filter(shared.contains) == second.filter(shared.contains) else { return false }
        let words = [a, b].map { $0.map(\.token).filter(\.isWord) }
        let least = min(words[0].count, words[1].count)
        return least == 0 || Double(common(words[0], words[1]).count) >= commonShare * Double(least)
    }

    private static func fields(_ elements: [DraftElement]) -> [DraftToken] { elements.map(\.token).filter(\.isField) }

    /// The nodes that all windows of one group match. A balance or limit that closes them is optional: not every alert
    /// prints one.
    static func pattern(_ windows: [[DraftElement]]) -> [DraftNode] {
        let nodes = nodes(windows)
        func field(_ node: DraftNode) -> Field? { if case .keep(.field(let field)) = node { field } else { nil } }
        guard let last = nodes.last.flatMap(field), last == .balance || last == .limit,
            let core = nodes.lastIndex(where: { field($0).map { $0 != .balance && $0 != .limit } ?? false }),
            field(nodes[core]) != .merchant
        else { return nodes }
        return nodes[...core] + [.optional(Array(nodes[(core + 1)...]))]
    }

    static func nodes(_ windows: [[DraftElement]]) -> [DraftNode] {
        guard let first = windows.first else { return [] }
        if windows.count == 1 { return first.map { .keep($0.token) } }
        // Values that all mails have are fixed points; the text between two of them is compared separately.
        let shared = windows.map { Set(fields($0)) }.reduce(Set(fields(first))) { $0.intersection($1) }
        let anchors = fields(first).filter(shared.contains)
        var nodes: [DraftNode] = []
        var rest = windows.map { $0[...] }
        for (number, anchor) in (anchors.map(Optional.some) + [nil]).enumerated() {
            let runs = rest.map { run in Array(run.prefix { $0.token != anchor }) }
            nodes += between(runs, isFirst: number == 0, isLast: anchor == nil)
            guard let anchor else { break }
            nodes.append(.keep(anchor))
            rest = zip(rest, runs).map { $0.dropFirst($1.count + 1) }
        }
        return nodes
    }

    private static func between(_ runs: [[DraftElement]], isFirst: Bool, isLast: Bool) -> [DraftNode] {
        var tokens =
            runs.map { $0.map(\.token) }.reduce(nil) { (sofar: [DraftToken]?, next) in
                sofar.map { common($0, next) } ?? next
            } ?? []
        tokens.removeAll(where: \.isField)
        var slices = split(runs, at: tokens)
        // A common blank or comma alone is a coincidence.
        let isLoose = { (slot: Int) in slices.contains { !$0[slot].isEmpty } }
        var kept: [DraftToken] = []
        var start = 0
        while start < tokens.count {
            var end = start + 1
            while end < tokens.count, !isLoose(end) { end += 1 }
            let isLone = !tokens[start..<end].contains(where: \.isWord) && isLoose(start) && isLoose(end)
            if !isLone { kept += tokens[start..<end] }
            start = end
        }
        if kept != tokens {
            tokens = kept
            slices = split(runs, at: tokens)
        }
        var nodes: [DraftNode] = []
        for slot in 0...tokens.count {
            let pieces = slices.map { $0[slot] }
            let isOuter = isFirst && slot == 0 || isLast && slot == tokens.count
            let touchesValue = slot == 0 || slot == tokens.count
            nodes += differing(pieces, isOuter: isOuter, touchesValue: touchesValue)
            if slot < tokens.count { nodes.append(.keep(tokens[slot])) }
        }
        return nodes
    }

    /// The contents of one slot in all mails.
    private static func differing(_ pieces: [[DraftElement]], isOuter: Bool, touchesValue: Bool) -> [DraftNode] {
        let filled = pieces.filter { !$0.isEmpty }
        guard !filled.isEmpty else { return [] }
        let valued = filled.filter { $0.contains { $0.token.isField } }
        if !valued.isEmpty {
            // A value that some mails lack.
            var set = Set(fields(valued[0]))
            for piece in valued where fields(piece).count > set.count { set = Set(fields(piece)) }
            let alike = valued.filter { Set(fields($0)) == set }
            var result: [DraftNode] = [.optional(nodes(alike))]
            let others = filled.filter { !alike.contains($0) }
            if !isOuter, let gap = gap(others, isOptional: true) { result.append(gap) }
            return result
        }
        if isOuter { return [] }
        let forms = Set(filled.map { $0.map(\.token) })
        if filled.count < pieces.count, forms.count == 1, let form = forms.first {
            return [.optional(form.map(DraftNode.keep))]
        }
        let isWordy = forms.allSatisfy { form in
            form.contains(where: \.isWord) && form.count <= 7
                && form.allSatisfy { token in token.isWord || token == .blank }
        }
        if touchesValue, isWordy, forms.count <= 4 {
            let sorted = forms.sorted { "\($0)" < "\($1)" }
            return [.either(sorted, isOptional: filled.count < pieces.count)]
        }
        return gap(filled, isOptional: filled.count < pieces.count).map { [$0] } ?? []
    }

    private static func gap(_ pieces: [[DraftElement]], isOptional: Bool) -> DraftNode? {
        let lengths = pieces.compactMap { piece in
            piece.first.flatMap { first in piece.last.map { $0.range.upperBound - first.range.lowerBound } }
        }
        guard let longest = lengths.max() else { return nil }
        let crosses = pieces.contains { $0.contains { $0.token == .skip } }
        return .gap(
            minimum: isOptional ? 0 : 1, maximum: min(600, longest * 2 + 20), crossesLines: crosses || longest > 60)
    }

    /// The longest common subsequence (D. S. Hirschberg, 1975, in its plain quadratic form).
    static func common(_ a: [DraftToken], _ b: [DraftToken]) -> [DraftToken] {
        let (a, b) = (Array(a.prefix(maximumElements)), Array(b.prefix(maximumElements)))
        var lengths = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in a.indices.reversed() {
            for j in b.indices.reversed() {
                lengths[i][j] = a[i] == b[j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
            }
        }
        var found: [DraftToken] = []
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            if a[i] == b[j] {
                found.append(a[i])
                (i, j) = (i + 1, j + 1)
            } else if lengths[i + 1][j] >= lengths[i][j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return found
    }

    /// For each run, the parts before, between and after the common tokens.
    private static func split(_ runs: [[DraftElement]], at tokens: [DraftToken]) -> [[[DraftElement]]] {
        runs.map { run in
            var slots: [[DraftElement]] = []
            var slot: [DraftElement] = []
            var next = 0
            for element in run {
                if next < tokens.count, element.token == tokens[next] {
                    slots.append(slot)
                    slot = []
                    next += 1
                } else {
                    slot.append(element)
                }
            }
            slots.append(slot)
            while slots.count <= tokens.count { slots.append([]) }
            return slots
        }
    }
}
