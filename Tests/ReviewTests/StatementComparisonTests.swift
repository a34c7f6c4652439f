import Chronology
import Ledger
import Review
import Store
import Testing

@Suite struct StatementComparisonTests {
    static let day = CalendarDate(daysSince1970: 20_000)

    static func line(_ row: Int, _ change: Int64, _ text: String, after days: Int = 0) -> StatementLine {
        StatementLine(
            row: row, day: CalendarDate(daysSince1970: day.daysSince1970 + days), change: change, text: text)
    }

    @Test func bothSidesAreCompared() throws {
        let f = try ReviewFixture()
        // Confirmed, so that it has an account; then one that waits, and one that the bank does not know.
        for (uid, merchant) in [(5 as UInt32, "CAFE MOON"), (9, "FORGED SHOP")] {
            let id = try f.recordDraft(uid, merchant: merchant)
            try f.service.accept(id, seen: .anything)
        }
        _ = try f.recordDraft(7, merchant: "WAITING SHOP")
        let account = try #require(try f.store.userAccounts.all().first).id
        var statement = BankStatement(currency: .inr)
        statement.lines = [
            Self.line(2, -500, "UPI CAFE MOON"), Self.line(3, -700, "WAITING SHOP"), Self.line(4, -12_300, "NO ALERT"),
            Self.line(5, 90_000, "SALARY", after: 9),
        ]
        let result = try f.store.read { try StatementComparison(statement, account: account, in: $0) }
        #expect(!result.agrees && result.proof == StatementProof.Strength.none)
        #expect(result.result.onlyInStatement == [2, 3])
        #expect(result.result.matches.map(\.line) == [0, 1])
        #expect(result.result.onlyInLedger.count == 1)
        let missing = try #require(result.result.onlyInLedger.first)
        #expect(result.transactions[missing.transaction]?.vendor == "FORGED SHOP")
        #expect(missing.cause == .wrongAccountOrForged)

        statement.lines = [
            Self.line(2, -500, "UPI CAFE MOON"), Self.line(3, -900, "FORGED SHOP"), Self.line(4, -700, "WAITING SHOP"),
        ]
        #expect(try f.store.read { try StatementComparison(statement, account: account, in: $0) }.agrees)
        // The same amounts, in the other direction.
        statement.lines = [Self.line(2, 500, "UPI CAFE MOON"), Self.line(3, 900, "FORGED SHOP")]
        #expect(
            try f.store.read { try StatementComparison(statement, account: account, in: $0) }.result.matches.isEmpty)
    }

    @Test func emptyStatementComparesWithNothing() throws {
        let f = try ReviewFixture()
        let statement = BankStatement(currency: .inr)
        #expect(try f.store.read { try StatementComparison(statement, account: 1, in: $0) }.agrees)
    }
}
