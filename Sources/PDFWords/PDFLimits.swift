/// Limits of the words that are read from a PDF.
public enum PDFLimits {
    /// A year of a busy account has less than a tenth of these.
    public static let pages = 500
    public static let words = 500_000
    /// Points of the longest side of a page (ISO 32000-1, annex C.2); letters elsewhere are left out.
    public static let longestSide = 14_400.0
    /// Bytes of a file.
    public static let fileBytes = 16 << 20
    /// Bytes of an answer: 60 for each of the most words.
    public static let answerBytes = 32 << 20
}
