import PCRE2
import Profiles

/// Finds captures without an end: a merchant's name is hostile text, so it must end at text of the bank.
struct CaptureFence {
    enum Fault: Hashable {
        /// Captures the rest of the line or of the mail.
        case takesAll(String)
        /// A lazy capture without required text after it, which stops at its minimum.
        case takesLeast(String)
    }

    private let syntax: PatternSyntax
    /// Groups whose text the sender of the payment chooses.
    private static let freeText: Set<String> = ["merchant"]
    private static let maximumDepth = 40

    init(_ source: String) { syntax = PatternSyntax(source) }

    /// - Parameter groups: groups that are read as fields.
    func faults(_ groups: Set<String>) -> [Fault] {
        var found: [Fault] = []
        walk(syntax.root, [], groups, 0, &found)
        return found
    }

    private func walk(
        _ node: PatternNode, _ after: [PatternNode], _ groups: Set<String>, _ depth: Int, _ found: inout [Fault]
    ) {
        guard depth < Self.maximumDepth else { return }
        switch node {
        case .sequence(let items):
            for (index, item) in items.enumerated() {
                walk(item, Array(items[(index + 1)...]) + after, groups, depth + 1, &found)
            }
        case .alternatives(let branches): for branch in branches { walk(branch, after, groups, depth + 1, &found) }
        case .repeated(let inside, _): walk(inside, after, groups, depth + 1, &found)
        case .group(let name, _, let inside):
            guard let name, groups.contains(name) else { return walk(inside, after, groups, depth + 1, &found) }
            guard !isFenced(after, 0), let tail = tail(inside, 0) else { return }
            if tail.quantifier.mode == .lazy {
                add(.takesLeast(name), to: &found)
            } else if Self.freeText.contains(name), tail.set.isFreeText {
                add(.takesAll(name), to: &found)
            }
        default: break
        }
    }

    private func add(_ fault: Fault, to found: inout [Fault]) { if !found.contains(fault) { found.append(fault) } }

    /// True if a pattern that must or must not match follows.
    private func isFenced(_ after: [PatternNode], _ depth: Int) -> Bool { after.contains { isFence($0, depth) } }

    private func isFence(_ node: PatternNode, _ depth: Int) -> Bool {
        guard depth < Self.maximumDepth else { return true }
        return switch node {
        case .literal, .set, .end, .unknown: true
        case .lookaround(let ahead, _, _): ahead
        case .boundary, .nothing: false
        case .sequence(let items): isFenced(items, depth + 1)
        case .alternatives(let branches): branches.allSatisfy { isFence($0, depth + 1) }
        case .group(_, _, let inside): isFence(inside, depth + 1)
        case .repeated(let inside, let quantifier): quantifier.minimum > 0 && isFence(inside, depth + 1)
        case .call(let name): syntax.definitions[name].map { isFence($0, depth + 1) } ?? true
        }
    }

    /// Repetition at the end of a capture; `nil` if its last character or its length is fixed.
    private func tail(_ node: PatternNode, _ depth: Int) -> (set: ByteSet, quantifier: PatternNode.Quantifier)? {
        guard depth < Self.maximumDepth else { return nil }
        switch node {
        case .sequence(let items):
            for item in items.reversed() {
                switch item {
                case .boundary, .nothing: continue
                case .lookaround, .end: return nil
                case .repeated(_, let quantifier) where quantifier.minimum == 0:
                    if let tail = tail(item, depth + 1) { return tail }
                default: return tail(item, depth + 1)
                }
            }
            return nil
        case .alternatives(let branches): return branches.lazy.compactMap { tail($0, depth + 1) }.first
        case .group(_, _, let inside): return tail(inside, depth + 1)
        case .call(let name): return syntax.definitions[name].flatMap { tail($0, depth + 1) }
        case .repeated(.set(let set), let quantifier):
            return quantifier.maximum.map { $0 >= 8 && $0 > quantifier.minimum } ?? true ? (set, quantifier) : nil
        case .repeated(let inside, _): return tail(inside, depth + 1)
        default: return nil
        }
    }
}
