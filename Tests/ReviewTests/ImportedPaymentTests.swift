import Chronology
import Ledger
import Review
import Store
import Testing

/// A list of payments from its file to booked transactions and back.
@Suite struct ImportedPaymentTests {
    static let bytes = Array("an invented list".utf8)

    static func line(
        _ row: Int, _ change: Int64, _ text: String, on day: String, reference: String? = nil
    )
        -> StatementLine
    {
        var line = StatementLine(
            row: row, day: CalendarDate(iso: day) ?? CalendarDate(daysSince1970: 0), change: change, text: text)
        line.reference = reference
        return line
    }

    /// CAFE MOON 5.00 and FORGED SHOP 9.00 are booked on one day. The list has the first with its name, one of the
    /// second's amount with another name, and two payments that no mail reported.
    static func fixture() throws -> (f: ReviewFixture, account: Int64, list: BankStatement) {
        let f = try ReviewFixture()
        for (uid, merchant) in [(5 as UInt32, "CAFE MOON"), (9, "FORGED SHOP")] {
            try f.service.accept(try f.recordDraft(uid, merchant: merchant), seen: .anything)
        }
        let account = try #require(try f.store.userAccounts.all().first).id
        let day = try #require(try f.store.transactions.find(1)).date.description
        var list = BankStatement(currency: .inr)
        list.list = "paytm"
        list.lines = [
            line(2, -500, "Cafe Moon", on: day), line(3, -900, "Other Payee", on: day),
            line(4, -12_300, "No Alert", on: day, reference: "612345678901"),
            line(5, -12_300, "No Alert", on: day, reference: "612345678902"),
        ]
        list.omitted = [OmittedRow(row: 6, reason: .notCompleted)]
        return (f, account, list)
    }

    static func add(_ f: ReviewFixture, _ account: Int64, _ list: BankStatement) throws -> StatementResult {
        try f.store.write {
            try StatementService($0, by: .terminal).add(
                list, of: account, bytes: bytes, file: "list.csv", books: false)
        }
    }

    @Test func duplicatesAreMarkedAndTheRestIsBooked() throws {
        let (f, account, list) = try Self.fixture()
        let preview = try Self.add(f, account, list)
        #expect(preview.comparison.payments.map(\.state) == [.duplicate, .possibleDuplicate, .new, .new])
        #expect(preview.comparison.result.onlyInLedger.isEmpty && preview.booking.transactions.isEmpty)
        #expect(preview.comparison.statement.omitted == list.omitted && preview.row.list == "paytm")
        let booked = try f.store.write { try StatementService($0, by: .terminal).book(preview.row.id) }
        #expect(booked.booking.transactions.count == 2 && booked.row.reconciledAt == nil)
        #expect(booked.comparison.payments.map(\.state) == [.duplicate, .possibleDuplicate, .booked, .booked])
        let rows = try booked.booking.transactions.map { try #require(try f.store.transactions.find($0)) }
        #expect(rows.allSatisfy { $0.recorder == "Import" && $0.userAccountID == account })
        // The same file, and another one with the same payments, book nothing again.
        #expect(try !Self.add(f, account, list).isNew)
        let again = try f.store.write {
            try StatementService($0, by: .terminal).add(
                list, of: account, bytes: [1], file: "longer.csv", books: true)
        }
        #expect(again.isNew && again.booking.transactions.isEmpty)
        #expect(again.comparison.payments.map(\.state) == [.duplicate, .possibleDuplicate, .duplicate, .duplicate])
    }

    /// A payment of the same amount is booked if a person names its row.
    @Test func aPossibleDuplicateIsBookedByItsRow() throws {
        let (f, account, list) = try Self.fixture()
        let id = try Self.add(f, account, list).row.id
        let result = try f.store.write { try StatementService($0, by: .terminal).book(id, rows: [2, 3]) }
        #expect(result.booking.transactions.count == 1)
        #expect(result.comparison.payments.map(\.state) == [.duplicate, .booked, .new, .new])
        let again = try f.store.write { try StatementService($0, by: .terminal).book(id, rows: [3]) }
        #expect(again.booking.transactions.isEmpty)
    }

    @Test func undoRemovesTheGroup() throws {
        let (f, account, list) = try Self.fixture()
        let id = try Self.add(f, account, list).row.id
        let booked = try f.store.write { try StatementService($0, by: .terminal).book(id) }
        let (deleted, kept) = try f.store.statements.undo(id, by: .terminal)
        #expect(deleted == booked.booking.transactions && kept.isEmpty)
        #expect(try f.store.statements.all().isEmpty)
        #expect(try f.store.transactions.page(TransactionQuery(limit: 10)).rows.count == 2)
    }

    /// Two payments of near amounts to one payee within days are two.
    @Test func aNearAmountIsAnotherPayment() throws {
        var (f, account, list) = try Self.fixture()
        list.lines = [Self.line(2, -510, "Cafe Moon", on: list.lines[0].day.description)]
        #expect(try Self.add(f, account, list).comparison.payments.map(\.state) == [.new])
        let later = CalendarDate(daysSince1970: list.lines[0].day.daysSince1970 + 2).description
        list.lines = [Self.line(2, -500, "Cafe Moon", on: later)]
        let other = try f.store.write {
            try StatementService($0, by: .terminal).add(list, of: account, bytes: [2], file: nil, books: false)
        }
        #expect(other.comparison.payments.map(\.state) == [.new])
    }

    /// The alert of the account has the number, the list a part of it.
    @Test func aLineGoesToTheAccountThatItNames() throws {
        var (f, account, list) = try Self.fixture()
        var edit = UserAccountEdit()
        (edit.name, edit.type, edit.currency) = ("Wallet", .wallet, .inr)
        let wallet = try f.store.userAccounts.add(edit, by: .terminal).id
        let number = try #require(try f.store.transactions.find(1)?.accountDigits)
        let profile = try #require(try f.store.transactions.find(1)?.profile)
        list.lines[2].printedAccount = "\(profile.uppercased()) Bank - \(number.suffix(2))"
        list.lines[3].printedAccount = "Other Bank - \(number.suffix(2))"
        let id = try Self.add(f, wallet, list).row.id
        let result = try f.store.write { try StatementService($0, by: .terminal).book(id, rows: [4, 5]) }
        let rows = try result.booking.transactions.map { try #require(try f.store.transactions.find($0)) }
        #expect(rows.map(\.userAccountID) == [account, wallet])
    }
}
