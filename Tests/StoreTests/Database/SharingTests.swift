import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// Several connections to one database at the same time.
@Suite struct SharingTests {
    @Test func readerSeesWhatIsCommitted() throws {
        let f = try Fixture()
        let reader = try Store(path: f.folder.database, readOnly: true)
        for uid in 1...5 as ClosedRange<UInt32> {
            _ = try f.store.recording.record(
                [mail(uid, decision(.recorded, draft(Int64(uid))))],
                advancing: (f.inbox, FolderCursor(uidValidity: 1, nextUID: uid + 1)))
            #expect(try reader.mailboxes.cursor(of: f.inbox)?.nextUID == uid + 1)
            #expect(try reader.mails.latest([.recorded]).count == Int(uid))
        }
    }

    @Test func exportSeesOneInstantWhileMailsAreRecorded() throws {
        let f = try Fixture()
        _ = try f.store.recording.record((1...10).map { mail($0, decision(.recorded, draft(Int64($0)))) })
        let writer = try Store(path: f.folder.database)
        var seen: [Int64] = []
        try f.store.transactions.each { row in
            seen.append(row.amount.minorUnits)
            if seen.count == 1 {
                _ = try? writer.recording.record((11...20).map { mail($0, decision(.recorded, draft(Int64($0)))) })
            }
            return true
        }
        #expect(seen == Array(1...10))
        #expect(try f.count("transactions") == 20)
    }

    /// Two mailboxes that share alerts, each with its own connection and thread.
    @Test func writersWaitForEachOther() async throws {
        let f = try Fixture()
        let path = f.folder.database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for box in ["personal", "family"] {
                group.addTask {
                    let store = try Store(path: path)
                    for start in stride(from: UInt32(0), to: 200, by: 10) {
                        _ = try store.recording.record(
                            (start..<start + 10).map {
                                mail(
                                    $0 + 1, decision(.recorded, draft(Int64($0 + 1), reference: "R\($0)")), mailbox: box
                                )
                            })
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try f.count("transactions") == 200)
        #expect(try f.count("processed_emails", where: "status = 'recorded'") == 200)
        #expect(try f.count("processed_emails", where: "status = 'duplicate' AND duplicate_of IS NOT NULL") == 200)
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func severalMakeItAtOnce() async throws {
        let folder = Folder()
        let path = folder.database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for uid in 1...4 as ClosedRange<UInt32> {
                group.addTask {
                    _ = try Store(path: path).recording.record([mail(uid, decision(.recorded, draft(Int64(uid))))])
                }
            }
            try await group.waitForAll()
        }
        #expect(try Store(path: path).mails.latest([.recorded]).count == 4)
    }
}
