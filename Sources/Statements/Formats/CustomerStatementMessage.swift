import Chronology
import Ledger

/// Statements in MT940, the customer statement message of SWIFT (category 9): several messages of one account follow
/// each other.
struct CustomerStatementMessage {
    static func isFormat(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = FormatText.decoded(bytes.prefix(512)).drop { $0.isWhitespace }
        guard head.hasPrefix(":20:") || head.hasPrefix("{1:") else { return false }
        return FormatText.decoded(bytes).contains(":60")
    }

    private struct Field {
        var tag: String
        var line: Int
        var lines: [String]
    }

    private struct Balance {
        var units: Int64
        var day: CalendarDate
    }

    private var statement: BankStatement
    private var hasCurrency = false
    /// Between the balances of a message.
    private var isOpen = false
    /// Days of the first and last balance.
    private var first: CalendarDate?
    private var last: CalendarDate?

    static func read(
        _ bytes: ArraySlice<UInt8>, currency: Currency
    ) throws(StatementReadingError) -> BankStatement {
        var reader = CustomerStatementMessage(statement: BankStatement(currency: currency))
        for field in try fields(bytes) { try reader.add(field) }
        var statement = reader.statement
        if let first = reader.first, let last = reader.last, first <= last, !statement.lines.isEmpty {
            // The opening balance is of the day before.
            let days = statement.lines.map(\.day)
            statement.period = DaySpan(days.min() ?? first, through: max(last, days.max() ?? last))
        }
        return try statement.proven()
    }

    private init(statement: BankStatement) { self.statement = statement }

    /// `:61:…`, with the lines that continue it.
    private static func fields(_ bytes: ArraySlice<UInt8>) throws(StatementReadingError) -> [Field] {
        var fields: [Field] = []
        for (number, text) in try FormatText.lines(bytes) {
            // The envelope of the message.
            var text = text
            if text.hasPrefix("{"), let start = text.firstRange(of: "{4:")?.upperBound { text = text[start...] }
            if text.isEmpty || text.hasPrefix("{") || text == "-" || text.hasPrefix("-}") { continue }
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count == 3, parts[0].isEmpty, (2...3).contains(parts[1].count), parts[1].first?.isNumber == true {
                fields.append(Field(tag: String(parts[1]), line: number, lines: [String(parts[2])]))
            } else if let last = fields.indices.last {
                fields[last].lines.append(String(text))
            }
        }
        return fields
    }

    private mutating func add(_ field: Field) throws(StatementReadingError) {
        let text = field.lines.first ?? ""
        switch field.tag {
        case "25":
            if let account = statement.accountNumber, account != text { throw .severalAccounts }
            statement.accountNumber = text
        case "60F", "60M":
            let balance = try balance(text, field.line)
            try statement.open(with: balance.units, row: field.line)
            if first == nil { first = balance.day }
            isOpen = true
        case "61": try addMovement(field, text)
        case "86":
            // After the closing balance it describes the whole message.
            guard isOpen, let last = statement.lines.indices.last, statement.lines[last].text.isEmpty else {
                return
            }
            statement.lines[last].text = Self.description(field.lines)
        case "62F", "62M":
            let balance = try balance(text, field.line)
            statement.close(with: balance.units)
            (last, isOpen) = (balance.day, false)
        default: return
        }
    }

    /// `C260131EUR1234,56`.
    private mutating func balance(_ text: String, _ line: Int) throws(StatementReadingError) -> Balance {
        let code = text.dropFirst(7).prefix(3)
        guard let mark = text.first, mark == "C" || mark == "D", let day = Self.day(text.dropFirst().prefix(6)),
            let currency = Currency(code: code)
        else { throw .unreadableRow(line) }
        if hasCurrency, currency != statement.currency { throw .severalAccounts }
        (statement.currency, hasCurrency) = (currency, true)
        guard let units = Self.units(text.dropFirst(10), currency) else { throw .unreadableRow(line) }
        return Balance(units: mark == "D" ? -units : units, day: day)
    }

    /// `2601050105DR12,50NTRFREF//BANKREF`: value date, entry date, mark, third letter of the currency, amount, type of
    /// the transaction, references.
    private mutating func addMovement(_ field: Field, _ text: String) throws(StatementReadingError) {
        var rest = text[...]
        guard let valueDay = Self.day(rest.prefix(6)) else { throw .unreadableRow(field.line) }
        rest = rest.dropFirst(6)
        let entry = rest.prefix(4)
        var day = valueDay
        if entry.count == 4, entry.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
            guard let near = Self.day(entry, near: valueDay) else { throw .unreadableRow(field.line) }
            day = near
            rest = rest.dropFirst(4)
        }
        guard let mark = ["RC", "RD", "C", "D"].first(where: rest.hasPrefix) else { throw .unreadableRow(field.line) }
        rest = rest.dropFirst(mark.count)
        if rest.first?.isLetter == true { rest = rest.dropFirst() }
        let amount = rest.prefix { $0.isNumber || $0 == "," }
        guard let units = Self.units(amount, statement.currency) else { throw .unreadableRow(field.line) }
        rest = rest.dropFirst(amount.count).dropFirst(4)
        let isOutgoing = mark == "D" || mark == "RC"
        let references = rest.split(separator: "//", maxSplits: 1).map { String($0.trimmingBlanks) }
        var line = StatementLine(
            row: field.line, day: day, change: isOutgoing ? -units : units, text: "")
        line.valueDay = valueDay
        line.reference = references.first { !$0.isEmpty && $0 != "NONREF" }
        if units != 0 { statement.lines.append(line) }
    }

    private static func units(_ text: Substring, _ currency: Currency) -> Int64? {
        text.contains(",") && !text.contains(".") ? FormatText.minorUnits(text, currency) : nil
    }

    /// `yymmdd` of this century.
    private static func day(_ text: Substring) -> CalendarDate? {
        guard text.utf8.count == 6, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return CalendarDate(iso: "20\(text.prefix(2))-\(text.dropFirst(2).prefix(2))-\(text.suffix(2))")
    }

    /// `mmdd`, in the year in which it is nearest to the value date.
    private static func day(_ text: Substring, near valueDay: CalendarDate) -> CalendarDate? {
        (-1...1).compactMap { offset in
            CalendarDate(iso: "\(valueDay.year + offset)-\(text.prefix(2))-\(text.suffix(2))")
        }.min { abs($0.daysSince1970 - valueDay.daysSince1970) < abs($1.daysSince1970 - valueDay.daysSince1970) }
    }

    /// Field 86: its text, or the name and the purpose of the numbered parts (`166?00…?20…?32…`).
    private static func description(_ lines: [String]) -> String {
        let text = lines.joined()
        let head = text.prefix(4)
        guard head.count == 4, head.dropFirst(3) == "?", head.prefix(3).allSatisfy(\.isNumber) else {
            return FormatText.collapsed(lines)
        }
        let parts = text.dropFirst(4).split(separator: "?").map {
            (key: Int($0.prefix(2)), text: String($0.dropFirst(2)))
        }
        func joined(_ keys: [ClosedRange<Int>]) -> String {
            parts.filter { part in part.key.map { key in keys.contains { $0.contains(key) } } ?? false }.map(\.text)
                .joined()
        }
        return FormatText.collapsed([joined([32...33]), joined([20...29, 60...63])])
    }
}
