/// A PDF from which no words were read.
public enum PDFTextError: Error, Hashable, Sendable {
    /// It is encrypted, and no password was given.
    case needsPassword
    case wrongPassword
    /// It is no PDF, or too damaged.
    case damaged
    /// It has pages without a word: pictures of a paper.
    case noText
    case tooManyPages(limit: Int)
    case tooManyWords(limit: Int)
}
