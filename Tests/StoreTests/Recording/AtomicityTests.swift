import Chronology
import ChronologyFixture
import GRDB
import Glibc
import Ledger
import Testing

@testable import Store

/// A batch is on the disk completely or not at all.
@Suite struct AtomicityTests {
    static let batch: [MailEntry] =
        [
            mail(1, decision(.recorded, draft(100, reference: "R1")), raw: [1]),
            mail(2, decision(.review, draft(200)), raw: [2]),
        ]
        + [
            mail(3, decision(.ignored, nil)), mail(4, decision(.recorded, draft(100, reference: "R1"))),
            mail(5, Decision(.failed(.notFetched("x")))),
        ]

    /// Each statement of a batch fails once: nothing of the batch remains, and the next attempt gives the result of an
    /// undisturbed run.
    @Test(arguments: [
        "INSERT ON processed_emails WHEN NEW.uid = 1", "INSERT ON processed_emails WHEN NEW.uid = 3",
        "INSERT ON processed_emails WHEN NEW.uid = 5",
        "INSERT ON transactions WHEN NEW.status = 'confirmed'",
        "INSERT ON transactions WHEN NEW.status = 'needs_review'",
        "INSERT ON raw_messages WHEN NEW.bytes = x'01'", "INSERT ON raw_messages WHEN NEW.bytes = x'02'",
        "UPDATE ON vendor_mappings", "INSERT ON mailbox_cursors", "UPDATE ON mailbox_cursors",
    ])
    func failsBefore(_ step: String) throws {
        let undisturbed = try Fixture()
        let f = try Fixture()
        func run(_ f: Fixture) throws {
            try f.store.categories.seed([CategorySeed(name: "Food", keywords: ["cafe noir"])])
            let rules = try f.store.categories.rules()
            _ = try f.store.recording.record(
                Self.batch.map { entry in
                    var entry = entry
                    entry.decision = entry.decision.categorized(by: rules)
                    return entry
                }, advancing: (f.inbox, FolderCursor(uidValidity: 1, nextUID: 6)))
        }
        try run(undisturbed)
        try f.store.writeDatabase {
            try $0.execute(sql: "CREATE TRIGGER fault BEFORE \(step) BEGIN SELECT RAISE(ABORT, 'fault'); END")
        }
        #expect(throws: StoreError.self) { try run(f) }
        #expect(try f.count("processed_emails") == 0)
        #expect(try f.count("transactions") == 0)
        #expect(try f.count("raw_messages") == 0)
        #expect(try f.count("mailbox_cursors") == 0)
        #expect(try f.count("vendor_mappings", where: "match_count > 0") == 0)
        try f.store.writeDatabase { try $0.execute(sql: "DROP TRIGGER fault") }
        try run(f)
        #expect(try f.dump() == undisturbed.dump())
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func errorsContainNoValues() throws {
        let f = try Fixture()
        try f.store.writeDatabase {
            try $0.execute(
                sql: "CREATE TRIGGER fault BEFORE INSERT ON transactions BEGIN SELECT RAISE(ABORT, 'fault'); END")
        }
        let error = try #require(throws: StoreError.self) { _ = try f.store.recording.record([mail(1, decision())]) }
        #expect(error.kind == .other)
        #expect(error.description.contains("fault"))
        for secret in ["25000", "NOIR", "4321", "bank.example", "₹"] { #expect(!error.description.contains(secret)) }
    }

    @Test func fullDisk() throws {
        let f = try Fixture()
        try f.store.writer.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages + 20)")
        }
        let before = try f.dump()
        let big = (1...50).map {
            mail($0, decision(.recorded, draft(Int64($0))), raw: [UInt8](repeating: 7, count: 20000))
        }
        let error = try #require(throws: StoreError.self) { _ = try f.store.recording.record(big) }
        #expect(error.kind == .diskFull)
        #expect(try f.dump() == before)
        #expect(try f.store.recording.record([mail(1, decision())]).first?.outcome == .recorded)
        _ = try f.store.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA max_page_count = 1000000") }
        #expect(try f.store.recording.record(big).filter { $0.outcome == .recorded }.count == 50)
    }

    /// The process is killed by SIGKILL at random instants of many batches. Only whole batches remain, and continuing
    /// gives the result of an undisturbed run.
    @Test(arguments: [200, 700, 1500, 3000, 6000, 12000, 25000])
    func killed(afterMicroseconds delay: Int) async throws {
        let folder = Folder()
        let path = folder.database
        let all = Self.manyMails
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, delay = delay as Int] in
            let store = try Store(path: path)
            _ = try store.recording.record([Self.manyMails[0]], advancing: Self.cursor(after: 1))
            try dieSoon(afterMicroseconds: delay)
            while true {
                for start in stride(from: 1, to: Self.manyMails.count, by: 10) {
                    let end = min(start + 10, Self.manyMails.count)
                    _ = try store.recording.record(
                        Array(Self.manyMails[start..<end]), advancing: Self.cursor(after: end))
                }
            }
        }
        let store = try Store(path: path)
        #expect(try store.integrityDefects() == [])
        let cursor = try #require(try store.mailboxes.cursor(of: Self.inbox))
        let done = try store.mailboxes.recordedUIDs(of: Self.inbox, uidValidity: 1, from: 0)
        #expect(done.count == Int(cursor.nextUID) - 1)
        #expect(done.last == cursor.nextUID - 1)
        _ = try store.recording.record(Array(all[Int(cursor.nextUID - 1)...]), advancing: Self.cursor(after: all.count))
        let undisturbed = try Store(path: "\(folder.path)/undisturbed.db")
        _ = try undisturbed.recording.record(all, advancing: Self.cursor(after: all.count))
        #expect(try store.readDatabase(dumpRows) == undisturbed.readDatabase(dumpRows))
    }

    static let inbox = FolderKey(mailbox: "personal", folder: "INBOX")

    static func cursor(after count: Int) -> (FolderKey, FolderCursor) {
        (inbox, FolderCursor(uidValidity: 1, nextUID: UInt32(count + 1)))
    }

    static let manyMails = (1...400).map { (uid: UInt32) -> MailEntry in
        let reference = uid % 3 == 0 ? "R\(uid / 6)" : nil
        let outcome: Outcome = uid % 7 == 0 ? .ignored : .recorded
        return mail(
            uid, decision(outcome, draft(Int64(uid % 50 + 1), reference: reference)),
            raw: [UInt8](repeating: 1, count: 5000))
    }
}

/// Kills this process by signal from another thread.
func dieSoon(afterMicroseconds delay: Int) throws {
    var thread = pthread_t()
    let argument = UnsafeMutableRawPointer(bitPattern: delay)
    pthread_create(
        &thread, nil,
        { delay in
            usleep(UInt32(Int(bitPattern: delay)))
            kill(getpid(), SIGKILL)
            return nil
        }, argument)
}
