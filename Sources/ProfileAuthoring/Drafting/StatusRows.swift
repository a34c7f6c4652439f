import PCRE2

/// Rows of a text whose label gives the kind of transaction or its result, such as `Status Approved`.
struct StatusRows {
    struct Row {
        /// The whole row.
        var range: Range<Int>
        /// Text beside the label.
        var cell: Range<Int>
    }

    let all: [Row]
    /// Maximum number of rows of an alert.
    private static let maximumRows = 20

    static let none = StatusRows(all: [])

    private init(all: [Row]) { self.all = all }

    /// - Parameter row: matches one row; its first group is the cell. `nil` finds none.
    init(in text: [UInt8], by row: Pattern?) {
        var found: [Row] = []
        var offset = 0
        if let row, let matcher = Matcher() {
            while found.count < Self.maximumRows, (try? matcher.firstMatch(of: row, in: text, from: offset)) == true,
                let range = matcher.range(of: 0), let cell = matcher.range(of: 1)
            {
                found.append(Row(range: range, cell: cell))
                offset = max(range.upperBound, offset + 1)
            }
        }
        all = found
    }

    /// Rows at most `reach` bytes from the values, without those that hold one.
    func near(_ values: [Range<Int>], within reach: Int) -> [Row] {
        guard let first = values.map(\.lowerBound).min(), let last = values.map(\.upperBound).max() else { return [] }
        return all.filter { row in
            row.range.upperBound + reach >= first && row.range.lowerBound <= last + reach
                && !values.contains { $0.overlaps(row.range) }
        }
    }
}
