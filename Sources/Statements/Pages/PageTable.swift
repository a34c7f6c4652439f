import PDFWords

/// The rows of the table on the pages of a PDF, which knows words with places but no cells.
///
/// Headers that other pages repeat and lines outside the table are left out; the further lines of a description are
/// joined to their row.
struct PageTable {
    /// A line of the table as cells.
    private struct Line {
        var number: Int
        var page: PageLine
        var cells: [String]
    }

    /// The part of a page below the header.
    private struct Body {
        var header: PageHeader
        var lines: ArraySlice<PageLine>
        /// Lines of the pages before.
        var before: Int
    }

    /// Lines of one row are nearer to each other than this part of their height.
    private static let widestGap = 1.2
    /// A gap is another one if it is wider by this factor.
    private static let widerGap = 1.3

    private let words: StatementWords
    private var header: PageHeader?
    private var bodies: [Body] = []
    private var balances: PageBalances
    private var rows: [SeparatedText.Row] = []
    /// The lines above the first header, which name the account.
    private var above: [SeparatedText.Row] = []
    /// Lines of the pages before.
    private var lineCount = 0

    /// - Returns: the header, the rows and the balances, as the rows of any other table. A row has the number of its
    ///   line, as a person counts through the pages.
    static func rows(
        _ pages: [[PDFWord]], _ words: StatementWords
    ) throws(StatementReadingError) -> [SeparatedText.Row] {
        var table = PageTable(words)
        for page in pages { table.add(PageLine.lines(of: page)) }
        guard let header = table.header else { throw .noTable }
        var columns: PageColumns?
        for (index, body) in table.bodies.enumerated() {
            let isAsBefore = index > 0 && table.bodies[index - 1].header.hasPlaces(of: body.header)
            let found = isAsBefore ? columns ?? table.columns(of: body) : table.columns(of: body)
            table.addRows(body, found)
            columns = found
        }
        let first = SeparatedText.Row(line: 1, cells: header.texts)
        return table.above + [first] + table.balance(table.balances.opening, .opening) + table.rows
            + table.balance(table.balances.closing, .closing)
    }

    private init(_ words: StatementWords) {
        self.words = words
        balances = PageBalances(words: words)
    }

    /// A row for a balance that was found by its name.
    private func balance(_ amount: String?, _ role: StatementWords.Role) -> [SeparatedText.Row] {
        guard let header, let amount, let column = header.columns[.balance] ?? header.columns[.amount],
            let text = header.columns[.text], let name = words.first(of: role)
        else { return [] }
        var cells = [String](repeating: "", count: header.cells.count)
        (cells[text], cells[column]) = (name, amount)
        return [SeparatedText.Row(line: lineCount, cells: cells)]
    }

    private mutating func add(_ lines: [PageLine]) {
        defer { lineCount += lines.count }
        var start = 0
        if let found = PageHeader.find(in: lines, words) {
            // Another table has columns of other meanings.
            guard header.map({ $0.texts == found.texts }) ?? true else { return }
            if header == nil { for line in lines[..<found.lines.lowerBound] { addAbove(line) } }
            header = found
            start = found.lines.upperBound
        }
        guard let header else {
            for line in lines { addAbove(line) }
            return
        }
        bodies.append(Body(header: header, lines: lines[start...], before: lineCount))
    }

    private mutating func addAbove(_ line: PageLine) {
        _ = balances.add(line)
        guard above.count < StatementTable.maximumRowsBeforeHeader - 1 else { return }
        above.append(SeparatedText.Row(line: lineCount, cells: [line.words.joined]))
    }

    /// The rows of every page with the same places of headings: a page with few rows does not show the columns.
    private func columns(of body: Body) -> PageColumns {
        let rows = bodies.filter { $0.header.hasPlaces(of: body.header) }.flatMap(\.lines)
        return PageColumns(body.header, rows: rows.filter { Self.resemblesRow($0) })
    }

    private static func resemblesRow(_ line: PageLine) -> Bool {
        guard let first = line.words.first?.text, first.first?.isNumber == true else { return false }
        return !PageBalances.isAmount(first) && line.words.contains { PageBalances.isAmount($0.text) }
    }

    private mutating func addRows(_ body: Body, _ columns: PageColumns) {
        let header = body.header
        let lines = zip(body.lines.indices, body.lines).map {
            Line(number: body.before + $0 + 1, page: $1, cells: columns.cells(of: $1))
        }
        /// Lines without a date since the last row.
        var between: [Line] = []
        var last: Line?
        for line in lines {
            let (date, hasAmount) = (cell(.date, line, header), hasAmount(line, header))
            if date.contains(where: \.isNumber), hasAmount {
                let (before, after) = Self.divided(between, above: last?.page, below: line.page)
                for part in before { join(part, header, isBefore: false) }
                rows.append(SeparatedText.Row(line: line.number, cells: line.cells))
                for part in after.reversed() { join(part, header, isBefore: true) }
                balances.passRow()
                (last, between) = (line, [])
            } else if balances.add(line.page) {
                (last, between) = (nil, [])
            } else if date.isEmpty, !hasAmount, !cell(.text, line, header).isEmpty {
                between.append(line)
            }
        }
        for part in Self.divided(between, above: last?.page, below: nil).above { join(part, header, isBefore: false) }
    }

    /// Which of the lines between two rows belong to the row above and to the one below: the widest gap divides them. A
    /// line that is far from both belongs to neither.
    private static func divided(
        _ lines: [Line], above: PageLine?, below: PageLine?
    ) -> (above: [Line], below: [Line]) {
        guard !lines.isEmpty else { return ([], []) }
        let edges = [above] + lines.map(\.page) + [below]
        let gaps = zip(edges, edges.dropFirst()).map { upper, lower -> Double in
            guard let upper, let lower else { return .infinity }
            return (lower.top - upper.bottom) / max(min(upper.height, lower.height), 1)
        }
        let least = max(gaps.min() ?? 0, 0.05)
        // If the gaps are equal, the lines belong to the row above.
        let widest = gaps.indices.max { gaps[$0] < gaps[$1] } ?? 0
        let split = gaps[widest] > least * widerGap ? widest : gaps.count - 1
        let upper = zip(gaps, lines).prefix(split).prefix { $0.0 <= widestGap }.map(\.1)
        let lower = zip(gaps.dropFirst().reversed(), lines.reversed()).prefix(lines.count - split)
            .prefix { $0.0 <= widestGap }.map(\.1).reversed()
        return (upper, Array(lower))
    }

    /// Adds the description and reference of a further line to those of the last row.
    private mutating func join(_ line: Line, _ header: PageHeader, isBefore: Bool) {
        guard let row = rows.indices.last else { return }
        for (role, blank) in [(StatementWords.Role.text, " "), (.reference, "")] {
            guard let column = header.columns[role], !line.cells[column].isEmpty else { continue }
            let parts = [rows[row].cells[column], line.cells[column]].filter { !$0.isEmpty }
            rows[row].cells[column] = (isBefore ? parts.reversed() : parts).joined(separator: blank)
        }
    }

    private func cell(_ role: StatementWords.Role, _ line: Line, _ header: PageHeader) -> String {
        header.columns[role].map { line.cells[$0] } ?? ""
    }

    private func hasAmount(_ line: Line, _ header: PageHeader) -> Bool {
        [StatementWords.Role.debit, .credit, .amount, .balance].contains {
            cell($0, line, header).contains(where: \.isNumber)
        }
    }
}
