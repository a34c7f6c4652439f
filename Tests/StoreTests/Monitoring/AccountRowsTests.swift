import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

@Suite struct AccountRowsTests {
    static let id = "0190c0de-0000-7000-8000-000000000001"

    func account(_ name: String = "Card", updated: UnixTime? = nil, amount: String? = "Rs ([0-9]+)") -> AccountRow {
        AccountRow(name: name) {
            $0.id = Self.id
            $0.senderEmail = "alerts@bank.example"
            $0.amountRegex = amount
            $0.updatedAt = updated
        }
    }

    @Test func madeChangedDeleted() throws {
        let f = try Fixture()
        let generation = try f.store.accounts.generation()
        var row = try f.store.accounts.add(account())
        #expect(row.createdAt == "2026-01-05T08:00:00Z" && row.updatedAt == row.createdAt)
        #expect(throws: StoreError.self) { try f.store.accounts.add(account()) }
        f.clock.advance(60)
        row.name = "Other"
        #expect(throws: StoreError.self) { try f.store.accounts.update(row) { _ in false } }
        row = try f.store.accounts.update(row) { $0.name == "Card" }
        #expect(row.updatedAt == "2026-01-05T08:01:00Z" && row.createdAt == "2026-01-05T08:00:00Z")
        #expect(try f.store.accounts.all() == [row])
        #expect(try f.store.accounts.generation() == generation + 2)
        try f.store.accounts.delete(Self.id)
        #expect(try f.store.accounts.all().isEmpty)
        #expect(try f.store.accounts.generation() == generation + 3)
        #expect(throws: StoreError.self) { try f.store.accounts.delete(Self.id) }
    }

    /// Result of merging a client's version with one that was changed here at 08:00; the clock shows 09:00.
    static let merges: [(String, UnixTime, String, AccountMerge)] = [
        ("Card", "2026-01-05T08:30:00Z", "Card", .unchanged), ("New", "2026-01-05T08:30:00Z", "New", .updated),
        ("New", "2026-01-05T07:00:00Z", "Card", .kept),
        ("New", "2026-01-05T08:00:00Z", "Card", .kept), ("New", "2099-01-01T00:00:00Z", "New", .updated),
    ]

    @Test(arguments: merges) func theNewerWins(
        name: String, updated: UnixTime, result: String, merge: AccountMerge
    ) throws {
        let f = try Fixture()
        try f.store.accounts.add(account())
        f.clock.advance(3600)
        #expect(try f.store.accounts.sync([account(name, updated: updated)]) == [merge])
        let row = try #require(try f.store.accounts.find(Self.id))
        #expect(row.name == result && row.updatedAt ?? "2199-12-31T00:00:00Z" <= "2026-01-05T09:00:00Z")
    }

    @Test func deletedRowsStayDeleted() throws {
        let f = try Fixture()
        #expect(try f.store.accounts.sync([account(updated: "2026-01-05T07:00:00Z")]) == [.created])
        try f.store.accounts.delete(Self.id)
        #expect(try f.store.accounts.sync([account(updated: "2026-01-05T07:00:00Z")]) == [.deleted])
        f.clock.advance(60)
        #expect(try f.store.accounts.sync([account(updated: "2026-01-05T08:00:30Z")]) == [.created])
    }

    @Test func mergesAllOrNothing() throws {
        let f = try Fixture()
        let error = #expect(throws: StoreError.self) {
            try f.store.accounts.sync([
                account(),
                AccountRow(name: "") {
                    $0.id = "x"
                },
            ])
        }
        #expect(error?.fields.map(\.field) == ["1.id", "1.name"])
        #expect(try f.store.accounts.all().isEmpty)
    }

    /// A booking names its account template, and survives its deletion.
    @Test func bookingsOfAnAccount() throws {
        let f = try Fixture()
        try f.store.accounts.add(account())
        var read = decision(.recorded, draft(reference: "R1"))
        read.source?.template = "accounts/\(Self.id)"
        var gone = decision(.recorded, draft(reference: "R2"))
        gone.source?.template = "accounts/0190c0de-0000-7000-8000-00000000dead"
        let ids = try f.store.recording.record([mail(1, read), mail(2, gone)]).compactMap(\.transactionID)
        #expect(try ids.map { try f.store.transactions.find($0)?.accountID } == [Self.id, nil])
        try f.store.accounts.delete(Self.id)
        #expect(try f.store.transactions.find(ids[0])?.accountID == nil)
    }
}
