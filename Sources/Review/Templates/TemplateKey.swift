/// The names of banks and templates: lower-case letters, digits and hyphens, a letter first, at most 60 bytes.
public enum TemplateKey {
    /// The rule in words, for an error message.
    public static let rule = "use lower-case letters, digits and hyphens, a letter first"

    public static func isValid(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.count <= 60
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// True for the name of a bank's template, such as `hdfc/card-spend`: a path within a profile folder.
    public static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && parts.allSatisfy(isValid)
    }
}
