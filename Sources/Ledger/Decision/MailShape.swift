/// A mail without its values: mails of one template have the same shape.
public struct MailShape: Hashable, Sendable {
    /// Digest of `words`.
    public let digest: UInt64
    /// The constant words in their order, with `*` for each value.
    public let words: String

    public init(digest: UInt64, words: String) {
        self.digest = digest
        self.words = words
    }
}
