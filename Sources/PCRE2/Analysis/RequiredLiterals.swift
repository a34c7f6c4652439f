/// Literals that every match of a pattern contains, with their maximum distance from the start of the match. The
/// prefilter skips patterns whose literals are absent and limits the search range of the others.
public indirect enum RequiredLiterals: Sendable, Equatable {
    /// Any text may match.
    case nothing
    /// A word in lower-case ASCII, in the text in any case, at most this far after the start of a match. A blank in it
    /// is any byte that `\s` matches, including a line feed.
    case word(String, Extent)
    case all([RequiredLiterals])
    case any([RequiredLiterals])
    /// The part, whose distances begin where at most this extent of the match has passed. Only `all` is kept in it: its
    /// words are at limited distances from each other, which is more selective than the distance of each word from the
    /// start of the match.
    case behind(Extent, RequiredLiterals)

    /// Minimum length without blanks: shorter words occur in almost every text.
    static let minimumLength = 3

    /// All words.
    public var words: Set<String> {
        switch self {
        case .nothing: []
        case .word(let word, _): [word]
        case .all(let list), .any(let list): list.reduce(into: []) { $0.formUnion($1.words) }
        case .behind(_, let inside): inside.words
        }
    }

    static func all(of list: [Self]) -> Self {
        var flat: [Self] = []
        for item in list {
            switch item {
            case .nothing: continue
            case .all(let inner): flat += inner.filter { !flat.contains($0) }
            default: if !flat.contains(item) { flat.append(item) }
            }
        }
        return flat.isEmpty ? .nothing : flat.count == 1 ? flat[0] : .all(flat)
    }

    static func any(of list: [Self]) -> Self {
        var flat: [Self] = []
        for item in list {
            switch item {
            case .nothing: return .nothing
            case .any(let inner): flat += inner.filter { !flat.contains($0) }
            default: if !flat.contains(item) { flat.append(item) }
            }
        }
        return flat.count == 1 ? flat[0] : .any(flat)
    }

    /// The same with this extent before it.
    func behind(_ extent: Extent) -> Self {
        switch self {
        case .nothing: self
        case .word(let word, let reach): .word(word, reach + extent)
        case .all: extent == .none ? self : .behind(extent, self)
        case .any(let list): .any(list.map { $0.behind(extent) })
        case .behind(let inner, let inside): .behind(inner + extent, inside)
        }
    }
}

extension RequiredLiterals: CustomStringConvertible {
    /// `card & (declined | refused)`; a hyphen if nothing is required.
    public var description: String {
        switch self {
        case .nothing: "-"
        case .word(let word, _): word
        case .all(let list): "(" + list.map(\.description).joined(separator: " & ") + ")"
        case .any(let list): "(" + list.map(\.description).joined(separator: " | ") + ")"
        case .behind(_, let inside): inside.description
        }
    }
}
