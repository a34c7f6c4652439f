/// What a mail looks like once its values are taken out: mails of one template have the same shape, whatever they tell.
public struct MailShape: Hashable, Sendable {
    /// A digest of `words`.
    public let digest: UInt64
    /// The words that stay, in their order, with `*` where values stood.
    public let words: String

    public init(digest: UInt64, words: String) {
        self.digest = digest
        self.words = words
    }
}
