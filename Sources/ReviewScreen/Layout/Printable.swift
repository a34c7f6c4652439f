import CNcurses
import Glibc

/// Makes text safe for a terminal: without the control characters of a mail, and with a known width of every cell.
enum Printable {
    /// The maximum number of zero-width scalars in a cell: ncurses accepts no more, and stacked accents would cover the
    /// lines above.
    static let marksPerCell = 3
    /// Replaces a character that may not be shown.
    static let placeholder = "\u{B7}"

    struct Cell: Hashable {
        var text: String
        /// 1 or 2 columns.
        var width: Int
    }

    /// - Parameter isASCII: replaces every other character by a question mark.
    static func cells(_ text: String, isASCII: Bool = false) -> [Cell] {
        var cells: [Cell] = []
        cells.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if (0x20...0x7E).contains(scalar.value) {
                cells.append(Cell(text: String(scalar), width: 1))
                continue
            }
            if isASCII {
                cells.append(Cell(text: "?", width: 1))
                continue
            }
            let width = isHostile(scalar) ? -1 : columns(scalar)
            if width < 0 {
                cells.append(Cell(text: placeholder, width: 1))
            } else if width > 0 {
                cells.append(Cell(text: String(scalar), width: width))
            } else if let last = cells.indices.last, cells[last].text.unicodeScalars.count <= marksPerCell {
                cells[last].text.unicodeScalars.append(scalar)
            }
        }
        return cells
    }

    static func width(_ text: String) -> Int { cells(text).reduce(0) { $0 + $1.width } }

    /// Control characters, bidirectional overrides and other characters without a visible form.
    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    // glibc's locale objects are never changed after they are made, so any thread may use this one.
    nonisolated(unsafe) private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// The width by the C library's table, which ncurses uses as well.
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        guard let locale else { return 1 }
        let before = uselocale(locale)
        defer { uselocale(before) }
        return Int(wcwidth(wchar_t(bitPattern: scalar.value)))
    }
}
