/// The rows of the tables of an HTML page, which banks also name `.xls`.
enum MarkupTable {
    static func isFormat(_ head: String) -> Bool {
        ["<html", "<table", "<!doctype html", "<body"].contains { head.contains($0) }
    }

    /// Columns that one cell may span.
    private static let maximumSpan = 100

    static func rows(_ bytes: ArraySlice<UInt8>) throws(StatementReadingError) -> [SeparatedText.Row] {
        guard let root = MarkupDocument(html: bytes)?.root else { throw .unknownFormat }
        var (rows, count): ([SeparatedText.Row], Int) = ([], 0)
        for row in root.descendants(["tr"]) {
            var cells: [String] = []
            for cell in row.children where cell.name == "td" || cell.name == "th" {
                cells.append(cell.text)
                let span = min(cell.attribute("colspan").flatMap { Int($0) } ?? 1, Self.maximumSpan)
                if span > 1 { cells += [String](repeating: "", count: span - 1) }
            }
            rows.append(SeparatedText.Row(line: rows.count + 1, cells: cells))
            count += cells.count
            if rows.count > SeparatedText.maximumRows {
                throw .tooLarge(limit: .rows, maximum: SeparatedText.maximumRows)
            }
            if count > SeparatedText.maximumCells {
                throw .tooLarge(limit: .cells, maximum: SeparatedText.maximumCells)
            }
        }
        return rows
    }
}
