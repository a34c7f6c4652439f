import Profiles

/// Line differences between two texts, for display.
public struct LineDifference: Sendable {
    public enum Kind: String, Sendable { case same, added, removed }

    public struct Line: Hashable, Sendable {
        public var kind: Kind
        public var text: String
    }

    /// All lines in order, replaced old lines before the new ones.
    public let lines: [Line]

    /// Limit of lines; longer texts are compared from both ends only.
    private static let maximumLines = 2000

    public init(from old: String, to new: String) {
        let (a, b) = (Self.split(old), Self.split(new))
        let head = zip(a, b).prefix { $0 == $1 }.count
        let tail = zip(a.dropFirst(head).reversed(), b.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        let (x, y) = (Array(a[head..<(a.count - tail)]), Array(b[head..<(b.count - tail)]))
        lines =
            a[..<head].map { Line(kind: .same, text: $0) } + Self.middle(x, y)
            + a[(a.count - tail)...].map { Line(kind: .same, text: $0) }
    }

    private static func split(_ text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func middle(_ a: [String], _ b: [String]) -> [Line] {
        guard a.count <= maximumLines, b.count <= maximumLines else {
            return a.map { Line(kind: .removed, text: $0) } + b.map { Line(kind: .added, text: $0) }
        }
        var result: [Line] = []
        let difference = b.difference(from: a)
        let removed = Set(
            difference.removals.compactMap { if case .remove(let offset, _, _) = $0 { offset } else { nil } })
        let added = Set(
            difference.insertions.compactMap { if case .insert(let offset, _, _) = $0 { offset } else { nil } })
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            if i < a.count, removed.contains(i) {
                result.append(Line(kind: .removed, text: a[i]))
                i += 1
            } else if j < b.count, added.contains(j) {
                result.append(Line(kind: .added, text: b[j]))
                j += 1
            } else {
                result.append(Line(kind: .same, text: a[min(i, a.count - 1)]))
                i += 1
                j += 1
            }
        }
        return result
    }
}
