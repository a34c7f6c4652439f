/// A line of a page in as many rows as it needs: broken at blanks where there are any, the rest of it set in.
enum Folding {
    /// Further in than this the text of a list's item does not begin.
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
            // The blank at which it breaks is not shown; one of its indentation is none of these.
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

    /// Under the text of an item, as `a        accept` has it, or a little further in than the line.
    private static func indent(_ cells: [Printable.Cell], _ leading: Int) -> Int {
        for index in leading..<max(leading, min(cells.count - 1, widestHead))
        where cells[index].text == " " && cells[index + 1].text == " " {
            let text = index + cells[index...].prefix { $0.text == " " }.count
            return text <= widestHead ? text + 2 : leading + 2
        }
        return leading + 2
    }
}
