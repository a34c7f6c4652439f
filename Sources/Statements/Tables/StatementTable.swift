import Chronology
import Ledger
import Profiles

/// The table of a statement: its header row is found by words, and each row below it becomes a line.
struct StatementTable {
    /// Address and account come first; a table begins on the first page.
    static let maximumRowsBeforeHeader = 200

    let rows: ArraySlice<SeparatedText.Row>
    let words: StatementWords
    let columns: [StatementWords.Role: Int]
    let currency: Currency
    /// As a line above the table prints it.
    private var accountNumber: String?
    /// True for the table of a card: amounts without a sign are purchases, and payments have the word for incoming.
    private var plainIsOutgoing = false

    init(rows: [SeparatedText.Row], words: StatementWords, currency: Currency) throws(StatementReadingError) {
        for (index, row) in rows.prefix(Self.maximumRowsBeforeHeader).enumerated() {
            guard let columns = Self.columns(of: row, words) else { continue }
            self.rows = rows[(index + 1)...]
            self.words = words
            self.columns = columns
            let column = words.isList ? nil : columns[.currency]
            let first = column.flatMap { column in
                rows[(index + 1)...].first { $0.cells.count > column && !$0.cells[column].isEmpty }?.cells[column]
            }
            self.currency = first.flatMap { Currency.named($0) } ?? currency
            accountNumber =
                rows[..<index].lazy.compactMap {
                    words.accountNumber(in: $0.cells.joined(separator: " "))
                }.first
            plainIsOutgoing = words.unsigned.map { $0 == .outgoing } ?? hasOnlyIncomingSigns()
            return
        }
        throw .noTable
    }

    /// True if the table marks incoming amounts only, as statements of cards do: an amount without a mark is then
    /// outgoing.
    private func hasOnlyIncomingSigns() -> Bool {
        guard columns[.amount] != nil, columns[.debit] == nil else { return false }
        var hasIncoming = false
        for row in rows {
            let sign = columns[.sign] == nil ? Self.sign(of: cell(.amount, row), words).word : cell(.sign, row)
            if words.isWord(sign, of: .outgoing) || cell(.amount, row).contains("-") { return false }
            if words.isWord(sign, of: .incoming) { hasIncoming = true }
        }
        return hasIncoming
    }

    /// The letters at the end of an amount, as in `50.00 Dr` and `50.00(Dr)`, and what is before them.
    static func sign(of cell: String, _ words: StatementWords) -> (amount: Substring, word: String) {
        var text = cell[...].trimmingBlanks
        let isEnclosed = text.last == ")" && text.dropLast().last?.isLetter == true
        if isEnclosed { text.removeLast() }
        let word = String(text.reversed().prefix { $0.isLetter || $0 == "." }.reversed())
        guard words.isWord(word, of: .outgoing) || words.isWord(word, of: .incoming) else { return (cell[...], "") }
        text = text.dropLast(word.count).trimmingBlanks
        if isEnclosed, text.last == "(" { text.removeLast() }
        return (text, word)
    }

    static func columns(of row: SeparatedText.Row, _ words: StatementWords) -> [StatementWords.Role: Int]? {
        var columns: [StatementWords.Role: Int] = [:]
        for (index, cell) in row.cells.enumerated() {
            let role = StatementWords.Role.columns.first { columns[$0] == nil && words.isWord(cell, of: $0) }
            if let role {
                columns[role] = index
            } else if columns[.balance] == index - 1, words.isWord(cell, of: .sign) {
                columns[.balanceSign] = index
            }
        }
        let hasBoth = columns[.debit] != nil && columns[.credit] != nil
        // Two columns show the direction: a sign behind the balance is the balance's.
        if hasBoth, let sign = columns[.sign], columns[.balance] == sign - 1 {
            (columns[.sign], columns[.balanceSign]) = (nil, sign)
        }
        let hasAmounts = columns[.amount] != nil || hasBoth
        let isTable = hasAmounts && columns[.date] != nil && columns[.text] != nil
        return isTable && words.required.allSatisfy { columns[$0] != nil } ? columns : nil
    }

    /// The statement in the order in which its balances follow from each other.
    func statement() throws(StatementReadingError) -> BankStatement {
        if words.isList { return try payments() }
        var statement = BankStatement(currency: currency)
        statement.accountNumber = accountNumber
        for row in rows { try add(row, to: &statement) }
        do throws(StatementReadingError) { return try statement.proven() } catch {
            // A card may print its dues without a sign.
            guard columns[.balance] == nil, statement.opening != nil, statement.closing != nil else { throw error }
            (statement.opening, statement.closing) = (statement.opening.map(-), statement.closing.map(-))
            guard let proven = try? statement.proven() else { throw error }
            return proven
        }
    }

    func cell(_ role: StatementWords.Role, _ row: SeparatedText.Row) -> String {
        guard let column = columns[role], column < row.cells.count else { return "" }
        return row.cells[column]
    }

