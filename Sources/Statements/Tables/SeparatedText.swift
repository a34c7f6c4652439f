/// Text with separated values (RFC 4180), with comma, semicolon or tab as the separator.
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
            } else if byte == separator {
                finishCell()
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

    /// The separator that occurs most often.
    private static func separator(of text: ArraySlice<UInt8>) -> UInt8 {
        var counts = [Int](repeating: 0, count: 256)
        for byte in text { counts[Int(byte)] += 1 }
        return [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { counts[Int($0)] < counts[Int($1)] } ?? 0x2C
    }

    private static func collapsed(_ cell: [UInt8]) -> String {
        let words = cell.split { $0 <= 0x20 }
        return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
    }
}
