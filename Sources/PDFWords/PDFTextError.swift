/// A PDF from which no words were read.
public enum PDFTextError: String, Error, Hashable, Sendable, CaseIterable {
    /// It is encrypted, and no password was given.
    case needsPassword = "needs_password"
    case wrongPassword = "wrong_password"
    /// It is no PDF, or too damaged.
    case damaged
    /// It has pages without a word: pictures of a paper.
    case noText = "no_text"
    /// More than ``PDFLimits/pages``.
    case tooManyPages = "too_many_pages"
    /// More than ``PDFLimits/words``.
    case tooManyWords = "too_many_words"
}
