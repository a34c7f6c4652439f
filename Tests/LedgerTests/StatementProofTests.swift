import Chronology
import Testing

@testable import Ledger

@Suite struct StatementProofTests {
    /// - Parameter lines: change and printed balance, in minor units.
    static func statement(
        opening: Int64? = nil, closing: Int64? = nil, _ lines: [(Int64, Int64?)]
    ) throws -> BankStatement {
        var statement = BankStatement(currency: .inr)
        statement.opening = opening
        statement.closing = closing
        for (index, (change, balance)) in lines.enumerated() {
            let day = try #require(CalendarDate(year: 2026, month: 4, day: 1 + index))
            var line = StatementLine(row: index + 2, day: day, change: change, text: "x")
            line.balance = balance
            statement.lines.append(line)
        }
        return statement
    }

    @Test func everyBalanceFollows() throws {
        let full = try Self.statement(opening: 1000, closing: 1200, [(-300, 700), (500, 1200)])
        #expect(try StatementProof(full).strength == .everyLine)
        #expect(try StatementProof(Self.statement([(-300, 700), (500, 1200)])).strength == .everyLine)
        #expect(try StatementProof(Self.statement(opening: 0, closing: 5, [(5, nil)])).strength == .sum)
        #expect(try StatementProof(Self.statement([(5, nil)])).strength == .none)
        #expect(try StatementProof(Self.statement([(5, 5)])).strength == .none)
        #expect(try StatementProof(Self.statement(opening: 7, closing: 7, [])).strength == .sum)
    }

    @Test func defectNamesTheRow() throws {
        let cases: [(BankStatement, StatementProof.Defect)] = [
            (
                try Self.statement(opening: 1000, [(-300, 700), (500, 1100)]),
                .init(row: 3, expected: 1200, printed: 1100)
            ),
            (try Self.statement([(1, 10), (-1, 10)]), .init(row: 3, expected: 9, printed: 10)),
            (
                try Self.statement(opening: 1000, closing: 1000, [(-300, nil)]),
                .init(row: nil, expected: 700, printed: 1000)
            ),
            (
                try Self.statement(opening: .max, [(1, .min)]),
                .init(row: 2, expected: .min, printed: .min)
            ),
        ]
        for (statement, defect) in cases { #expect(throws: defect) { try StatementProof(statement) } }
    }
}
