/// A mail without its values: mails of one template have the same shape.
public struct MailShape: Hashable, Sendable {
    /// Digest of `words`.
    public let digest: UInt64
    /// The constant words in their order, with `*` for each value.
    public let words: String
    /// Digest of every word of subject and text, without the fields that were read and words with digits; `nil` if no
    /// amount was read. Mails of one form have the same words.
    public let form: UInt64?

    public init(digest: UInt64, words: String, form: UInt64? = nil) {
        (self.digest, self.words, self.form) = (digest, words, form)
    }
}
