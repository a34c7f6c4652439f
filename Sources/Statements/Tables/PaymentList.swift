import Chronology
import Ledger
import Profiles

/// The rows of a list of payments.
extension StatementTable {
    private enum Row {
        case line(StatementLine)
        case omitted(OmittedRow.Reason)
        /// Without a date and an amount, or the header again.
        case blank
    }

    /// The lines, the oldest day first, and the rows that make none. A list prints no balances that would prove it, so
    /// that a person sees every row before it is booked.
    func payments() throws(StatementReadingError) -> BankStatement {
        var statement = BankStatement(currency: currency)
        for row in rows {
            switch read(row) {
            case .line(let line): statement.lines.append(line)
            case .omitted(let reason): statement.omitted.append(OmittedRow(row: row.line, reason: reason))
            case .blank: continue
            }
        }
        guard let first = statement.lines.first, let last = statement.lines.last else { throw .noPayments }
        if first.day > last.day { statement.lines.reverse() }
        let days = statement.lines.map(\.day)
        if let first = days.min(), let last = days.max() { statement.period = DaySpan(first, through: last) }
        return statement
    }

    private func read(_ row: SeparatedText.Row) -> Row {
        let date = cell(.date, row)
        let hasAmount = [StatementWords.Role.amount, .debit, .credit].contains { !cell($0, row).isEmpty }
        if date.isEmpty && !hasAmount || Self.columns(of: row, words) != nil { return .blank }
        guard let day = Self.day(withTime: date, words.dateOrder), hasAmount else { return .omitted(.unreadable) }
        if columns[.status] != nil, !words.isWord(cell(.status, row), of: .completed) {
            return .omitted(.notCompleted)
        }
        let code = cell(.currency, row)
        if !code.isEmpty, Currency.named(code, home: currency) != currency { return .omitted(.otherCurrency) }
        let text = cell(.text, row)
        let change: Int64
        switch self.change(of: row, text) {
        case .change(let units): change = units
        case .refused(let reason): return .omitted(reason)
        }
        var line = StatementLine(row: row.line, day: day, change: change, text: words.payment(text)?.payee ?? text)
        let (reference, account) = (cell(.reference, row), cell(.account, row))
        line.reference = reference.isEmpty || reference == "-" ? nil : reference
        line.printedAccount = account.isEmpty ? nil : account
        return .line(line)
    }

    private enum Change {
        case change(Int64)
        case refused(OmittedRow.Reason)
    }

    /// The amount with its direction: of the two columns, of the column for it, of its sign, of the text, or of all
    /// rows of the list.
    private func change(of row: SeparatedText.Row, _ text: String) -> Change {
        if columns[.debit] != nil, columns[.credit] != nil {
            let cells = (cell(.debit, row), cell(.credit, row))
            let values = (SignedAmount(cells.0, home: currency), SignedAmount(cells.1, home: currency))
            // The other column is empty, a hyphen or 0.
            guard ["", "-"].contains(cells.0) || values.0 != nil, ["", "-"].contains(cells.1) || values.1 != nil else {
                return .refused(.unreadable)
            }
            let (debit, credit) = (values.0?.units ?? 0, values.1?.units ?? 0)
            guard (debit == 0) != (credit == 0) else { return .refused(.unreadable) }
            let printed = debit == 0 ? values.1 : values.0
            if let other = printed?.currency, other != currency { return .refused(.otherCurrency) }
            return .change(credit - debit)
        }
        let (printed, word) = Self.sign(of: cell(.amount, row), words)
        guard let amount = SignedAmount(String(printed), home: currency) else { return .refused(.unreadable) }
        if let other = amount.currency, other != currency { return .refused(.otherCurrency) }
        for sign in [cell(.sign, row), word] {
            if words.isWord(sign, of: .outgoing) { return .change(-amount.units) }
            if words.isWord(sign, of: .incoming) { return .change(amount.units) }
        }
        guard cell(.sign, row).isEmpty else { return .refused(.noDirection) }
        if let isNegative = amount.isNegative { return .change(isNegative ? -amount.units : amount.units) }
        if let isOutgoing = words.payment(text)?.isOutgoing {
            return .change(isOutgoing ? -amount.units : amount.units)
        }
        switch words.unsigned ?? .omitted {
        case .omitted: return .refused(.noDirection)
        case .outgoing: return .change(-amount.units)
        case .incoming: return .change(amount.units)
        }
    }

    /// The day before a time of day: `Nov 23, 2025, 3:13 PM`, `05/01/2026 12:00:30`, `2026-01-05T12:00:30Z`.
    static func day(withTime text: String, _ order: DateOrder) -> CalendarDate? {
        var day = text[...]
        if let colon = day.firstIndex(of: ":") {
            day = day[..<colon]
            while day.last?.isNumber == true { day.removeLast() }
        }
        while let last = day.last, !last.isNumber { day.removeLast() }
        return Self.day(String(day), order)
    }
}
