import Chronology
import Ledger

/// Statements in camt.053 (ISO 20022, BankToCustomerStatement): those of one account, one after the other.
struct BankToCustomerStatement {
    static func isFormat(_ head: String) -> Bool { head.contains("camt.053") || head.contains("<bktocstmrstmt") }

    private var statement: BankStatement
    private var hasCurrency = false
    private var row = 0

    static func read(
        _ bytes: ArraySlice<UInt8>, currency: Currency
    ) throws(StatementReadingError) -> BankStatement {
        guard let root = MarkupDocument(xml: bytes)?.root else { throw .unknownFormat }
        var reader = BankToCustomerStatement(statement: BankStatement(currency: currency))
        for part in root.first("BkToCstmrStmt")?.children("Stmt") ?? [] { try reader.add(part) }
        return try reader.statement.proven()
    }

    private init(statement: BankStatement) { self.statement = statement }

    private mutating func add(_ part: MarkupElement) throws(StatementReadingError) {
        let number = part.first("Acct", "Id", "IBAN")?.text ?? part.first("Acct", "Id", "Othr", "Id")?.text ?? ""
        if let account = statement.accountNumber, account != number { throw .severalAccounts }
        statement.accountNumber = number
        let balances = part.children("Bal")
        func balance(_ codes: [String]) -> MarkupElement? {
            balances.first { codes.contains($0.first("Tp", "CdOrPrtry", "Cd")?.text ?? "") }
        }
        // PRCD: the closing balance of the statement before.
        if let opening = balance(["OPBD", "PRCD"]) { try statement.open(with: try units(opening), row: row + 1) }
        for entry in part.children("Ntry") { try addMovement(entry) }
        if let closing = balance(["CLBD"]) { statement.close(with: try units(closing)) }
    }

    private mutating func addMovement(_ entry: MarkupElement) throws(StatementReadingError) {
        row += 1
        guard row <= SeparatedText.maximumRows else {
            throw .tooLarge(limit: .rows, maximum: SeparatedText.maximumRows)
        }
        // Announced movements are not booked yet.
        let status = entry.first("Sts", "Cd")?.text ?? entry.first("Sts")?.text
        guard status == "BOOK" else { return }
        let change = try units(entry)
        guard let day = Self.day(entry.first("BookgDt")) ?? Self.day(entry.first("ValDt")) else {
            throw .unreadableRow(row)
        }
        if change == 0 { return }
        let details = entry.children("NtryDtls").flatMap { $0.children("TxDtls") }
        let parties = details.first?.first("RltdPties")
        let party = parties?.first(change < 0 ? "Cdtr" : "Dbtr")
        let texts = details.flatMap { $0.first("RmtInf")?.children("Ustrd") ?? [] }.map(\.text)
        var line = StatementLine(
            row: row, day: day, change: change,
            text: FormatText.collapsed(
                [party?.first("Nm")?.text ?? party?.first("Pty", "Nm")?.text] + texts
                    + [texts.isEmpty ? entry.first("AddtlNtryInf")?.text : nil]))
        line.valueDay = Self.day(entry.first("ValDt"))
        let references = [
            details.count == 1 ? details.first?.first("Refs", "EndToEndId")?.text : nil,
            entry.first("AcctSvcrRef")?.text, entry.first("NtryRef")?.text,
        ]
        line.reference = references.compactMap(\.self).first { !$0.isEmpty && $0 != "NOTPROVIDED" }
        statement.lines.append(line)
    }

    /// The amount of a balance or an entry with the sign of its mark.
    private mutating func units(_ element: MarkupElement) throws(StatementReadingError) -> Int64 {
        guard let amount = element.first("Amt"), let code = amount.attribute("Ccy"),
            let currency = Currency(code: code),
            let mark = element.first("CdtDbtInd")?.text, mark == "CRDT" || mark == "DBIT",
            let units = FormatText.minorUnits(amount.text, currency), units >= 0
        else { throw .unreadableRow(row) }
        if hasCurrency, currency != statement.currency { throw .severalAccounts }
        (statement.currency, hasCurrency) = (currency, true)
        return mark == "DBIT" ? -units : units
    }

    /// `Dt` or `DtTm`, the day as written.
    private static func day(_ element: MarkupElement?) -> CalendarDate? {
        (element?.first("Dt") ?? element?.first("DtTm")).flatMap { CalendarDate(iso: $0.text.prefix(10)) }
    }
}
