import Chronology
import ChronologyFixture
import GRDB
import Glibc
import Ledger
import Testing

@testable import Store

/// Stored statements, their bookings, and mails and edits that concern them.
@Suite struct StatementTests {
    /// A proven statement of January: opening 10,000.00, one line for each change in paise.
    static func statement(_ changes: [(Int, Int64, String, String?)]) -> BankStatement {
        var statement = BankStatement(currency: .inr)
        statement.opening = 1_000_000
        var balance: Int64 = 1_000_000
        for (index, change) in changes.enumerated() {
            balance += change.1
            var line = StatementLine(
                row: index + 2, day: CalendarDate(daysSince1970: date("2026-01-01").daysSince1970 + change.0),
                change: change.1, text: change.2)
            line.reference = change.3
            line.balance = balance
            statement.lines.append(line)
        }
        statement.closing = balance
        statement.period = DaySpan(date("2026-01-01"), through: date("2026-01-31"))
        return statement
    }

    static let digest = String(repeating: "a", count: 64)

    static func account(_ store: Store) throws -> Int64 {
        var edit = UserAccountEdit()
        edit.name = "Savings"
        edit.type = .bank
        edit.currency = .inr
        return try store.userAccounts.add(edit, by: .terminal).id
    }

    /// Stores the statement and books all its lines.
    static func booked(_ f: Fixture, _ changes: [(Int, Int64, String, String?)]) throws -> (StatementRow, [Int64]) {
        let account = try account(f.store)
        let row = try f.store.statements.add(statement(changes), account: account, digest: digest, file: "a.csv").row
        let booking = try f.store.statements.book(row.id, lines: Array(changes.indices), by: .terminal)
        return (row, booking.transactions)
    }

    @Test func theSameFileIsStoredOnce() throws {
        let f = try Fixture()
        let account = try Self.account(f.store)
        let statement = Self.statement([(4, -25_000, "CAFE NOIR", nil)])
        let first = try f.store.statements.add(statement, account: account, digest: Self.digest, file: "a.csv")
        let again = try f.store.statements.add(statement, account: account, digest: Self.digest, file: "b.csv")
        #expect(first.isNew && !again.isNew && again.row == first.row)
        #expect(first.row.lines == 1 && first.row.open == 1 && first.row.proof == .everyLine)
        #expect(try f.store.statements.content(of: first.row.id).statement.lines == statement.lines)
        #expect(try f.store.statements.all(of: account).map(\.id) == [first.row.id])
        #expect(try f.store.statements.all(of: account + 1).isEmpty)
    }

    /// A file that names the number of another account is not stored; one whose number nobody knows is.
    @Test func aStatementOfAnotherAccountIsRefused() throws {
        let f = try Fixture()
        let (own, other) = (try Self.account(f.store), try Self.account(f.store))
        try f.store.writeDatabase {
            try $0.execute(
                sql: """
                    INSERT INTO user_account_numbers (profile, account_digits, user_account_id, first_seen, last_seen)
                    VALUES ('hdfc', '4321', ?1, '2026-01-01', '2026-01-01'), ('hdfc', '21', ?2, '2026-01-01', '2026-01-01')
                    """, arguments: [other, own])
        }
        func add(_ number: String?, to account: Int64) throws -> Int64 {
            var statement = Self.statement([(4, -25_000, "CAFE NOIR", nil)])
            statement.accountNumber = number
            let digest = String(repeating: "\(account)", count: 32) + (number ?? "").prefix(32)
            return try f.store.statements.add(
                statement, account: account, digest: digest.padding(64), file: nil
            ).row.account
        }
        let error = #expect(throws: StoreError.self) { try add("00000000004321", to: own) }
        #expect(error?.message.contains("is of account \(other) 'Savings'") == true)
        #expect(try add("00000000004321", to: other) == other)
        #expect(try add("00000000009999", to: own) == own && add(nil, to: own) == own)
        try f.store.writeDatabase {
            try $0.execute(sql: "UPDATE user_accounts SET account_number_last4 = '4321' WHERE id = ?", arguments: [own])
        }
        #expect(try add("4321", to: own) == own)
    }

