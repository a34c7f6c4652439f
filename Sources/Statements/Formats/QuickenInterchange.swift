import Chronology
import Ledger

/// Movements in QIF, the Quicken Interchange Format: one record for each movement, one field a line, `^` at its end.
enum QuickenInterchange {
    static func isFormat(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = FormatText.decoded(bytes.prefix(64)).drop { $0.isWhitespace }.lowercased()
        return head.hasPrefix("!type:") || head.hasPrefix("!account") || head.hasPrefix("!option:")
    }

    private struct Record {
        /// The line on which it ends.
        var line = 0
        var fields: [Character: String] = [:]
    }

    private static let movementTypes: Set<String> = ["bank", "ccard", "cash", "oth a", "oth l"]

    static func read(
        _ bytes: ArraySlice<UInt8>, currency: Currency
    ) throws(StatementReadingError) -> BankStatement {
        let records = try records(bytes)
        let order = try FileDateOrder(records.map { ($0.line, $0.fields["D"] ?? "") })
        var statement = BankStatement(currency: currency)
        for record in records {
            guard let day = order.day(record.fields["D"] ?? ""),
                let amount = record.fields["T"] ?? record.fields["U"], let change = units(amount, currency)
            else { throw .unreadableRow(record.line) }
            if statement.lines.isEmpty, statement.opening == nil, record.fields["P"]?.lowercased() == "opening balance"
            {
                statement.opening = change
                continue
            }
            if change == 0 { continue }
            let text = FormatText.collapsed([record.fields["P"], record.fields["M"]])
            var line = StatementLine(row: record.line, day: day, change: change, text: text)
            line.reference = record.fields["N"]
            statement.lines.append(line)
        }
        return try statement.proven()
    }

    /// The records of movements. Records of other sections, such as lists of categories, are left out.
    private static func records(_ bytes: ArraySlice<UInt8>) throws(StatementReadingError) -> [Record] {
        var (records, record): ([Record], Record) = ([], Record())
        var (isMovement, sections) = (false, 0)
        for (number, text) in try FormatText.lines(bytes) {
            guard let code = text.first else { continue }
            let value = String(text.dropFirst().trimmingBlanks)
            switch code {
            case "!":
                // The `^` of the record before is missing.
                guard record.fields.isEmpty || !isMovement else { throw .unreadableRow(number) }
                record = Record()
                let type = value.lowercased()
                guard type.hasPrefix("type:") else {
                    // A section that describes an account or sets an option.
                    isMovement = false
                    continue
                }
                let name = type.dropFirst(5).trimmingBlanks
                guard name != "invst" else { throw .unknownFormat }
                isMovement = movementTypes.contains(String(name))
                sections += isMovement ? 1 : 0
                guard sections <= 1 else { throw .severalAccounts }
            case "^":
                record.line = number
                if isMovement, !record.fields.isEmpty { records.append(record) }
                record = Record()
            // The parts of a split payment; only its whole amount is read.
            case "S", "E", "$", "%": continue
            default: if record.fields[code] == nil, !value.isEmpty { record.fields[code] = value }
            }
        }
        // A file must end with `^`: fields after the last one are of a record that was cut.
        guard record.fields.isEmpty || !isMovement else { throw .unreadableRow((records.last?.line ?? 0) + 1) }
        return records
    }

    private static func units(_ text: String, _ currency: Currency) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }
        guard text.utf8.count - digits.utf8.count <= 1 else { return nil }
        return Money(localized: Array(digits.utf8)[...], currency: currency, decimal: nil)
            .map { isNegative ? -$0.minorUnits : $0.minorUnits }
    }
}

/// The order of day, month and year in the dates of a file whose format does not fix it. It is the order in which every
/// date is a day of the calendar. If several orders fit, it is the one in which the days are sorted.
struct FileDateOrder {
    private let order: DateOrder

    /// - Parameter dates: the dates with their line numbers.
    init(_ dates: [(line: Int, text: String)]) throws(StatementReadingError) {
        var orders = DateOrder.allCases
        for (line, text) in dates {
            orders.removeAll { Self.day(text, $0) == nil }
            if orders.isEmpty { throw .unreadableRow(line) }
        }
        // Dates that give the same days in each order need no decision.
        let readings = orders.map { order in dates.compactMap { Self.day($0.text, order) } }
        let sorted = orders.indices.filter { index in
            let days = readings[index]
            return days == days.sorted() || days == days.sorted(by: >)
        }
        if Set(readings).count <= 1, let first = orders.first {
            order = first
        } else if sorted.count == 1 {
            order = orders[sorted[0]]
        } else {
            throw .ambiguousDates
        }
    }

    func day(_ text: String) -> CalendarDate? { Self.day(text, order) }

    /// `31/12/2026`, `12/31'26`, `2026-12-31`, ` 1/ 5/26`.
    private static func day(_ text: String, _ order: DateOrder) -> CalendarDate? {
        let parts = text.split(omittingEmptySubsequences: false) { "/-.'".contains($0) }.map(\.trimmingBlanks)
        guard parts.count == 3, parts.allSatisfy({ (1...4).contains($0.utf8.count) }) else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(part) : nil
        }
        guard numbers.count == 3 else { return nil }
        let places =
            switch order {
            case .dayFirst: (2, 1, 0)
            case .monthFirst: (2, 0, 1)
            case .yearFirst: (0, 1, 2)
            }
        let digits = parts[places.0].utf8.count
        guard digits == 4 || digits == 2 && order != .yearFirst else { return nil }
        // A year of two digits is of this century: no user imports statements from before 2000.
        let year = numbers[places.0] + (digits == 2 ? 2000 : 0)
        return CalendarDate(year: year, month: numbers[places.1], day: numbers[places.2])
    }
}
