/// Comparison of the names of payees, which banks print in several forms.
public enum PayeeText {
    /// Shorter names are compared as a whole only.
    private static let shortestStem = 5

    /// True if the names are equal, or one begins with the other: `NETFLIX` and `Netflix.com`. An empty name is equal
    /// to none.
    public static func isSame(_ a: String, _ b: String) -> Bool { isSame(key: key(a), key(b)) }

    /// The name without case, blanks and punctuation.
    public static func key(_ text: String) -> String {
        String(decoding: CategoryRules.normalizedBytes(text).filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }

    static func isSame(key a: String, _ b: String) -> Bool {
        guard !a.isEmpty, !b.isEmpty else { return false }
        if a == b { return true }
        guard min(a.utf8.count, b.utf8.count) >= shortestStem else { return false }
        return a.hasPrefix(b) || b.hasPrefix(a)
    }
}
