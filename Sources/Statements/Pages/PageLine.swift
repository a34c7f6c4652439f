import PDFWords

/// The words on one line of a page, from left to right.
struct PageLine {
    /// Middles of letters that differ by less than this part of their height are on one line.
    private static let tolerance = 0.5

    private(set) var words: [PDFWord]

    var top: Double { words.map(\.top).min() ?? 0 }
    var bottom: Double { words.map(\.bottom).max() ?? 0 }
    var height: Double { bottom - top }

    /// The lines of a page, from top to bottom.
    static func lines(of words: [PDFWord]) -> [PageLine] {
        var lines: [[PDFWord]] = []
        for word in words.sorted(by: { ($0.middle, $0.left) < ($1.middle, $1.left) }) {
            if let first = lines.last?.first, word.middle - first.middle < tolerance * min(first.height, word.height) {
                lines[lines.count - 1].append(word)
            } else {
                lines.append([word])
            }
        }
        return lines.map { PageLine(words: $0.sorted { $0.left < $1.left }) }
    }

    /// Groups of words with gaps of at most `gap`, as a part of the letters' height.
    func segments(gap: Double) -> [ArraySlice<PDFWord>] {
        var (segments, start): ([ArraySlice<PDFWord>], Int) = ([], 0)
        for index in words.indices.dropFirst()
        where words[index].left - words[index - 1].right > gap * words[index].height {
            segments.append(words[start..<index])
            start = index
        }
        segments.append(words[start...])
        return segments
    }
}

extension Collection<PDFWord> {
    /// The words with one blank between them.
    var joined: String { map(\.text).joined(separator: " ") }
}
