/// The areas of a screen of some size.
struct Geometry {
    struct Area: Hashable {
        var row: Int
        var column: Int
        var width: Int
        var height: Int

        static let none = Area(row: 0, column: 0, width: 1, height: 0)
    }

    /// The minimum size; a smaller screen only asks for more room.
    static let least = Size(columns: 24, rows: 8)
    /// The minimum size with the mail beside its fields instead of above them.
    static let sideBySide = Size(columns: 110, rows: 16)
    /// The minimum width with the remarks beside the fields.
    static let twoColumns = 68

    let isReadable: Bool
    /// The mail's text.
    let text: Area
    let fields: Area
    /// Confidence with its reasons, and the possible duplicate; `nil` if they follow the fields.
    let remarks: Area?
    /// The line between the mail and the rest: a row, or a column if they are side by side.
    let rule: (row: Int?, column: Int?)

    init(_ size: Size) {
        guard size.columns >= Self.least.columns, size.rows >= Self.least.rows else {
            isReadable = false
            text = .none
            fields = .none
            remarks = nil
            rule = (nil, nil)
            return
        }
        isReadable = true
        // Two rows above (position, subject) and two below (notice, keys).
        let height = size.rows - 4
        if size.columns >= Self.sideBySide.columns, size.rows >= Self.sideBySide.rows {
            let left = size.columns * 56 / 100
            text = Area(row: 2, column: 0, width: left - 1, height: height)
            let fieldRows = min(13, height * 55 / 100)
            fields = Area(row: 2, column: left + 1, width: size.columns - left - 1, height: fieldRows)
            remarks = Area(
                row: 2 + fieldRows + 1, column: left + 1, width: size.columns - left - 1, height: height - fieldRows - 1
            )
            rule = (nil, left - 1)
            return
        }
        // Remarks below the fields need room, too.
        let panel =
            size.columns >= Self.twoColumns ? min(max(height * 45 / 100, 3), 11) : min(max(height * 60 / 100, 3), 14)
        text = Area(row: 2, column: 0, width: size.columns, height: height - panel - 1)
        rule = (2 + text.height, nil)
        let top = 2 + text.height + 1
        if size.columns >= Self.twoColumns {
            let left = size.columns * 52 / 100
            fields = Area(row: top, column: 0, width: left, height: panel)
            remarks = Area(row: top, column: left + 1, width: size.columns - left - 1, height: panel)
        } else {
            fields = Area(row: top, column: 0, width: size.columns, height: panel)
            remarks = nil
        }
    }
}
