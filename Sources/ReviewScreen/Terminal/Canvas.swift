import Ledger

/// The style of text. ``Window`` decides its appearance on the terminal.
struct Style: Hashable, Sendable {
    enum Role: Hashable, CaseIterable, Sendable {
        case plain, dim, bold, bar, error, good, amount, counterparty, moment, account, number
    }

    var role = Role.plain
    /// Shown in reverse: the cursor or the selection.
    var isChosen = false

    static let plain = Style()
    static let dim = Style(role: .dim)
    static let bold = Style(role: .bold)
    static let bar = Style(role: .bar)
    static let error = Style(role: .error)
    static let good = Style(role: .good)
}

/// One screen, cell by cell. All text is made printable when it is written.
struct Canvas: Sendable {
    struct Run: Hashable {
        var text: String
        var column: Int
        var style: Style
    }

    private struct Cell: Hashable, Sendable {
        /// Empty for the right half of a wide character.
        var text = " "
        var style = Style.plain
    }

    let size: Size
    let isASCII: Bool
    private var cells: [Cell]
    /// The position of the terminal's cursor; `nil` hides it.
    var cursor: (row: Int, column: Int)?

    init(_ size: Size, isASCII: Bool = false) {
        self.size = size
        self.isASCII = isASCII
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
    }

    /// Writes text, cut to `width` with an ellipsis.
    /// - Returns: the column after the text.
    @discardableResult
    mutating func write(_ text: String, row: Int, column: Int, style: Style = .plain, width: Int = .max) -> Int {
        let end = min(size.columns, width > size.columns ? size.columns : column + width)
        guard row >= 0, row < size.rows, column >= 0, column < end else { return column }
        let printable = Printable.cells(text, isASCII: isASCII)
        let isCut = printable.reduce(column) { $0 + $1.width } > end
        let limit = isCut ? end - 1 : end
        var at = column
        for cell in printable {
            guard at + cell.width <= limit else { break }
            set(Cell(text: cell.text, style: style), row, at)
            if cell.width == 2 { set(Cell(text: "", style: style), row, at + 1) }
            at += cell.width
        }
        if isCut {
            set(Cell(text: isASCII ? "~" : "…", style: style), row, at)
            at += 1
        }
        return at
    }

    mutating func fill(row: Int, from column: Int = 0, width: Int = .max, style: Style, with text: String = " ") {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
        for at in column..<(width > size.columns - column ? size.columns : column + width) {
            set(Cell(text: text, style: style), row, at)
        }
    }

    private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) { cells[row * size.columns + column] = cell }

    /// A row as runs of one style.
    func runs(row: Int) -> [Run] {
        guard row >= 0, row < size.rows else { return [] }
        var runs: [Run] = []
        for column in 0..<size.columns {
            let cell = cells[row * size.columns + column]
            if let last = runs.indices.last, runs[last].style == cell.style {
                runs[last].text += cell.text
            } else {
                runs.append(Run(text: cell.text, column: column, style: cell.style))
            }
        }
        return runs
    }

    /// The rows without styles and trailing blanks.
    var lines: [String] {
        (0..<size.rows).map { row in
            var line = runs(row: row).map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

extension Field {
    var style: Style {
        switch self {
        case .amount, .currency: Style(role: .amount)
        case .merchant, .vpa: Style(role: .counterparty)
        case .date, .time: Style(role: .moment)
        case .account: Style(role: .account)
        default: Style(role: .number)
        }
    }

    /// Selects the field, and marks its words on a terminal without colours.
    var letter: Character {
        switch self {
        case .amount: "a"
        case .merchant: "m"
        case .date: "d"
        case .time: "t"
        case .account: "n"
        case .type: "y"
        case .channel: "h"
        case .reference: "r"
        case .vpa: "v"
        case .balance: "b"
        case .limit: "l"
        case .currency: "u"
        case .mcc: "g"
        case .foreign: "f"
        }
    }
}
