/// The answer of the program that reads a PDF: a line for each page and each word, or the reason why there is none.
///
/// A word's line has its left, right, top and bottom in thousandths of a point and its text.
public enum PDFAnswer: Hashable, Sendable {
    case pages([[PDFWord]])
    case refusal(PDFTextError)

    private static let page = "page"
    private static let thousandths = 1000.0

    public var bytes: [UInt8] {
        var bytes = Array("\(PDFRequest.version) ".utf8)
        switch self {
        case .refusal(let error): bytes += "\(error.rawValue)\n".utf8
        case .pages(let pages):
            bytes += "pages\n".utf8
            for words in pages {
                bytes += "\(Self.page)\n".utf8
                for word in words {
                    for length in [word.left, word.right, word.top, word.bottom] {
                        bytes += "\(Int((length * Self.thousandths).rounded())) ".utf8
                    }
                    bytes += word.text.utf8
                    bytes.append(0x0A)
                }
            }
        }
        return bytes
    }

    /// Reads the answer of a program that a file may have taken over.
    ///
    /// - Returns: `nil` for bytes that ``bytes`` does not give, or beyond the limits.
    public init?(_ bytes: [UInt8]) {
        guard bytes.last == 0x0A else { return nil }
        var pages: [[PDFWord]]?
        var count = 0
        for line in bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard pages != nil else {
                let head = PDFRequest.version + " "
                guard line.starts(with: head.utf8) else { return nil }
                let kind = String(decoding: line.dropFirst(head.utf8.count), as: UTF8.self)
                if kind == "pages" {
                    pages = []
                    continue
                }
                guard let error = PDFTextError(rawValue: kind), line.endIndex == bytes.endIndex - 1 else { return nil }
                self = .refusal(error)
                return
            }
            if line.elementsEqual(Self.page.utf8) {
                guard pages?.count ?? 0 < PDFLimits.pages else { return nil }
                pages?.append([])
            } else {
                count += 1
                guard let last = pages?.indices.last, count <= PDFLimits.words, let word = Self.word(line) else {
                    return nil
                }
                pages?[last].append(word)
            }
        }
        guard let pages, count > 0 else { return nil }
        self = .pages(pages)
    }

    private static func word(_ line: ArraySlice<UInt8>) -> PDFWord? {
        let parts = line.split(separator: 0x20, maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let text = String(validating: parts[4], as: UTF8.self), !text.isEmpty,
            !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 })
        else { return nil }
        let lengths = parts[..<4].compactMap { length($0) }
        guard lengths.count == 4, lengths[0] <= lengths[1], lengths[2] <= lengths[3] else { return nil }
        return PDFWord(text, left: lengths[0], right: lengths[1], top: lengths[2], bottom: lengths[3])
    }

    private static func length(_ digits: ArraySlice<UInt8>) -> Double? {
        guard let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let length = Double(value) / thousandths
        return abs(length) <= PDFLimits.longestSide ? length : nil
    }
}
