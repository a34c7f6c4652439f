import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Recurring items, and the transactions that the program books of them. Today is 2026-01-05.
@Suite struct RecurringPostingTests {
    static let asha = Actor(.page, "asha")

    static func item(
        _ rule: String, since start: CalendarDate = "2026-01-05", mode: RecurringItem.Mode = .posted,
        name: String = "Rent"
    ) throws -> RecurringItem {
        var item = RecurringItem(name: name, amount: rupees(1_500_000), rule: try RecurrenceRule(rule), start: start)
        item.mode = mode
        return item
    }

    private static func days(_ f: Fixture) throws -> [String] {
        try f.store.readDatabase {
            try String.fetchAll(
                $0,
                sql:
                    "SELECT parsed_date FROM transactions WHERE idempotency_key LIKE 'recurring:%' ORDER BY parsed_date"
            )
        }
    }

    @Test func whatIsDueIsBookedOnceAndAfterDowntime() throws {
        let f = try Fixture()
        let row = try f.store.recurring.add(Self.item("FREQ=MONTHLY;BYMONTHDAY=-1", since: "2025-10-15"), by: Self.asha)
        #expect(try f.store.recurring.post() == 3)
        #expect(try f.store.recurring.post() == 0)
        #expect(try Self.days(f) == ["2025-10-31", "2025-11-30", "2025-12-31"])
        #expect(try f.value("SELECT idempotency_key FROM transactions LIMIT 1") == "recurring:\(row.id):2025-10-31")
        #expect(try f.store.recurring.find(row.id)?.lastProcessed == "2026-01-05")
        f.clock.advance(90 * 86_400)
        #expect(try f.store.recurring.post() == 3)
        #expect(try Self.days(f).suffix(3) == ["2026-01-31", "2026-02-28", "2026-03-31"])
    }

    @Test func aDayBeginsInUTC() throws {
        let f = try Fixture()
        // 2026-01-05T22:00Z is the sixth in Kolkata.
        f.clock.advance(14 * 3600)
        #expect(f.store.today == "2026-01-06")
        try f.store.recurring.add(Self.item("FREQ=DAILY", since: "2026-01-06"), by: Self.asha)
        #expect(try f.store.recurring.post() == 0)
        f.clock.advance(2 * 3600)
        #expect(try f.store.recurring.post() == 1)
    }

    @Test func manyDaysAreBookedInSeveralCommits() throws {
        let f = try Fixture()
        try f.store.recurring.add(Self.item("FREQ=DAILY", since: "2024-01-06"), by: Self.asha)
        #expect(try f.store.recurring.post() == 731)
        #expect(Set(try Self.days(f)).count == 731)
    }

    @Test func onlyActivePostedItemsAreBooked() throws {
        let f = try Fixture()
        try f.store.recurring.add(Self.item("FREQ=DAILY", mode: .expected), by: Self.asha)
        var suspended = try Self.item("FREQ=DAILY")
        suspended.isActive = false
        try f.store.recurring.add(suspended, by: Self.asha)
        #expect(try f.store.recurring.post() == 0)
    }

    /// A crash between two commits loses the mark of the day, at worst; the key keeps a row from coming twice.
    @Test func aLostMarkBooksNothingTwice() throws {
        let f = try Fixture()
        try f.store.recurring.add(Self.item("FREQ=WEEKLY", since: "2025-12-01"), by: Self.asha)
        #expect(try f.store.recurring.post() == 6)
        try f.store.writeDatabase { try $0.execute(sql: "UPDATE recurring_items SET last_processed_date = NULL") }
        let first = try #require(try f.value("SELECT min(id) FROM transactions") as Int64?)
        try f.store.transactions.delete(first)
        #expect(try f.store.recurring.post() == 0, "one that a person deleted stays deleted")
        #expect(try f.count("transactions") == 6)
    }

