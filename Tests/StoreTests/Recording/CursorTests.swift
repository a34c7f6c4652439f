import Ledger
import Testing

@testable import Store

@Suite struct CursorTests {
    @Test func moves() throws {
        let f = try Fixture()
        #expect(try f.store.mailboxes.cursor(of: f.inbox) == nil)
        let first = FolderCursor(
            uidValidity: 4_294_967_295, nextUID: 11, searchedDomains: ["bank.example", "card.example"])
        _ = try f.store.recording.record([], advancing: (f.inbox, first))
        #expect(try f.store.mailboxes.cursor(of: f.inbox) == first)
        #expect(try f.store.mailboxes.cursor(of: FolderKey(mailbox: "personal", folder: "inbox")) == nil)
    }

    @Test(
        arguments: [
            (1, 20, 20), (1, 5, 11),  // never back
            (2, 5, 5),  // a new UIDVALIDITY starts again
        ] as [(UInt32, UInt32, UInt32)])
    func neverMovesBack(validity: UInt32, next: UInt32, expected: UInt32) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([], advancing: (f.inbox, FolderCursor(uidValidity: 1, nextUID: 11)))
        _ = try f.store.recording.record([], advancing: (f.inbox, FolderCursor(uidValidity: validity, nextUID: next)))
        #expect(try f.store.mailboxes.cursor(of: f.inbox) == FolderCursor(uidValidity: validity, nextUID: expected))
    }

    @Test func mayBeSetBack() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([], advancing: (f.inbox, FolderCursor(uidValidity: 1, nextUID: 11)))
        try f.store.mailboxes.setCursor(FolderCursor(uidValidity: 1, nextUID: 1), of: f.inbox)
        #expect(try f.store.mailboxes.cursor(of: f.inbox)?.nextUID == 1)
    }

    @Test func findsRecordedUIDsAboveTheCursor() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([9, 5, 30].map { mail($0, Decision(.unclaimed)) })
        _ = try f.store.recording.record([
            mail(40, Decision(.unclaimed), validity: 2),
            mail(41, Decision(.unclaimed), folder: "Other"),
        ])
        #expect(try f.store.mailboxes.recordedUIDs(of: f.inbox, uidValidity: 1, from: 6) == [9, 30])
        #expect(try f.store.mailboxes.recordedUIDs(of: f.inbox, uidValidity: 1, from: 31) == [])
        #expect(try f.store.mailboxes.recordedUIDs(of: f.inbox, uidValidity: 2, from: 0) == [40])
    }
}
