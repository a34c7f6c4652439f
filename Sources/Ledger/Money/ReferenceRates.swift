import Chronology

/// Reads the files of reference rates that central banks publish.
///
/// ECB, `eurofxref.csv` and `eurofxref-hist.csv`: a column for each currency, with its units for one euro. RBI and
/// FBIL: a row for each pair (`INR / 100 JPY`), or a column for each currency with rupees for one unit, for 100 yen.
public enum ReferenceRates {
    /// A line that cannot be read.
    public struct Defect: Error, Hashable, Sendable, CustomStringConvertible {
        /// From 1.
        public var line: Int
        public var problem: String

        public var description: String { "line \(line): \(problem)" }
    }

    /// - Parameter source: the layout of the file.
    /// - Throws: a ``Defect`` for the first line that is neither rates nor empty. `N/A` and `-` mean a missing rate.
    public static func read(_ text: String, from source: ExchangeRate.Source) throws(Defect) -> [ExchangeRate] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard let first = lines.firstIndex(where: { !cells($0).allSatisfy(\.isEmpty) }) else {
            throw Defect(line: 1, problem: "the file is empty")
        }
        let header = cells(lines[first])
        guard header.first?.lowercased() == "date" else {
            throw Defect(line: first + 1, problem: "the first column must be 'Date'")
        }
        let pairColumn = header.firstIndex { $0.lowercased().contains("pair") }
        let columns = try header.dropFirst().map { name throws(Defect) -> Unit? in
            if pairColumn != nil || name.isEmpty { return nil }
            return try unit(name, source, line: first + 1)
        }
        var rates: [ExchangeRate] = []
        for (index, line) in lines.enumerated().dropFirst(first + 1) {
            let cells = cells(line)
            guard !cells.allSatisfy(\.isEmpty) else { continue }
            guard let day = day(cells[0]) else {
                throw Defect(line: index + 1, problem: "'\(cells[0].prefix(40))' is not a date")
            }
            if let pairColumn {
                guard cells.count == header.count else {
                    throw Defect(line: index + 1, problem: "\(header.count) columns are expected")
                }
                let unit = try unit(cells[pairColumn], source, line: index + 1)
                if let rate = try rate(cells[header.count - 1], unit, day, source, line: index + 1) {
                    rates.append(rate)
                }
                continue
            }
            for (cell, unit) in zip(cells.dropFirst(), columns) {
                if let unit, let rate = try rate(cell, unit, day, source, line: index + 1) { rates.append(rate) }
            }
        }
        return rates
    }

    /// A currency and the number of its units that a rate is for.
    private struct Unit {
        var currency: Currency
        var count: Int64
    }

    /// `USD`; `EURO`; `YEN`; `INR / 100 JPY`.
    private static func unit(_ name: String, _ source: ExchangeRate.Source, line: Int) throws(Defect) -> Unit {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let found = words.compactMap { Currency.named($0.lowercased()) }.filter { $0.isKnown && $0 != .inr }
        guard let currency = found.last else {
            throw Defect(line: line, problem: "'\(name.prefix(40))' is not a currency")
        }
        let printed = words.compactMap { Int64($0) }.first
        guard printed.map({ (1...1000).contains($0) }) ?? true else {
            throw Defect(line: line, problem: "'\(name.prefix(40))' is not a pair")
        }
        let hundred = source == .rbi && currency.code == "JPY"
        return Unit(currency: currency, count: printed ?? (hundred ? 100 : 1))
    }

    private static func rate(
        _ cell: String, _ unit: Unit, _ day: CalendarDate, _ source: ExchangeRate.Source, line: Int
    ) throws(Defect) -> ExchangeRate? {
        if cell.isEmpty || cell == "N/A" || cell == "-" { return nil }
        let euro = Currency(code: "EUR") ?? .inr
        let (base, quote) = source == .ecb ? (euro, unit.currency) : (unit.currency, Currency.inr)
        guard let billionths = ExchangeRate.billionths(cell),
            let rate = ExchangeRate(
                day: day, base: base, quote: quote, billionths: billionths / unit.count, source: source)
        else { throw Defect(line: line, problem: "'\(cell.prefix(40))' is not a rate") }
        return rate
    }

    /// `2026-11-20`, `20 November 2026`, `20-Nov-2026`, `20/11/2026`.
    private static func day(_ text: String) -> CalendarDate? {
        if let day = CalendarDate(iso: text) { return day }
        let parts = text.split { " /-.".contains($0) }
        guard parts.count == 3, let day = Int(parts[0]), let year = Int(parts[2]) else { return nil }
        let month = Int(parts[1]) ?? MonthName.month(abbreviated: Array(parts[1].utf8.prefix(3)))
        return month.flatMap { CalendarDate(year: year, month: $0, day: day) }
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
            var cell = cell.drop { $0.isWhitespace || $0 == "\"" || $0 == "\u{FEFF}" }
            while let last = cell.last, last.isWhitespace || last == "\"" { cell.removeLast() }
            return String(cell)
        }
    }
}
