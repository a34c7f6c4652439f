import Chronology
import PackedFiles

/// The sheets of a workbook in Office Open XML (`.xlsx`, ECMA-376 part 1, section 18), with dates as yyyy-mm-dd.
struct Workbook {
    static func isFormat(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// A statement of a year unpacks to some megabytes.
    private static var limits: PackedFile.Limits {
        var limits = PackedFile.Limits()
        (limits.members, limits.free, limits.bytes) = (1000, 16 << 20, 128 << 20)
        return limits
    }

    /// Sheets that are read.
    private static let maximumSheets = 20
    /// Columns of a row; ECMA-376 allows 16,384.
    private static let maximumColumns = 200

    private let strings: [String]
    private let dates: DateStyles
    private let startsIn1904: Bool

    /// The rows of each sheet, in the order of the files' names.
    static func sheets(_ bytes: [UInt8]) throws(StatementReadingError) -> [[SeparatedText.Row]] {
        var files: [String: [UInt8]]?
        do throws(PackedFileError) {
            files = try PackedFile.files(in: bytes, limits: Self.limits) {
                $0.hasPrefix("xl/") && $0.hasSuffix(".xml")
            }
        } catch { throw .unknownFormat }
        guard let files, let main = files["xl/workbook.xml"] else { throw .unknownFormat }
        let workbook = Workbook(files, main)
        let names = files.keys.filter { $0.hasPrefix("xl/worksheets/sheet") }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        var sheets: [[SeparatedText.Row]] = []
        for name in names.prefix(Self.maximumSheets) {
            guard let root = files[name].flatMap({ MarkupDocument(xml: $0[...])?.root }) else { continue }
            sheets.append(try workbook.rows(root))
        }
        return sheets
    }

    private init(_ files: [String: [UInt8]], _ main: [UInt8]) {
        func root(_ name: String) -> MarkupElement? { files[name].flatMap { MarkupDocument(xml: $0[...])?.root } }
        strings = root("xl/sharedStrings.xml")?.children("si").map(Self.text) ?? []
        dates = DateStyles(root("xl/styles.xml"))
        let properties = MarkupDocument(xml: main[...])?.root?.first("workbookPr")
        startsIn1904 = ["1", "true"].contains(properties?.attribute("date1904") ?? "")
    }

    /// The text of a string without the reading aids of Japanese texts.
    private static func text(_ item: MarkupElement) -> String {
        let runs = item.children.filter { $0.name == "t" || $0.name == "r" }
        return FormatText.collapsed([runs.map { $0.name == "t" ? $0.rawText : $0.first("t")?.rawText ?? "" }.joined()])
    }

    private func rows(_ sheet: MarkupElement) throws(StatementReadingError) -> [SeparatedText.Row] {
        var (rows, count): ([SeparatedText.Row], Int) = ([], 0)
        for row in sheet.first("sheetData")?.children("row") ?? [] {
            var cells: [String] = []
            for cell in row.children("c") {
                let column = cell.attribute("r").flatMap(Self.column) ?? cells.count
                let value = value(of: cell)
                // Empty cells with a style may be anywhere.
                if value.isEmpty, column >= cells.count { continue }
                guard column < Self.maximumColumns else {
                    throw .tooLarge(limit: .columns, maximum: Self.maximumColumns)
                }
                while cells.count <= column { cells.append("") }
                cells[column] = value
            }
            rows.append(SeparatedText.Row(line: row.attribute("r").flatMap { Int($0) } ?? rows.count + 1, cells: cells))
            count += cells.count
            guard rows.count <= SeparatedText.maximumRows else {
                throw .tooLarge(limit: .rows, maximum: SeparatedText.maximumRows)
            }
            guard count <= SeparatedText.maximumCells else {
                throw .tooLarge(limit: .cells, maximum: SeparatedText.maximumCells)
            }
        }
        return rows
    }

    /// The number from 0 of the column of a reference: 27 of `AB3`.
    private static func column(_ reference: String) -> Int? {
        let letters = reference.utf8.prefix { $0 >= 0x41 && $0 <= 0x5A }
        guard (1...3).contains(letters.count) else { return nil }
        return letters.reduce(0) { $0 * 26 + Int($1 - 0x40) } - 1
    }

    private func value(of cell: MarkupElement) -> String {
        let raw = cell.first("v")?.text ?? ""
        switch cell.attribute("t") {
        case "s": return Int(raw).flatMap { strings.indices.contains($0) ? strings[$0] : nil } ?? ""
        case "inlineStr": return cell.first("is").map(Self.text) ?? ""
        case "d": return String(raw.prefix(10))
        case nil, "n":
            guard let number = Double(raw), number.isFinite else { return raw }
            if let style = cell.attribute("s").flatMap({ Int($0) }), dates.contains(style) { return day(number) ?? raw }
            // The shortest number that is the same: 98749.509999999995 is 98749.51.
            return number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        default: return raw
        }
    }

    /// Days since 1899-12-30, or since 1904-01-01 (section 18.17.4.1).
    private func day(_ number: Double) -> String? {
        let epoch = startsIn1904 ? -24_107.0 : -25_569.0
        let days = number.rounded(.down) + epoch
        // Years from 1900 to 9999.
        guard (-25_567.0...2_932_896.0).contains(days) else { return nil }
        return CalendarDate(daysSince1970: Int(days)).description
    }
}

/// The cell styles of a workbook that show a number as a date (section 18.8.30).
fileprivate struct DateStyles {
    private let styles: Set<Int>

    /// Built-in formats of dates.
    private static let builtIn: [ClosedRange<Int>] = [14...17, 22...22, 27...31, 36...36, 50...54, 57...58]

    init(_ root: MarkupElement?) {
        var formats: Set<Int> = []
        for format in root?.first("numFmts")?.children("numFmt") ?? [] {
            guard let id = format.attribute("numFmtId").flatMap({ Int($0) }), let code = format.attribute("formatCode")
            else { continue }
            if Self.showsDate(code) { formats.insert(id) }
        }
        var styles: Set<Int> = []
        for (index, style) in (root?.first("cellXfs")?.children("xf") ?? []).enumerated() {
            guard let id = style.attribute("numFmtId").flatMap({ Int($0) }) else { continue }
            if formats.contains(id) || Self.builtIn.contains(where: { $0.contains(id) }) { styles.insert(index) }
        }
        self.styles = styles
    }

    func contains(_ style: Int) -> Bool { styles.contains(style) }

    /// True if letters of a day or a year are outside of quotes, brackets and escapes.
    private static func showsDate(_ code: String) -> Bool {
        var (isQuoted, isBracketed, isEscaped) = (false, false, false)
        for character in code.lowercased() {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch character {
            case "\\", "_", "*": isEscaped = true
            case "\"": isQuoted.toggle()
            case "[": isBracketed = true
            case "]": isBracketed = false
            case "d" where !isQuoted && !isBracketed, "y" where !isQuoted && !isBracketed: return true
            default: break
            }
        }
        return false
    }
}
