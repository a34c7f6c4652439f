/// The reason why no words were read from a PDF.
public enum PDFTextError: String, Error, Hashable, Sendable, CaseIterable {
    /// The PDF is encrypted, and no password was given.
    case needsPassword = "needs_password"
    case wrongPassword = "wrong_password"
    /// The file is not a PDF, or is too damaged.
    case damaged
    /// The pages contain no words, only pictures of them.
    case noText = "no_text"
    /// More than ``PDFLimits/pages``.
    case tooManyPages = "too_many_pages"
    /// More than ``PDFLimits/words``.
    case tooManyWords = "too_many_words"
}