    @Test func statementsThatCannotBeStoredAreRefused() throws {
        let f = try Fixture()
        let account = try Self.account(f.store)
        var wrong = Self.statement([(4, -25_000, "CAFE NOIR", nil)])
        wrong.closing = 1
        var foreign = BankStatement(currency: try #require(Currency(code: "USD")), lines: wrong.lines)
        foreign.period = wrong.period
        for (statement, field) in [(wrong, "file"), (foreign, "currency"), (BankStatement(currency: .inr), "file")] {
            let error = try #require(throws: StoreError.self) {
                _ = try f.store.statements.add(statement, account: account, digest: Self.digest, file: nil)
            }
            #expect(error.kind == .invalid && error.fields.map(\.field) == [field])
        }
        let missing = try #require(throws: StoreError.self) {
            _ = try f.store.statements.add(
                Self.statement([(1, 1, "X", nil)]), account: 99, digest: Self.digest, file: nil)
        }
        #expect(missing.kind == .notFound)
        #expect(try f.count("statements") == 0 && f.count("statement_lines") == 0)
    }

    @Test func anUnprovenStatementIsNotBooked() throws {
        let f = try Fixture()
        let account = try Self.account(f.store)
        var statement = Self.statement([(4, -25_000, "CAFE NOIR", nil)])
        (statement.opening, statement.closing, statement.lines[0].balance) = (nil, nil, nil)
        let row = try f.store.statements.add(statement, account: account, digest: Self.digest, file: nil).row
        #expect(row.proof == .none)
        let error = try #require(throws: StoreError.self) {
            _ = try f.store.statements.book(row.id, lines: [0], by: .terminal)
        }
        #expect(error.kind == .conflict && error.message.contains("balances"))
        #expect(try f.count("transactions") == 0)
    }

    /// Two equal lines of a day are two events; a second statement of the same days finds them by their keys.
    @Test func overlappingStatementsBookOnce() throws {
        let f = try Fixture()
        let changes: [(Int, Int64, String, String?)] = [
            (4, -5_000, "METRO", nil), (4, -5_000, "METRO", nil), (5, 90_000, "SALARY", "UTR77001122"),
        ]
        let (row, made) = try Self.booked(f, changes)
        #expect(made.count == 3)
        #expect(try f.store.statements.book(row.id, lines: [0, 1, 2], by: .terminal).transactions.isEmpty)
        let second = try f.store.statements.add(
            Self.statement(changes), account: row.account, digest: String(repeating: "b", count: 64), file: nil
        ).row
        #expect(try f.store.statements.book(second.id, lines: [0, 1, 2], by: .terminal).transactions.isEmpty)
        #expect(try f.store.statements.content(of: second.id).links.map(\.transaction) == made)
        #expect(try f.count("transactions", where: "recorder = 'Import' AND status = 'confirmed'") == 3)
        let salary = try #require(try f.store.transactions.find(made[2]))
        #expect(salary.type == .income && salary.amount == rupees(90_000) && salary.reference == "UTR77001122")
        #expect(salary.userAccountID == row.account)
    }

    @Test func aLineWithRefusedValuesBooksNothing() throws {
        let f = try Fixture()
        let account = try Self.account(f.store)
        var statement = Self.statement([(4, -25_000, "CAFE", nil), (5, -1_000, "SHOP", nil)])
        statement.lines[1].day = date("2190-01-01")
        statement.period = DaySpan(date("2026-01-01"), through: date("2190-01-01"))
        let row = try f.store.statements.add(statement, account: account, digest: Self.digest, file: nil).row
        let error = try #require(throws: StoreError.self) {
            _ = try f.store.statements.book(row.id, lines: [0, 1], by: .terminal)
        }
        #expect(error.kind == .invalid && error.fields.map(\.field) == ["row 3"])
        #expect(try f.count("transactions") == 0 && f.count("statement_lines", where: "is_booked = 1") == 0)
    }

    // MARK: Mails that arrive later

    struct Late: Sendable {
        var draft: TransactionDraft
        var outcome: Outcome
    }

    static let late = [
        // The line prints the alert's reference.
        Late(draft: draft(on: "2026-01-05", reference: "610000001234"), outcome: .duplicate),
        // The same amount and name, without a reference: a person decides.
        Late(draft: draft(on: "2026-01-04"), outcome: .review),
        // Another amount, direction or month.
        Late(draft: draft(25_001, on: "2026-01-05"), outcome: .recorded),
        Late(draft: draft(type: .income, on: "2026-01-05"), outcome: .recorded),
        Late(draft: draft(on: "2026-02-20"), outcome: .recorded),
        // Two numbers of one length that differ are two events.
        Late(draft: draft(on: "2026-01-05", reference: "610000009999"), outcome: .recorded),
    ]

    @Test(arguments: late) func aLateMailIsNotBookedTwice(late: Late) throws {
        let f = try Fixture()
        let (_, made) = try Self.booked(f, [(4, -25_000, "UPI/610000001234/CAFÉ NOIR", nil)])
        let recorded = try #require(try f.store.recording.record([mail(1, decision(.recorded, late.draft))]).first)
        #expect(recorded.outcome == late.outcome)
        switch late.outcome {
        case .duplicate: #expect(try f.count("transactions") == 1)
        case .review:
            let id = try #require(recorded.transactionID)
            let row = try #require(try f.store.transactions.find(id))
            #expect(row.duplicateOf == made.first && row.status == .needsReview)
        default: #expect(try f.count("transactions", where: "status = 'confirmed'") == 2)
        }
    }

    /// A number that is known to be of another account is another event.
    @Test func aMailOfAnotherAccountIsBooked() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision(.recorded, draft(100, on: "2026-01-02")))])
        _ = try Self.booked(f, [(4, -25_000, "CAFÉ NOIR", nil)])
        #expect(try f.store.recording.record([mail(2, decision())]).first?.outcome == .recorded)
    }

    // MARK: Reconciled rows

    @Test func aReconciledRowChangesOnlyWithAConfirmation() throws {
        let f = try Fixture()
        let (row, made) = try Self.booked(f, [(4, -25_000, "CAFE", nil), (5, -1_000, "SHOP", nil)])
        _ = try f.store.statements.link(row.id, [], reconciled: true)
        let (first, second) = (made[0], made[1])
        #expect(try f.store.statements.reconciledPeriod(of: first) == row.period)
        var note = TransactionEdit()
        (note.category, note.notes) = ("Food", .set("lunch"))
        try f.store.transactions.change(first, note, by: .terminal)
        #expect(try f.store.statements.content(of: row.id).row.reconciledAt != nil)
        var edit = TransactionEdit()
        edit.amount = rupees(26_000)
        let refused = try #require(throws: StoreError.self) {
            try f.store.transactions.change(first, edit, by: .terminal)
        }
        #expect(refused.asksReconciled && refused.kind == .conflict)
        let kept = try #require(throws: StoreError.self) { try f.store.transactions.delete(second) }
        #expect(kept.asksReconciled)
        #expect(try f.store.transactions.find(first)?.amount == rupees(25_000))
        edit.confirmsReconciled = true
        try f.store.transactions.change(first, edit, by: .terminal)
        #expect(try f.store.statements.content(of: row.id).row.reconciledAt == nil)
        // No longer reconciled, so that no question is left.
        #expect(try f.store.transactions.delete(second))
    }

    @Test func undoKeepsWhatAPersonChanged() throws {
        let f = try Fixture()
        let changes: [(Int, Int64, String, String?)] = [(4, -25_000, "CAFE", nil), (5, -1_000, "SHOP", nil)]
        let (row, made) = try Self.booked(f, changes)
        var edit = TransactionEdit()
        edit.notes = .set("mine")
        try f.store.transactions.change(made[0], edit, by: .terminal)
        _ = try f.store.statements.link(row.id, [], reconciled: true)
        #expect(
            try #require(throws: StoreError.self) { try f.store.statements.undo(row.id, by: .terminal) }.asksReconciled)
        let result = try f.store.statements.undo(row.id, by: .terminal, confirmsReconciled: true)
        #expect(result.deleted == [made[1]] && result.kept == [made[0]])
        #expect(try f.count("statements") == 0 && f.count("statement_lines") == 0)
        #expect(try f.store.transactions.find(made[1]) == nil && f.store.transactions.find(made[0]) != nil)
        // The file can be imported and booked again.
        let again = try f.store.statements.add(
            Self.statement(changes), account: row.account, digest: Self.digest, file: nil)
        #expect(again.isNew)
        #expect(try f.store.statements.book(again.row.id, lines: [0, 1], by: .terminal).transactions.count == 1)
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func aDeletedTransactionIsNotBookedAgain() throws {
        let f = try Fixture()
        let (row, made) = try Self.booked(f, [(4, -25_000, "CAFE", nil)])
        try f.store.transactions.delete(made[0])
        let booking = try f.store.statements.book(row.id, lines: [0], by: .terminal)
        #expect(booking.transactions.isEmpty && booking.withheld == [2] && booking.group == nil)
    }

    /// The page's undo of a booking, unlike a deletion, lets the line be booked again.
    @Test func anUndoneBookingCanBeRepeated() throws {
        let f = try Fixture()
        let (row, made) = try Self.booked(f, [(4, -25_000, "CAFE", nil)])
        let group = try #require(try f.store.journal.changes(ofTransaction: made[0]).first?.group)
        try f.store.journal.undo(group: group)
        #expect(try f.store.statements.content(of: row.id).row.open == 1)
        #expect(try f.store.statements.book(row.id, lines: [0], by: .terminal).transactions.count == 1)
        // Redoing the first booking would book the event twice.
        let redo = try #require(try f.store.journal.changes(ofTransaction: made[0]).first?.id)
        #expect(try #require(throws: StoreError.self) { try f.store.journal.undo(change: redo) }.kind == .conflict)
    }

    /// A mail of an undone booking is booked as if there were no statement.
    @Test func anUndoneBookingDoesNotDoubtAMail() throws {
        let f = try Fixture()
        let (_, made) = try Self.booked(f, [(4, -25_000, "CAFÉ NOIR", nil)])
        try f.store.journal.undo(group: try #require(try f.store.journal.changes(ofTransaction: made[0]).first?.group))
        #expect(try f.store.recording.record([mail(1, decision())]).first?.outcome == .recorded)
    }

    /// The mail of a duplicate books nothing, so that its transaction stays when the statement goes.
    @Test func undoKeepsWhatAMailReported() throws {
        let f = try Fixture()
        let (row, made) = try Self.booked(f, [(4, -25_000, "UPI/610000001234/CAFÉ NOIR", nil)])
        let entry = mail(1, decision(.recorded, draft(on: "2026-01-05", reference: "610000001234")))
        #expect(try f.store.recording.record([entry]).first?.transactionID == made[0])
        #expect(try f.store.statements.undo(row.id, by: .terminal).kept == made)
        #expect(try f.store.transactions.find(made[0]) != nil)
    }

    // MARK: Balances

    /// The statement's balances show a payment that is not booked, although no alert printed a balance.
    @Test func balancesTakePartInTheContinuityCheck() throws {
        let f = try Fixture()
        let (row, made) = try Self.booked(
            f, [(4, -25_000, "CAFE", nil), (6, -1_000, "SHOP", nil), (9, -7_000, "RENT", nil)])
        var check = try f.store.userAccounts.continuity(row.account)
        #expect(check.windows == 2 && check.findings.isEmpty)
        #expect(try f.store.userAccounts.position(row.account).balance == rupees(967_000))
        #expect(try f.store.userAccounts.position(row.account, on: date("2026-01-06")).balance == rupees(975_000))
        try f.store.transactions.delete(made[1])
        check = try f.store.userAccounts.continuity(row.account)
        #expect(check.findings.map(\.gap) == [-1_000])
    }

    /// A bank enters a movement days later: the ends of days between are not compared.
    @Test func delayedEntriesAreNoGaps() throws {
        let f = try Fixture()
        let (row, made) = try Self.booked(
            f, [(4, -25_000, "CAFE", nil), (6, -1_000, "SHOP", nil), (9, -7_000, "RENT", nil)])
        var edit = TransactionEdit()
        edit.date = date("2026-01-06")
        try f.store.transactions.change(made[2], edit, by: .terminal)
        #expect(try f.store.userAccounts.continuity(row.account).findings.isEmpty)
    }

    // MARK: Faults

    /// The process is killed while it books: all lines are booked or none, and a second attempt completes them.
    @Test(arguments: [200, 700, 1500, 3000, 6000, 12000, 25000])
    func killed(afterMicroseconds delay: Int) async throws {
        let folder = Folder()
        let path = folder.database
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, delay = delay as Int] in
            let store = try Store(path: path)
            let account = try StatementTests.account(store)
            let id = try store.statements.add(
                StatementTests.many, account: account, digest: StatementTests.digest, file: nil
            ).row.id
            try dieSoon(afterMicroseconds: delay)
            while true {
                _ = try store.statements.book(id, lines: Array(0..<200), by: .terminal)
                try store.statements.undo(id, by: .terminal)
                _ = try store.statements.add(
                    StatementTests.many, account: account, digest: StatementTests.digest, file: nil)
            }
        }
        let store = try Store(path: path)
        #expect(try store.integrityDefects() == [])
        let live = "SELECT count(*) FROM transactions WHERE deleted_at IS NULL"
        let booked = try store.readDatabase { try Int.fetchOne($0, sql: live) }
        #expect(booked == 0 || booked == 200)
        let account = try #require(try store.userAccounts.all().first).id
        let row = try store.statements.add(Self.many, account: account, digest: Self.digest, file: nil).row
        #expect(row.open == 200 - (booked ?? 0))
        _ = try store.statements.book(row.id, lines: Array(0..<200), by: .terminal)
        #expect(try store.readDatabase { try Int.fetchOne($0, sql: live) } == 200)
    }

    static let many = statement((0..<200).map { ($0 / 10, Int64(-100 - $0), "SHOP \($0)", nil) })
}

extension String {
    /// Cut or filled with zeros.
    fileprivate func padding(_ length: Int) -> String {
        String((self + String(repeating: "0", count: length)).prefix(length))
    }
}
