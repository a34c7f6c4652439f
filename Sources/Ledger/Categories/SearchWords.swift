/// A search with its marked words apart: `tag:NAME` and `payee:NAME`.
public struct SearchWords: Hashable, Sendable {
    public private(set) var tags: [String] = []
    public private(set) var payees: [String] = []
    /// The text without the marked words.
    public private(set) var rest: String

    public init(_ text: String) {
        rest = text
        guard text.utf8.contains(UInt8(ascii: ":")) else { return }
        var plain: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let name = Self.name(word, "tag:") {
                tags.append(name)
            } else if let name = Self.name(word, "payee:") {
                payees.append(name)
            } else {
                plain.append(word)
            }
        }
        if !tags.isEmpty || !payees.isEmpty { rest = plain.joined(separator: " ") }
    }

    /// The part after the mark; `nil` without the mark, or if nothing follows.
    private static func name(_ word: Substring, _ mark: String) -> String? {
        word.hasPrefix(mark) && word.count > mark.count ? String(word.dropFirst(mark.count)) : nil
    }
}
