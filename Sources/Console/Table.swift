/// A text table: columns are as wide as their contents; the widest ones are cut on a narrower terminal.
public struct Table {
    public enum Alignment: Sendable { case left, right }

    let headings: [(title: String, alignment: Alignment)]
    public private(set) var rows: [[String]] = []

    public init(_ headings: [(String, Alignment)]) { self.headings = headings.map { (title: $0.0, alignment: $0.1) } }

    public mutating func add(_ cells: [String]) { rows.append(cells.map(Terminal.printable)) }

    public func print(headed: Bool = true) {
        var widths = headings.map(\.title.count)
        for row in rows {
            for (index, cell) in row.enumerated() where index < widths.count {
                widths[index] = max(widths[index], cell.count)
            }
        }
        let limit = Terminal.width
        while limit > 0, widths.reduce(0, +) + 2 * (widths.count - 1) > limit, let widest = widths.max(), widest > 10,
            let index = widths.firstIndex(of: widest)
        {
            widths[index] -= 1
        }
        if headed { Output.line(Terminal.styled(line(headings.map(\.title), widths), .bold)) }
        for row in rows { Output.line(line(row, widths)) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() where index < widths.count {
            let cut = cell.count > widths[index] ? cell.prefix(widths[index] - 1) + "…" : cell[...]
            let padding = String(repeating: " ", count: widths[index] - cut.count)
            if index > 0 { text += "  " }
            text +=
                headings[index].alignment == .right
                ? padding + cut : index == cells.count - 1 ? String(cut) : cut + padding
        }
        return text
    }
}
