import Ledger
import Synchronization
import Testing

@testable import Store

@Suite struct ScopeTests {
    private func ledger() throws -> Fixture {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, decision(.recorded, draft(reference: "A"))), mail(2, decision(.recorded, draft(reference: "B"))),
        ])
        return f
    }

    private var renaming: TransactionEdit {
        var edit = TransactionEdit()
        edit.merchant = .set("Renamed")
        return edit
    }

    @Test("A transaction that throws leaves nothing behind")
    func rollsBack() throws {
        let f = try ledger()
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try f.store.write { store in
                try store.transactions.change(1, renaming, by: .terminal)
                throw Stop()
            }
        }
        #expect(try f.store.transactions.find(1)?.vendor != "Renamed")
        #expect(try f.count("changes") == 0)
    }

    @Test("A call whose error is handled leaves nothing behind, and the rest is committed")
    func handledError() throws {
        let f = try ledger()
        try f.store.write { store in
            // The first row is changed before the second is found to be missing.
            #expect(throws: StoreError.self) {
                try store.write { store in
                    for id: Int64 in [1, 999] { try store.transactions.change(id, renaming, by: .terminal) }
                }
            }
            try store.transactions.change(2, renaming, by: .terminal)
        }
        #expect(try f.store.transactions.find(1)?.vendor != "Renamed")
        #expect(try f.store.transactions.find(2)?.vendor == "Renamed")
        #expect(try f.count("changes") == 1)
    }

    @Test("A scope that has ended throws")
    func ended() throws {
        let f = try ledger()
        var transaction: WriteTransaction?
        var snapshot: Snapshot?
        try f.store.write { transaction = $0 }
        try f.store.read { snapshot = $0 }
        let (write, read) = (try #require(transaction), try #require(snapshot))
        #expect(throws: StoreError.self) { try write.transactions.change(1, renaming, by: .terminal) }
        #expect(throws: StoreError.self) { try read.transactions.find(1) }
        #expect(try f.store.transactions.find(1)?.vendor != "Renamed")
    }

    @Test("A snapshot does not change while another connection writes; a transaction reads what it wrote")
    func snapshots() throws {
        let f = try ledger()
        let other = try Store(path: f.folder.database)
        try f.store.read { store in
            #expect(try store.mails.latest([.recorded]).count == 2)
            _ = try other.recording.record([mail(3, decision(.recorded, draft(reference: "C")))])
            #expect(try store.mails.latest([.recorded]).count == 2)
        }
        try f.store.write { store in
            _ = try store.recording.record([mail(4, decision(.recorded, draft(reference: "D")))])
            #expect(try store.mails.latest([.recorded]).count == 4)
            // Part of the same transaction.
            try store.write { _ = try $0.recording.record([mail(5, decision(.recorded, draft(reference: "E")))]) }
            #expect(try store.read { try $0.mails.latest([.recorded]).count } == 5)
        }
    }

    @Test("Notifications are announced after the commit, and not after a rollback")
    func announcesAfterTheCommit() throws {
        let f = try ledger()
        let calls = Atomic<Int>(0)
        f.store.announce(
            NotificationPolicy(
                kinds: [.transaction], maxAge: 1_000_000_000,
                changed: { [path = f.folder.database] in
                    // Committed: another connection sees it.
                    let seen = try? Store(path: path, readOnly: true).mails.latest([.recorded]).count
                    #expect(seen == 3)
                    calls.add(1, ordering: .relaxed)
                }))
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try f.store.write { store in
                _ = try store.recording.record([mail(3, decision(.recorded, draft(reference: "C")))])
                throw Stop()
            }
        }
        #expect(calls.load(ordering: .relaxed) == 0)
        try f.store.write { _ = try $0.recording.record([mail(3, decision(.recorded, draft(reference: "C")))]) }
        #expect(calls.load(ordering: .relaxed) == 1)
    }
}
