/// Wraps a line at blanks; rows after the first are indented.
enum LineWrapping {
    /// The maximum column at which the text of a list item begins.
    private static let widestHead = 14

    static func rows(_ line: String, columns: Int) -> [String] {
        let cells = Printable.cells(line)
        guard cells.reduce(0, { $0 + $1.width }) > columns, columns > 0 else { return [line] }
        let leading = cells.prefix { $0.text == " " }.count
        let indent = min(self.indent(cells, leading), columns / 2)
        var rows: [String] = []
        var start = 0
        while start < cells.count {
            let room = columns - (rows.isEmpty ? 0 : indent)
            var (end, width) = (start, 0)
            while end < cells.count, end == start || width + cells[end].width <= room {
                width += cells[end].width
                end += 1
            }
            var next = end
            // The blank at the break is not shown. A blank of the indentation is not a place to break.
            if end < cells.count,
                let blank = (start...end).last(where: {
                    cells[$0].text == " " && $0 > max(start, rows.isEmpty ? leading : 0)
                })
            {
                (end, next) = (blank, blank + 1)
            }
            rows.append(
                (rows.isEmpty ? "" : String(repeating: " ", count: indent)) + cells[start..<end].map(\.text).joined())
            start = next
        }
        return rows
    }

    /// The column of a list item's text, such as in `a        accept`; otherwise two columns more than the line's own.
    private static func indent(_ cells: [Printable.Cell], _ leading: Int) -> Int {
        for index in leading..<max(leading, min(cells.count - 1, widestHead))
        where cells[index].text == " " && cells[index + 1].text == " " {
            let text = index + cells[index...].prefix { $0.text == " " }.count
            return text <= widestHead ? text + 2 : leading + 2
        }
        return leading + 2
    }
}