    private func add(_ row: SeparatedText.Row, to statement: inout BankStatement) throws(StatementReadingError) {
        let (text, date) = (cell(.text, row), cell(.date, row))
        for role in [StatementWords.Role.opening, .closing]
        where row.cells.contains(where: { words.isWord($0, of: role) }) {
            // A summary has it elsewhere, and a header has none.
            guard let balance = balance(of: row) ?? amount(cell(.amount, row)) else { return }
            if role == .opening { statement.opening = balance } else { statement.closing = balance }
            return
        }
        guard date.utf8.contains(where: { $0 &- 0x30 < 10 }) else {
            // The second line of a description; a row of totals has amounts.
            let others = [cell(.debit, row), cell(.credit, row), cell(.amount, row), cell(.balance, row)]
            if date.isEmpty, !text.isEmpty, others.allSatisfy(\.isEmpty), let last = statement.lines.indices.last {
                statement.lines[last].text += " " + text
            }
            return
        }
        let order = words.dateOrder
        guard let day = Self.day(date, order), let change = change(of: row) else {
            if isRemark(row, date) { return }
            throw .unreadableRow(row.line)
        }
        var line = StatementLine(row: row.line, day: day, change: change, text: text)
        line.valueDay = Self.day(cell(.valueDate, row), order)
        let reference = cell(.reference, row)
        line.balance = balance(of: row)
        guard cell(.balance, row).isEmpty || line.balance != nil else { throw .unreadableRow(row.line) }
        line.reference = reference.isEmpty || reference == "-" ? nil : reference
        statement.lines.append(line)
    }

    /// True for a summary or a remark below the lines: it has an amount in the place of the day, or a text there and no
    /// amount.
    private func isRemark(_ row: SeparatedText.Row, _ date: String) -> Bool {
        let hasAmount = [StatementWords.Role.debit, .credit, .amount].contains {
            cell($0, row).contains(where: \.isNumber)
        }
        return hasAmount ? PageBalances.isAmount(date) : date.first?.isNumber != true
    }

    /// `nil` without a year: two different years of arrival must give the same day.
    static func day(_ text: String, _ order: DateOrder = .dayFirst) -> CalendarDate? {
        let early = DateText.read(text.utf8, order: order, arrival: CalendarDate(daysSince1970: 0))
        let late = DateText.read(text.utf8, order: order, arrival: CalendarDate(daysSince1970: 80_000))
        return early == late ? early : nil
    }

    private func change(of row: SeparatedText.Row) -> Int64? {
        if columns[.debit] != nil, columns[.credit] != nil {
            let cells = [cell(.debit, row), cell(.credit, row)]
            let values = cells.map { amount($0)?.magnitude }
            // Banks leave the other column empty, or write 0.00 or a hyphen there.
            guard zip(cells, values).allSatisfy({ $0 == "" || $0 == "-" || $1 != nil }) else { return nil }
            let (debit, credit) = (Int64(values[0] ?? 0), Int64(values[1] ?? 0))
            return (debit == 0) != (credit == 0) ? credit - debit : nil
        }
        guard let value = amount(cell(.amount, row)) else { return nil }
        let sign = cell(.sign, row)
        if words.isWord(sign, of: .outgoing) { return -Int64(value.magnitude) }
        if words.isWord(sign, of: .incoming) { return Int64(value.magnitude) }
        return sign.isEmpty ? value : nil
    }

    /// The printed balance, with the sign in it or in a column of its own.
    private func balance(of row: SeparatedText.Row) -> Int64? {
        guard let value = amount(cell(.balance, row)) else { return nil }
        let sign = cell(.balanceSign, row)
        if words.isWord(sign, of: .outgoing) { return -Int64(value.magnitude) }
        return words.isWord(sign, of: .incoming) ? Int64(value.magnitude) : value
    }

    /// An amount with its sign: `1,23,456.78 Dr`, `(50.00)`, `-50.00`, `50.00-`, `+ ₹ 50.00`; also `-,77,58,122.30`, as
    /// a bank groups the digits of an overdraft.
    private func amount(_ cell: String) -> Int64? {
        let (amount, word) = Self.sign(of: cell, words)
        var text = String(amount.trimmingBlanks)
        if text.hasSuffix("-") { text = "-" + text.dropLast() }
        if text.hasPrefix("-,") { text = "-" + text.dropFirst(2) }
        guard let printed = SignedAmount(text, home: currency), printed.currency ?? currency == currency else {
            return nil
        }
        var isNegative = word.isEmpty ? plainIsOutgoing : words.isWord(word, of: .outgoing)
        if text.hasPrefix("(") {
            isNegative = true
        } else if printed.isNegative == true {
            isNegative.toggle()
        } else if printed.isNegative == false, word.isEmpty {
            isNegative = false
        }
        return isNegative ? -printed.units : printed.units
    }
}
