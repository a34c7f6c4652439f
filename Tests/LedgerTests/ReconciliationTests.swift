import Chronology
import Testing

@testable import Ledger

@Suite struct ReconciliationTests {
    static func day(_ number: Int) -> CalendarDate { CalendarDate(daysSince1970: 20_454 + number) }

    static func statement(_ lines: [(day: Int, change: Int64, text: String)], days: Int = 30) -> BankStatement {
        var statement = BankStatement(currency: .inr)
        statement.period = DaySpan(day(0), through: day(days))
        statement.lines = lines.enumerated().map {
            StatementLine(row: $0 + 1, day: day($1.day), change: $1.change, text: $1.text)
        }
        return statement
    }

    static func entry(
        _ id: Int64, _ day: Int, _ change: Int64, _ payee: String = "", _ reference: String? = nil
    ) -> LedgerEntry {
        LedgerEntry(id: id, day: Self.day(day), change: change, payee: payee, reference: reference)
    }

    typealias Found = [Int64?]

    static func found(_ statement: BankStatement, _ entries: [LedgerEntry]) -> Found {
        let result = Reconciliation(statement, with: entries)
        var found = Found(repeating: nil, count: statement.lines.count)
        for match in result.matches { found[match.line] = match.transaction }
        return found
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var lines: [(day: Int, change: Int64, text: String)]
        var entries: [LedgerEntry]
        var expected: Found
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "reference in the text",
            lines: [(5, -100, "UPI/512345678901/CAFE"), (5, -100, "UPI/512345678902/TEA")],
            entries: [entry(1, 5, -100, "Tea", "512345678901"), entry(2, 5, -100, "Cafe", "512345678902")],
            expected: [1, 2]),
        Case(
            name: "equal amounts by name", lines: [(5, -100, "POS BLUE HERON"), (5, -100, "POS RED LION")],
            entries: [entry(1, 5, -100, "Red Lion"), entry(2, 5, -100, "Blue Heron")], expected: [2, 1]),
        Case(
            // The second line is nearest to transaction 1, which would leave the first line over.
            name: "best in all, not nearest first", lines: [(4, -100, "A"), (5, -100, "B")],
            entries: [entry(1, 5, -100), entry(2, 7, -100)], expected: [1, 2]),
        Case(
            name: "direction", lines: [(5, 100, "REFUND SHOP")], entries: [entry(1, 5, -100, "Shop")], expected: [nil]),
        Case(
            name: "other references", lines: [(5, -100, "UPI/512345678901/CAFE")],
            entries: [entry(1, 5, -100, "Cafe", "512345678999")], expected: [nil]),
        Case(name: "too far", lines: [(20, -100, "CAFE")], entries: [entry(1, 5, -100, "Cafe")], expected: [nil]),
        Case(
            name: "extreme figures", lines: [(5, .min, "CAFE NOIR"), (5, .max, "CAFE NOIR"), (6, 0, "")],
            entries: [entry(1, 5, .max, "Cafe Noir"), entry(2, 5, .min), entry(3, 6, 0)], expected: [2, 1, 3]),
        Case(name: "nothing", lines: [], entries: [], expected: []),
    ]

    @Test(arguments: cases) func matches(_ fixture: Case) {
        let statement = Self.statement(fixture.lines)
        #expect(Self.found(statement, fixture.entries) == fixture.expected)
        #expect(Self.found(statement, fixture.entries.reversed()) == fixture.expected)
    }

    @Test func differencesAreNamed() throws {
        let statement = Self.statement([
            (10, -12_600, "FUEL STATION"), (12, -500, "NEFT 512345678901"), (14, -700, "GROCER"),
            (25, -900, "LATE 612345678901"),
        ])
        var other = Self.entry(3, 14, -700, "Grocer")
        other.isElsewhere = true
        let entries = [
            Self.entry(1, 9, -12_500, "Fuel Station"), Self.entry(2, 12, -450, "", "512345678901"), other,
            Self.entry(4, 2, -900, "", "612345678901"),
        ]
        let result = Reconciliation(statement, with: entries)
        #expect(result.matches.map(\.transaction) == [1, 2, 3, 4])
        #expect(result.matches.map(\.differences) == [[.amount], [.amount], [.account], [.date]])
        #expect(result.matches.map(\.strength) == [.name, .reference, .name, .reference])
        #expect(result.onlyInLedger.isEmpty)
        #expect(result.onlyInStatement.isEmpty)
    }

    /// A row of another account does not match by its amount alone.
    @Test func otherAccountNeedsMoreThanTheAmount() {
        var other = Self.entry(1, 5, -700, "Grocer")
        other.isElsewhere = true
        let result = Reconciliation(Self.statement([(5, -700, "CHEMIST")]), with: [other])
        #expect(result.onlyInStatement == [0])
        #expect(result.onlyInLedger.isEmpty)
    }

    @Test func causesOfTheRest() {
        let statement = Self.statement([(5, -100, "CAFE")])
        let entries = [
            Self.entry(1, 5, -100, "Cafe"), Self.entry(2, 6, -100, "Cafe"), Self.entry(3, 28, -300, "Late"),
            Self.entry(4, 10, -400, "Unknown"), Self.entry(5, -3, -500, "Before"),
        ]
        let result = Reconciliation(statement, with: entries)
        #expect(result.matches.map(\.transaction) == [1])
        #expect(
            result.onlyInLedger == [
                .init(transaction: 2, cause: .double), .init(transaction: 4, cause: .wrongAccountOrForged),
                .init(transaction: 3, cause: .pending),
            ])
    }

    /// The time is not the square of the lines of one amount.
    @Test(.timeLimit(.minutes(1))) func manyEqualAmounts() {
        let lines = (0..<20_000).map { (day: $0 / 60, change: Int64(-1000), text: "TEA") }
        let entries = (0..<20_000).map { Self.entry(Int64($0), $0 / 60, -1000, "Tea") }
        let result = Reconciliation(Self.statement(lines, days: 400), with: entries)
        #expect(result.matches.count == 20_000)
    }
}

@Suite struct AssignmentTests {
    @Test(
        arguments: [
            ([[5, 4], [4, 0]], [1, 0]), ([[0]], [nil]), ([[3], [4]], [nil, 0]), ([[1, 2, 3]], [2]), ([], []),
            ([[], []], [nil, nil]), ([[7, 5, 0], [6, 5, 1], [0, 4, 0]], [0, 2, 1]),
        ] as [([[Int]], [Int?])]) func greatestSum(weights: [[Int]], expected: [Int?])
    {
        let chosen = Assignment.best(weights)
        func sum(_ columns: [Int?]) -> Int {
            zip(weights, columns).reduce(0) { sum, pair in sum + (pair.1.map { pair.0[$0] } ?? 0) }
        }
        #expect(sum(chosen) == sum(expected))
        #expect(chosen.count == expected.count)
    }
}