    @Test func aFailedCommitBooksNothing() throws {
        let f = try Fixture()
        try f.store.recurring.add(Self.item("FREQ=WEEKLY", since: "2025-12-01"), by: Self.asha)
        try f.store.writeDatabase {
            try $0.execute(
                sql:
                    "CREATE TRIGGER broken BEFORE UPDATE OF last_processed_date ON recurring_items BEGIN SELECT raise(ABORT, 'power cut'); END"
            )
        }
        #expect(throws: StoreError.self) { try f.store.recurring.post() }
        #expect(try f.count("transactions") == 0)
        try f.store.writeDatabase { try $0.execute(sql: "DROP TRIGGER broken") }
        #expect(try f.store.recurring.post() == 6)
    }

    @Test func deletingTheItemKeepsWhatItPostedAndIsUndone() throws {
        let f = try Fixture()
        let row = try f.store.recurring.add(Self.item("FREQ=WEEKLY", since: "2025-12-01"), by: Self.asha)
        try f.store.recurring.post()
        let group = LedgerChange.newGroup()
        try f.store.recurring.delete(row.id, by: Self.asha, group: group)
        #expect(try f.count("transactions") == 6)
        #expect(try f.store.recurring.all().isEmpty)
        let other = try f.store.recurring.add(Self.item("FREQ=YEARLY"), by: Self.asha)
        #expect(other.id != row.id, "no item takes the keys of another")
        try f.store.journal.undo(group: group, by: Self.asha)
        #expect(try f.store.recurring.find(row.id)?.item == row.item)
        try f.store.recurring.post()
        #expect(try f.count("transactions", where: "idempotency_key LIKE 'recurring:\(row.id):%'") == 6)
    }

    @Test func faultsAreNamedByField() throws {
        let f = try Fixture()
        var item = try Self.item("FREQ=MONTHLY;BYMONTHDAY=31;UNTIL=20260110", name: "\u{200B}")
        item.amount = rupees(0)
        item.band = 101
        let error = #expect(throws: StoreError.self) { try f.store.recurring.add(item, by: Self.asha) }
        #expect(error?.fields.map(\.field) == ["name", "amount", "band_percent", "rule"])
        var early = try Self.item("FREQ=DAILY", since: "1999-01-01")
        #expect(throws: StoreError.self) { try f.store.recurring.add(early, by: Self.asha) }
        early.start = "2026-01-05"
        early.account = 9
        let missing = #expect(throws: StoreError.self) { try f.store.recurring.add(early, by: Self.asha) }
        #expect(missing?.kind == .conflict && missing?.fields.map(\.field) == ["user_account_id"])
        var forged = NewTransaction(amount: rupees(1), type: .expense, date: "2026-01-05")
        forged.idempotencyKey = "recurring:1:2026-01-05"
        #expect(throws: StoreError.self) { try f.store.transactions.add(forged, by: Self.asha) }
    }

    @Test func aDetectedPaymentBecomesAnItemOrIsNotProposedAgain() throws {
        let f = try Fixture()
        for (index, day) in ["2025-10-05", "2025-11-05", "2025-12-05", "2026-01-04"].enumerated() {
            for (place, merchant) in ["NETFLIX", "SPOTIFY"].enumerated() {
                let uid = UInt32(index * 2 + place + 1)
                _ = try f.store.recording.record([
                    mail(uid, decision(.recorded, draft(64_900, on: day, merchant: merchant, reference: "R\(uid)")))
                ])
            }
        }
        let found = try f.store.recurring.detected()
        #expect(found.map(\.payee) == ["NETFLIX", "SPOTIFY"] && found[0].payments.count == 4)
        #expect(found[0].rule.description == "FREQ=MONTHLY;BYMONTHDAY=5" && found[0].next == "2026-02-05")
        let row = try f.store.recurring.decide(found[0].payments[1].id, isRecurring: true, by: Self.asha)
        #expect(row.item.mode == .expected && row.item.account != nil)
        let refused = try f.store.recurring.decide(found[1].payments[0].id, isRecurring: false, by: Self.asha)
        #expect(!refused.item.isActive)
        #expect(try f.store.recurring.detected().isEmpty)
        #expect(throws: StoreError.self) { try f.store.recurring.decide(9999, isRecurring: true, by: Self.asha) }
        let dues = try f.store.dues.list()
        #expect(dues.map(\.item.due.day).contains("2026-02-05"))
        #expect(dues.allSatisfy { $0.title == "NETFLIX" })
    }
}
