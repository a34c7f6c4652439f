import Chronology
import Ledger
import Review
import Store
import Testing

/// A statement from its file to reconciled books.
@Suite struct StatementServiceTests {
    static let bytes = Array("invented file".utf8)

    /// CAFE MOON 5.00 and FORGED SHOP 9.00 are booked; the statement has the first, and two lines without an alert.
    private static func fixture() throws -> (f: ReviewFixture, account: Int64, statement: BankStatement) {
        let f = try ReviewFixture()
        for (uid, merchant) in [(5 as UInt32, "CAFE MOON"), (9, "FORGED SHOP")] {
            try f.service.accept(try f.recordDraft(uid, merchant: merchant), seen: .anything)
        }
        let account = try #require(try f.store.userAccounts.all().first).id
        var statement = BankStatement(currency: .inr)
        statement.opening = 100_000
        statement.lines = [
            StatementComparisonTests.line(2, -500, "UPI CAFE MOON"),
            StatementComparisonTests.line(3, -12_300, "NO ALERT", after: 1),
            StatementComparisonTests.line(4, 90_000, "SALARY", after: 9),
        ]
        statement.closing = 177_200
        return (f, account, statement)
    }

    private static func add(
        _ f: ReviewFixture, _ statement: BankStatement, _ account: Int64, books: Bool
    ) throws -> StatementResult {
        try f.store.write {
            try StatementService($0, by: .terminal).add(
                statement, of: account, bytes: bytes, file: "january.csv", books: books)
        }
    }

    @Test func linesAreLinkedAndTheRestIsBooked() throws {
        let (f, account, statement) = try Self.fixture()
        let first = try Self.add(f, statement, account, books: false)
        #expect(first.isNew && first.row.open == 2 && first.row.reconciledAt == nil)
        #expect(first.booking.transactions.isEmpty && first.row.fileName == "january.csv")
        #expect(first.comparison.result.onlyInLedger.map(\.cause) == [.wrongAccountOrForged])
        let booked = try Self.add(f, statement, account, books: true)
        #expect(!booked.isNew && booked.row.id == first.row.id)
        #expect(booked.booking.transactions.count == 2 && booked.row.open == 0 && booked.row.reconciledAt != nil)
        let again = try Self.add(f, statement, account, books: true)
        #expect(again.booking.transactions.isEmpty && again.row == booked.row)
        #expect(again.comparison.result.matches.map(\.strength) == [.name, .booked, .booked])
        let rows = try booked.booking.transactions.map { try #require(try f.store.transactions.find($0)) }
        #expect(rows.map(\.recorder) == ["Import", "Import"] && rows.map(\.type) == [.expense, .income])
    }

    @Test func oneLineIsBookedByItsRow() throws {
        let (f, account, statement) = try Self.fixture()
        let id = try Self.add(f, statement, account, books: false).row.id
        let result = try f.store.write { try StatementService($0, by: .terminal).book(id, rows: [4]) }
        #expect(result.booking.transactions.count == 1 && result.row.open == 1 && result.row.reconciledAt == nil)
        let none = try f.store.write { try StatementService($0, by: .terminal).book(id, rows: [77]) }
        #expect(none.booking.transactions.isEmpty)
    }

    /// A line keeps its transaction although a person changed the amount, and the difference is shown.
    @Test func aChangedBookingStaysLinked() throws {
        let (f, account, statement) = try Self.fixture()
        let booked = try Self.add(f, statement, account, books: true)
        var edit = TransactionEdit()
        (edit.amount, edit.confirmsReconciled) = (Money(minorUnits: 77_700, currency: .inr), true)
        try f.store.transactions.change(booked.booking.transactions[0], edit, by: .terminal)
        let again = try Self.add(f, statement, account, books: true)
        #expect(again.booking.transactions.isEmpty && again.row.reconciledAt == nil)
        let match = try #require(again.comparison.result.matches.first { $0.line == 1 })
        #expect(match.differences == [.amount] && match.transaction == booked.booking.transactions[0])
    }

    @Test func aStatementWithoutBalancesIsComparedButNotBooked() throws {
        var (f, account, statement) = try Self.fixture()
        (statement.opening, statement.closing) = (nil, nil)
        #expect(try Self.add(f, statement, account, books: false).row.proof == .none)
        let error = try #require(throws: StoreError.self) { _ = try Self.add(f, statement, account, books: true) }
        #expect(error.kind == .conflict)
        #expect(try f.store.transactions.page(TransactionQuery(limit: 10)).rows.count == 2)
    }
}
