/// Limits of the words that are read from a PDF.
public enum PDFLimits {
    /// A year of a busy account has less than a tenth of these pages and words.
    public static let pages = 500
    public static let words = 500_000
    /// Longest side of a page in points (ISO 32000-1, annex C.2). Letters beyond it are left out.
    public static let longestSide = 14_400.0
    /// Maximum bytes of a PDF file.
    public static let fileBytes = 16 << 20
    /// Maximum bytes of an answer: about 60 for each of ``words``.
    public static let answerBytes = 32 << 20
}
