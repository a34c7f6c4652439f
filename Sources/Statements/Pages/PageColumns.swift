import PDFWords

/// The columns below a header: a word belongs to the one in which its middle is.
struct PageColumns {
    /// Right end of each column but the last, in points.
    private var borders: [Double] = []

    /// A border is where the fewest rows have a word, between two headings; in the middle of the widest such place,
    /// because the blanks between the words of a description are narrow.
    init(_ header: PageHeader, rows: [PageLine]) {
        for (left, right) in zip(header.cells, header.cells.dropFirst()) {
            guard right.left > left.right + 1 else {
                borders.append((left.right + right.left) / 2)
                continue
            }
            // Points in which words of rows are.
            let span = Int(left.right.rounded(.up))...max(Int(left.right.rounded(.up)), Int(right.left))
            var counts = [Int](repeating: 0, count: span.count)
            for word in rows.lazy.flatMap(\.words) where word.right > Double(span.lowerBound) {
                let low = max(Int(word.left.rounded(.down)), span.lowerBound)
                let high = min(Int(word.right.rounded(.up)), span.upperBound)
                guard low <= high else { continue }
                for point in low...high { counts[point - span.lowerBound] += 1 }
            }
            borders.append(Double(span.lowerBound) + Self.middleOfLowest(counts))
        }
    }

    private static func middleOfLowest(_ counts: [Int]) -> Double {
        let lowest = counts.min() ?? 0
        var (best, start): (Range<Int>, Int?) = (0..<0, nil)
        for index in 0...counts.count {
            if index < counts.count, counts[index] == lowest {
                start = start ?? index
            } else if let first = start {
                if index - first > best.count { best = first..<index }
                start = nil
            }
        }
        return Double(best.lowerBound + best.upperBound - 1) / 2
    }

    func cells(of line: PageLine) -> [String] {
        var cells = [[PDFWord]](repeating: [], count: borders.count + 1)
        for word in line.words {
            cells[borders.firstIndex { word.center < $0 } ?? borders.count].append(word)
        }
        return cells.map(\.joined)
    }
}
