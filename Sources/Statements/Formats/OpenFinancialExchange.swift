import Chronology
import Ledger

/// Statements in OFX 1.x (SGML, in which values have no end tag), OFX 2.x (XML) and QFX: OFX specification 2.2,
/// sections 11.4 and 11.3.
struct OpenFinancialExchange {
    /// Bytes in which a file names itself.
    private static let head = 2048

    static func isFormat(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = FormatText.decoded(bytes.prefix(Self.head)).uppercased()
        return head.contains("OFXHEADER") || head.contains("<OFX>")
    }

    /// Movements of one file: far more than a year of a busy account.
    private static let maximumLines = 100_000

    private var statement: BankStatement
    private var hasStatement = false
    /// The movement or the balance that is being read, by the name of its element.
    private var aggregate: String?
    /// The values of the movement, or of the balance, that is being read.
    private var values: [String: String] = [:]
    private var row = 0
    private var ledgerBalance: (units: Int64, day: CalendarDate)?
    private var lastDay: CalendarDate?
    private var firstDay: CalendarDate?

    static func read(
        _ bytes: ArraySlice<UInt8>, currency: Currency
    ) throws(StatementReadingError) -> BankStatement {
        var reader = OpenFinancialExchange(statement: BankStatement(currency: currency))
        let text = FormatText.decoded(bytes)
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...].dropFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { throw .unreadableRow(reader.row + 1) }
            let tag = rest[..<end]
            rest = rest[rest.index(after: end)...]
            let value = rest.prefix { $0 != UInt8(ascii: "<") }
            try reader.element(String(tag) ?? "", String(value) ?? "")
        }
        guard reader.hasStatement else { throw .noTable }
        // A movement that does not end was cut.
        guard reader.aggregate != "STMTTRN" else { throw .unreadableRow(reader.row) }
        return try reader.result().proven()
    }

    private init(statement: BankStatement) { self.statement = statement }

    private mutating func element(_ tag: String, _ text: String) throws(StatementReadingError) {
        if tag.hasPrefix("?") || tag.hasPrefix("!") { return }
        let isEnd = tag.hasPrefix("/")
        // Without attributes, which OFX does not use.
        let name = tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" }.uppercased()
        if isEnd { return try end(name) }
        let value = Self.unescaped(text[...].trimmingBlanks)
        if value.isEmpty { return try begin(name) }
        // A value of an aggregate within a movement, such as the payee's address, does not replace the movement's own.
        if values[name] == nil { values[name] = value }
        if aggregate != "STMTTRN" { try note(name, value) }
    }

    private mutating func begin(_ name: String) throws(StatementReadingError) {
        switch name {
        case "STMTRS", "CCSTMTRS": hasStatement = true
        case "STMTTRN":
            try addMovement()
            values = [:]
            row += 1
            guard row <= Self.maximumLines else { throw .tooLarge(limit: .rows, maximum: Self.maximumLines) }
            aggregate = "STMTTRN"
        case "LEDGERBAL", "AVAILBAL":
            try addMovement()
            values = [:]
            aggregate = name
        default: break
        }
    }

    private mutating func end(_ name: String) throws(StatementReadingError) {
        switch name {
        case "STMTTRN", "BANKTRANLIST": try addMovement()
        case "LEDGERBAL":
            if let amount = values["BALAMT"], let units = FormatText.minorUnits(amount, statement.currency),
                let day = values["DTASOF"].flatMap(Self.day)
            {
                ledgerBalance = (units, day)
            }
            (aggregate, values) = (nil, [:])
        case "AVAILBAL": (aggregate, values) = (nil, [:])
        default: break
        }
    }

    /// A value outside movements.
    private mutating func note(_ name: String, _ value: String) throws(StatementReadingError) {
        switch name {
        case "CURDEF":
            guard let currency = Currency(code: value) else { throw .unreadableRow(row + 1) }
            statement.currency = currency
        case "ACCTID":
            if let account = statement.accountNumber, account != value { throw .severalAccounts }
            statement.accountNumber = value
        case "DTSTART": firstDay = Self.day(value)
        case "DTEND": lastDay = Self.day(value)
        default: break
        }
    }

    private mutating func addMovement() throws(StatementReadingError) {
        guard aggregate == "STMTTRN" else { return }
        defer { (aggregate, values) = (nil, [:]) }
        guard let amount = values["TRNAMT"], let change = FormatText.minorUnits(amount, statement.currency),
            let day = values["DTPOSTED"].flatMap(Self.day)
        else { throw .unreadableRow(row) }
        // Some banks list notes as movements of nothing.
        if change == 0 { return }
        let memo = values["MEMO"].flatMap { $0 == values["NAME"] ? nil : $0 }
        var line = StatementLine(
            row: row, day: day, change: change, text: FormatText.collapsed([values["NAME"], memo]))
        line.valueDay = values["DTAVAIL"].flatMap(Self.day)
        line.reference = values["REFNUM"] ?? values["CHECKNUM"] ?? values["FITID"]
        statement.lines.append(line)
    }

    private func result() -> BankStatement {
        var statement = statement
        if let firstDay, let lastDay, firstDay <= lastDay {
            statement.period = DaySpan(firstDay, through: lastDay)
        }
        // The balance of another day than the last may contain other movements.
        let last = lastDay ?? statement.lines.map(\.day).max()
        if let ledgerBalance, ledgerBalance.day == last { statement.closing = ledgerBalance.units }
        return statement
    }

    /// The day as written: `20260105`, `20260105120000.000[+5.5:IST]`.
    private static func day(_ text: String) -> CalendarDate? {
        let digits = text.prefix(8)
        guard digits.utf8.count == 8, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return CalendarDate(iso: "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        // The ampersand last: `&amp;lt;` is `&lt;`.
        let names = [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&apos;", "'"), ("&quot;", "\""), ("&amp;", "&")]
        var plain = String(text)
        for (name, character) in names { plain = plain.replacing(name, with: character) }
        return plain
    }
}
