/// What any text that a pattern matches must contain, and how far from the start of a match: the base of a prefilter
/// that spares most patterns the run, and the others the search through the whole text.
public indirect enum RequiredLiterals: Sendable, Equatable {
    /// Any text may match.
    case nothing
    /// This word, in lower-case ASCII, stands in the text in whatever case, and a match begins at most so far before
    /// it. A blank in it is one of those that `\s` takes, be it a line feed.
    case word(String, Extent)
    case all([RequiredLiterals])
    case any([RequiredLiterals])
    /// The same with so much before it: words that stand close to each other somewhere, which tells more than each of
    /// them by itself.
    case behind(Extent, RequiredLiterals)

    /// In characters that are no blanks: shorter words stand in almost every text and filter nothing.
    static let minimumLength = 3

    /// Every word named.
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

    /// The same where that much may stand before it.
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
    /// `card & (declined | refused)`, a hyphen where nothing is required.
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
