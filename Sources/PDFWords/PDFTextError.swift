/// A PDF from which no words were read.
public enum PDFTextError: String, Error, Hashable, Sendable, CaseIterable {
    /// An encrypted file without a password.
    case needsPassword = "needs_password"
    case wrongPassword = "wrong_password"
    /// A file that is no PDF, or a damaged one.
    case damaged
    /// Pages without a word: pictures of a paper.
    case noText = "no_text"
    /// More than ``PDFLimits/pages``.
    case tooManyPages = "too_many_pages"
    /// More than ``PDFLimits/words``.
    case tooManyWords = "too_many_words"
}
