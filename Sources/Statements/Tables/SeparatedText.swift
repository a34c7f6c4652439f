/// Text with separated values (RFC 4180), with comma, semicolon, tab or `~|~` as the separator.
enum SeparatedText {
    struct Row {
        /// Line on which the row begins, from 1.
        var line: Int
        var cells: [String]
    }

    /// Far more than a year of a busy account; memory grows with both.
    static let maximumRows = 100_000
    static let maximumCells = 1_000_000

    static func rows(_ text: ArraySlice<UInt8>) throws(StatementReadingError) -> [Row] {
        let separator = separator(of: text)
        var rows: [Row] = []
        var row = Row(line: 1, cells: [])
        var cell: [UInt8] = []
        var (line, cells, isQuoted) = (1, 0, false)
        var at = text.startIndex
        func isQuote(_ index: Int) -> Bool { index < text.endIndex && text[index] == UInt8(ascii: "\"") }
        func finishCell() {
            row.cells.append(collapsed(cell))
            cell = []
            cells += 1
        }
        while at < text.endIndex {
            let byte = text[at]
            if byte == 0x0A { line += 1 }
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    cell.append(byte)
                } else if isQuote(at + 1) {
                    cell.append(byte)
                    at += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), cell.allSatisfy({ $0 == 0x20 }) {
                isQuoted = true
                cell = []
            } else if byte == separator[0], text[at...].starts(with: separator) {
                finishCell()
                at += separator.count - 1
            } else if byte == 0x0A {
                finishCell()
                rows.append(row)
                row = Row(line: line, cells: [])
            } else {
                cell.append(byte)
            }
            at += 1
            if rows.count > maximumRows { throw .tooLarge(limit: .rows, maximum: maximumRows) }
            if cells > maximumCells { throw .tooLarge(limit: .cells, maximum: maximumCells) }
        }
        finishCell()
        rows.append(row)
        return rows
    }

    /// The last one is that of HDFC's cards.
    private static let separators = [",", ";", "\t", "~|~"].map { Array($0.utf8) }

    /// The separator that occurs most often.
    private static func separator(of text: ArraySlice<UInt8>) -> [UInt8] {
        var counts = [Int](repeating: 0, count: separators.count)
        for at in text.indices {
            for (index, separator) in separators.enumerated()
            where text[at] == separator[0] && (separator.count == 1 || text[at...].starts(with: separator)) {
                counts[index] += 1
            }
        }
        let most = separators.indices.max { counts[$0] < counts[$1] }
        return separators[most.flatMap { counts[$0] > 0 ? $0 : nil } ?? 0]
    }

    private static func collapsed(_ cell: [UInt8]) -> String {
        let words = cell.split { $0 <= 0x20 }
        return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
    }
}
