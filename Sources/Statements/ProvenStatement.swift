import Chronology
import Ledger

extension BankStatement {
    /// True if printed balances prove the lines.
    var isProven: Bool { (try? StatementProof(self)).map { $0.strength != .none } ?? false }

    /// Begins the statement, or a further part of it, whose opening balance must be the closing one of the part before.
    mutating func open(with units: Int64, row: Int) throws(StatementReadingError) {
        if let closing, closing != units {
            throw .doesNotAddUp(.init(row: row, expected: closing, printed: units), currency: currency)
        }
        if opening == nil { opening = units }
        closing = nil
    }

    /// Ends the statement or a part of it.
    mutating func close(with units: Int64) {
        closing = units
        if let last = lines.indices.last { lines[last].balance = units }
    }

    /// The statement in the order in which its balances follow from each other, with its period.
    ///
    /// - Throws: `doesNotAddUp`; `noTable` without a line.
    func proven() throws(StatementReadingError) -> BankStatement {
        guard !lines.isEmpty else { throw .noTable }
        var statement = self
        // The newest line is first in many files.
        if let first = statement.lines.first, let last = statement.lines.last, first.day > last.day {
            statement.lines.reverse()
        }
        do throws(StatementProof.Defect) {
            _ = try StatementProof(statement)
        } catch {
            // On a single day the order shows in the balances only.
            var reversed = statement
            reversed.lines.reverse()
            guard statement.lines.first?.day == statement.lines.last?.day, (try? StatementProof(reversed)) != nil else {
                throw .doesNotAddUp(error, currency: currency)
            }
            statement = reversed
        }
        let days = statement.lines.map(\.day)
        if statement.period == nil, let first = days.min(), let last = days.max() {
            statement.period = DaySpan(first, through: last)
        }
        return statement
    }
}
