import CNcurses
import Glibc

/// Text as a terminal may be given it: no control character of a mail reaches it, and every cell has a known width.
enum Printable {
    /// Zero-width scalars that one cell carries: ncurses takes no more, and a pile of accents would run over the lines above.
    static let marksPerCell = 3
    /// In place of what may not be shown.
    static let placeholder = "\u{B7}"

    struct Cell: Hashable {
        var text: String
        /// 1 or 2 columns.
        var width: Int
    }

    /// - Parameter isASCII: the terminal knows nothing else; everything beyond becomes a question mark.
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

    /// Controls, bidirectional overrides and whatever else is no visible sign.
    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    // glibc's locale objects are never changed after they are made, so any thread may use this one.
    nonisolated(unsafe) private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// By the C library's own table, which is the one that ncurses asks.
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        guard let locale else { return 1 }
        let before = uselocale(locale)
        defer { uselocale(before) }
        return Int(wcwidth(wchar_t(bitPattern: scalar.value)))
    }
}
