import PDFWords

/// The heading of a table on a page, in one to three lines.
struct PageHeader {
    struct Cell {
        var text: String
        var left: Double
        var right: Double

        fileprivate init(_ words: ArraySlice<PDFWord>) {
            text = words.joined
            left = words.first?.left ?? 0
            right = words.last?.right ?? 0
        }

        fileprivate func overlap(_ other: Cell) -> Double { min(right, other.right) - max(left, other.left) }
    }

    /// Lines that one heading may take, as `Withdrawal` above `Amt.`.
    private static let mostLines = 3
    /// Two blanks; the blank within a heading is half as wide.
    private static let gap = 0.6
    /// Words of one heading.
    private static let longestHeading = 5

    /// Places in the lines of the page.
    var lines: Range<Int>
    var cells: [Cell]
    var columns: [StatementWords.Role: Int]

    /// True if the headings are at the places of another page's, within two points.
    func hasPlaces(of other: PageHeader) -> Bool {
        cells.count == other.cells.count && zip(cells, other.cells).allSatisfy { abs($0.left - $1.left) < 2 }
    }

    var texts: [String] { cells.map(\.text) }

    /// The first header with the most columns of a known meaning, in the fewest lines.
    static func find(in lines: [PageLine], _ words: StatementWords) -> PageHeader? {
        var best: PageHeader?
        for start in lines.indices {
            // The lines after the first possibility may belong to it, and the line before may not.
            if let found = best, start > found.lines.lowerBound + mostLines { break }
            for count in 1...mostLines where start + count <= lines.count {
                let cells = cells(lines[start..<(start + count)], words)
                let row = SeparatedText.Row(line: 0, cells: cells.map(\.text))
                guard let columns = StatementTable.columns(of: row, words) else { continue }
                if let found = best {
                    let isBetter = (columns.count, -count) > (found.columns.count, -found.lines.count)
                    guard isBetter else { continue }
                }
                best = PageHeader(lines: start..<(start + count), cells: cells, columns: columns)
            }
        }
        return best
    }

    /// The headings in some lines: those one above the other are one.
    private static func cells(_ lines: ArraySlice<PageLine>, _ words: StatementWords) -> [Cell] {
        var cells: [Cell] = []
        for line in lines {
            var added: [Cell] = []
            for piece in line.segments(gap: gap).flatMap({ split($0, words) }).map(Cell.init) {
                let above = cells.indices.max { cells[$0].overlap(piece) < cells[$1].overlap(piece) }
                if let above, cells[above].overlap(piece) > 0 {
                    cells[above].text += " " + piece.text
                    cells[above].left = min(cells[above].left, piece.left)
                    cells[above].right = max(cells[above].right, piece.right)
                } else {
                    added.append(piece)
                }
            }
            cells += added
        }
        return cells.sorted { $0.left < $1.left }
    }

    /// The headings that follow each other without a gap, if all of them are known; otherwise the whole.
    private static func split(_ segment: ArraySlice<PDFWord>, _ words: StatementWords) -> [ArraySlice<PDFWord>] {
        func isHeading(_ heading: ArraySlice<PDFWord>) -> Bool {
            // `Debit Credit` are two headings, `Debit/Credit` is one.
            StatementWords.Role.columns.contains {
                ($0 != .sign || heading.count == 1) && words.isWord(heading.joined, of: $0)
            }
        }
        guard !isHeading(segment) else { return [segment] }
        var (rest, found): (ArraySlice<PDFWord>, [ArraySlice<PDFWord>]) = (segment, [])
        while !rest.isEmpty {
            let length = (1...longestHeading).reversed().first { $0 <= rest.count && isHeading(rest.prefix($0)) }
            // `Withdrawal (Dr)/` is one heading.
            guard let length, rest.first?.text.first?.isLetter == true else { return [segment] }
            found.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return found
    }
}
