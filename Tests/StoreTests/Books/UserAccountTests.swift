import Chronology
import GRDB
import Ledger
import Testing

@testable import Store

/// Accounts of the user, from the mails on.
@Suite struct UserAccountTests {
    static let clerk = Actor(.page, "asha")

    /// A payment at a minute of 5 January 2026, with the balance behind it.
    static func payment(
        _ uid: UInt32, _ minor: Int64, minute: Int64, balance: Int64?, account: String = "4321",
        type: TransactionType = .expense, outcome: Outcome = .recorded, bank: String = "hdfc"
    ) -> MailEntry {
        var draft = draft(minor, type: type, at: "10:00:00", account: account, reference: "R\(uid)")
        draft.occurredAt = UnixTime(seconds: 1_767_600_000) + minute * 60
        draft.balance = balance.map(rupees)
        return mail(uid, decision(outcome, draft, bank: bank))
    }

    @Test func anUnknownNumberMakesAnAccountThatIsMarkedNew() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.payment(1, 500, minute: 0, balance: 10_000), Self.payment(2, 700, minute: 5, balance: 9_300),
            Self.payment(3, 900, minute: 6, balance: nil, account: "7788", bank: "sbi"),
        ])
        let rows = try f.store.userAccounts.all()
        #expect(rows.map(\.name) == ["HDFC Bank ··4321", "HDFC Bank ··7788"])
        #expect(rows.allSatisfy { $0.isNew && $0.isActive && $0.type == .bank && $0.currency == .inr })
        #expect(rows.map { $0.numbers.map(\.digits) } == [["4321"], ["7788"]])
        #expect(rows.map { $0.numbers.map(\.profile) } == [["hdfc"], ["sbi"]])
        let ids = try [1, 2, 3].map { try f.store.transactions.find($0)?.userAccountID }
        #expect(ids == [rows[0].id, rows[0].id, rows[1].id])
    }

    /// The first alert is of a mandate, which looks like one of an account.
    ///
    /// - Parameter balance: what the alert of the card prints.
    @Test(
        arguments: [
            (nil, false, .card), (5_000, false, .bank), (nil, true, .bank),
        ] as [(Int64?, Bool, UserAccountType)]
    ) func aNewAccountWithCardPaymentsIsACard(balance: Int64?, isConfirmed: Bool, type: UserAccountType) throws {
        let f = try Fixture()
        func alert(_ uid: UInt32, _ channel: Channel, _ balance: Int64?) -> MailEntry {
            var draft = draft(500, channel: channel, at: "10:0\(uid):00", reference: "R\(uid)")
            draft.balance = balance.map(rupees)
            return mail(uid, decision(.recorded, draft))
        }
        _ = try f.store.recording.record([alert(1, .mandate, nil)])
        let account = try #require(try f.store.userAccounts.all().first)
        #expect(account.type == .bank)
        var edit = UserAccountEdit()
        edit.isConfirmed = isConfirmed
        try f.store.userAccounts.change(account.id, edit, by: Self.clerk)
        _ = try f.store.recording.record([alert(2, .card, balance)])
        #expect(try f.store.userAccounts.find(account.id)?.type == type)
    }

    /// The first payment of a card may be one abroad.
    @Test func aNewAccountHasTheCurrencyOfMostOfItsRows() throws {
        let f = try Fixture()
        func entry(_ uid: UInt32, _ currency: Currency) -> MailEntry {
            var payment = draft(Int64(uid) * 100, channel: .card, reference: "R\(uid)", currency: currency)
            payment.balance = nil
            return mail(uid, decision(.recorded, payment))
        }
        func currency() throws -> String? { try f.store.userAccounts.all().first?.currency.code }
        let dollar = try #require(Currency(code: "USD"))
        _ = try f.store.recording.record([entry(1, dollar)])
        #expect(try currency() == "USD")
        _ = try f.store.recording.record([entry(2, .inr)])
        #expect(try currency() == "USD")
        _ = try f.store.recording.record([entry(3, .inr)])
        #expect(try currency() == "INR")
        // A confirmed one is a person's.
        var edit = UserAccountEdit()
        (edit.currency, edit.isConfirmed) = (dollar, true)
        let account = try #require(try f.store.userAccounts.all().first)
        _ = try f.store.userAccounts.change(account.id, edit, by: Self.clerk)
        _ = try f.store.recording.record([entry(4, .inr), entry(5, .inr)])
        #expect(try currency() == "USD")
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func aDraftMakesNoAccountBeforeItIsAccepted() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.payment(1, 500, minute: 0, balance: 10_000, outcome: .review)])
        #expect(try f.store.userAccounts.all() == [])
        _ = try f.store.review.accept(.transaction(1), by: Self.clerk)
        let row = try #require(try f.store.userAccounts.all().first)
        #expect(try f.store.transactions.find(1)?.userAccountID == row.id)
    }

    @Test func otherDigitsMoveTheTransactionToTheirAccount() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.payment(1, 500, minute: 0, balance: 10_000)])
        var edit = TransactionEdit()
        edit.accountDigits = .set("9999")
        let group = LedgerChange.newGroup()
        _ = try f.store.transactions.change(1, edit, by: Self.clerk, group: group)
        let accounts = try f.store.userAccounts.all()
        #expect(accounts.map(\.lastFour) == ["4321", "9999"])
        #expect(try f.store.transactions.find(1)?.userAccountID == accounts.last?.id)
        _ = try f.store.journal.undo(group: group, by: Self.clerk)
        #expect(try f.store.transactions.find(1)?.userAccountID == accounts.first?.id)
    }

    @Test func theBalanceIsTheNewestPrintedOneAndTheMovementsSince() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.payment(1, 500, minute: 0, balance: 10_000), Self.payment(2, 700, minute: 5, balance: nil),
            Self.payment(3, 200, minute: 9, balance: nil, type: .income),
        ])
        let id = try #require(try f.store.userAccounts.all().first?.id)
        let position = try f.store.userAccounts.position(id)
        #expect(position.balance == rupees(9_500))
        #expect(position.movements == 2)
        #expect(position.basis == .printed(.transaction(1), at: UnixTime(seconds: 1_767_600_000)))
        #expect(try f.store.userAccounts.position(id, on: date("2026-01-04")).balance == rupees(0))
    }

    @Test func withoutAPrintedBalanceTheInitialOneCounts() throws {
        let f = try Fixture()
        var edit = UserAccountEdit()
        (edit.name, edit.type, edit.initialBalance) = ("Cash", .cash, 50_000)
        let cash = try f.store.userAccounts.add(edit, by: Self.clerk)
        #expect(!cash.isNew)
        var spent = NewTransaction(amount: rupees(1_250), type: .expense, date: date("2026-01-05"))
        spent.userAccountID = cash.id
        _ = try f.store.transactions.add(spent, by: Self.clerk)
        var taxi = NewTransaction(
            amount: Money(minorUnits: 900, currency: try #require(Currency(code: "USD"))), type: .expense,
            date: date("2026-01-05"))
        taxi.userAccountID = cash.id
        _ = try f.store.transactions.add(taxi, by: Self.clerk)
        let position = try f.store.userAccounts.position(cash.id)
        #expect(position.balance == rupees(48_750))
        #expect(position.basis == .initial)
        #expect(position.foreign.map(\.description) == ["USD -9.00"])
    }

    @Test func aLostAlertIsFoundByTheBalances() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.payment(1, 500, minute: 0, balance: 10_000), Self.payment(2, 700, minute: 5, balance: 6_800),
            Self.payment(3, 2_500, minute: 3, balance: nil, outcome: .review),
        ])
        let id = try #require(try f.store.userAccounts.all().first?.id)
        let check = try f.store.userAccounts.continuity(id)
        #expect(check.findings.map(\.gap) == [-2_500])
        #expect(check.findings.map(\.causes) == [[.draft(3)]])
        // One acceptance closes the gap.
        _ = try f.store.review.accept(.transaction(3), by: Self.clerk)
        #expect(try f.store.userAccounts.continuity(id).findings == [])
    }

    @Test func aMergeTakesOverNumbersAndTransactionsAndIsUndoneAsOne() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.payment(1, 500, minute: 0, balance: 10_000),
            Self.payment(2, 700, minute: 5, balance: 9_300, account: "7788"),
        ])
        let accounts = try f.store.userAccounts.all()
        let (savings, card) = (accounts[0], accounts[1])
        var cash = NewTransaction(amount: rupees(100), type: .expense, date: date("2026-01-05"))
        cash.userAccountID = card.id
        let manual = try f.store.transactions.add(cash, by: Self.clerk).id

        let merged = try f.store.userAccounts.merge(card.id, into: savings.id, by: Self.clerk)
        #expect(merged.row.numbers.map(\.digits) == ["4321", "7788"])
        #expect(try f.count("transactions", where: "user_account_id = \(savings.id)") == 3)
        #expect(try f.store.userAccounts.all().map(\.id) == [savings.id])
        #expect(try f.store.userAccounts.find(card.id)?.mergedInto == savings.id)
        // The next alert of the card follows.
        _ = try f.store.recording.record([Self.payment(3, 300, minute: 9, balance: 9_000, account: "7788")])
        #expect(try f.count("transactions", where: "user_account_id = \(savings.id)") == 4)

        let undone = try f.store.journal.undo(group: merged.group, by: Self.clerk)
        #expect(try f.store.userAccounts.find(card.id)?.numbers.map(\.digits) == ["7788"])
        #expect(try f.store.userAccounts.find(card.id)?.mergedInto == nil)
        #expect(try f.store.transactions.find(manual)?.userAccountID == card.id)
        #expect(try f.count("transactions", where: "user_account_id = \(card.id)") == 3)
        #expect(try f.count("transactions", where: "user_account_id = \(savings.id)") == 1)
        // Undoing the undo merges again.
        let again = try #require(undone.first?.group)
        _ = try f.store.journal.undo(group: again, by: Self.clerk)
        #expect(try f.count("transactions", where: "user_account_id = \(savings.id)") == 4)
        #expect(try f.store.integrityDefects() == [])
    }

    /// A row that a person had put into the target before stays there when the merge is undone, although a number of
    /// the merged account leads to it.
    @Test func undoingAMergeKeepsWhatAPersonAssigned() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.payment(1, 500, minute: 0, balance: 10_000),
            Self.payment(2, 700, minute: 5, balance: nil, account: "7788"),
            Self.payment(3, 900, minute: 6, balance: nil, account: "7788"),
        ])
        let accounts = try f.store.userAccounts.all()
        var edit = TransactionEdit()
        edit.userAccountID = .set(accounts[0].id)
        try f.store.transactions.change(2, edit, by: Self.clerk)
        let merged = try f.store.userAccounts.merge(accounts[1].id, into: accounts[0].id, by: Self.clerk)
        #expect(try f.count("transactions", where: "user_account_id = \(accounts[0].id)") == 3)
        try f.store.journal.undo(group: merged.group, by: Self.clerk)
        let ids = try [1, 2, 3].map { try f.store.transactions.find($0)?.userAccountID }
        #expect(ids == [accounts[0].id, accounts[0].id, accounts[1].id])
    }

    @Test func aSplitIsUndoneWithoutATrace() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.payment(1, 500, minute: 0, balance: 10_000),
            Self.payment(2, 700, minute: 5, balance: 9_300, account: "7788"),
        ])
        let accounts = try f.store.userAccounts.all()
        _ = try f.store.userAccounts.merge(accounts[1].id, into: accounts[0].id, by: Self.clerk)
        let split = try f.store.userAccounts.split(accounts[0].id, profile: "hdfc", digits: "7788", by: Self.clerk)
        #expect(split.row.name == "HDFC Bank ··7788")
        #expect(try f.store.transactions.find(2)?.userAccountID == split.row.id)
        _ = try f.store.journal.undo(group: split.group, by: Self.clerk)
        #expect(try f.store.transactions.find(2)?.userAccountID == accounts[0].id)
        #expect(try f.store.userAccounts.find(split.row.id) == nil)
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func badInputIsRefusedWithTheNameOfTheField() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.payment(1, 500, minute: 0, balance: 10_000)])
        let id = try #require(try f.store.userAccounts.all().first?.id)
        func fields(_ fill: (inout UserAccountEdit) -> Void) -> [String] {
            var edit = UserAccountEdit()
            fill(&edit)
            return edit.problems.map(\.field)
        }
        #expect(fields { $0.name = " " } == ["name"])
        #expect(fields { $0.name = "\u{200B}\u{2060}" } == ["name"])
        #expect(fields { $0.color = .set("red") } == ["color"])
        #expect(fields { $0.creditLimit = .set(-1) } == ["credit_limit"])
        #expect(fields { $0.initialBalance = .min } == ["initial_balance"])
        #expect(fields { $0.lastFour = .set("12 34") } == ["account_number_last4"])
        #expect(fields { $0.currency = Currency(code: "XYZ") } == ["currency"])
        #expect(fields { $0.initialDate = .set(date("1999-12-31")) } == ["initial_balance_date"])
        #expect(fields { $0.name = "\u{200B}\u{2060}" } == ["name"])
        #expect(throws: StoreError.self) { try f.store.userAccounts.add(UserAccountEdit(), by: Self.clerk) }
        #expect(throws: StoreError.self) { try f.store.userAccounts.merge(id, into: id, by: Self.clerk) }
        #expect(throws: StoreError.self) { try f.store.userAccounts.merge(id, into: 99, by: Self.clerk) }
        #expect(throws: StoreError.self) {
            try f.store.userAccounts.split(id, profile: "hdfc", digits: "4321", by: Self.clerk)
        }
        var unknown = TransactionEdit()
        unknown.userAccountID = .set(99)
        #expect(throws: StoreError.self) { try f.store.transactions.change(1, unknown, by: Self.clerk) }
    }

    @Test func aDeletedAccountComesBackByUndo() throws {
        let f = try Fixture()
        var edit = UserAccountEdit()
        edit.name = "Purse"
        let purse = try f.store.userAccounts.add(edit, by: Self.clerk)
        try f.store.userAccounts.delete(purse.id, by: Self.clerk)
        #expect(try f.store.userAccounts.all() == [])
        let group = try #require(try f.store.journal.changes(limit: 1).first?.group)
        _ = try f.store.journal.undo(group: group, by: Self.clerk)
        #expect(try f.store.userAccounts.find(purse.id)?.name == "Purse")
    }
}
