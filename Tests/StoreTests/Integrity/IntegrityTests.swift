import Chronology
import ChronologyFixture
import Foundation
import Ledger
import Testing

@testable import Store

@Suite struct IntegrityTests {
    private static func record(_ defects: [String]) -> CheckRecord {
        var record = CheckRecord()
        (record.checkedAt, record.defects, record.isOpen) = (1_767_600_000, defects, true)
        return record
    }

    @Test func theRecordIsReadAsItWasWritten() throws {
        let folder = Folder()
        #expect(CheckRecord(of: folder.database) == CheckRecord())
        var record = Self.record(["Page 7: btreeInitPage() returns error code 11", "row 3 missing from index \"x\""])
        record.remindedOf = 1_767_000_000
        try record.write(of: folder.database)
        #expect(CheckRecord(of: folder.database) == record)
        try Data("{ not json".utf8).write(to: URL(filePath: folder.database + ".check"))
        #expect(CheckRecord(of: folder.database) == CheckRecord())
    }

    /// Nothing is written to a ledger whose check failed, also by a process that has it open, until one succeeds.
    @Test func aDamagedLedgerIsNotWritten() throws {
        let fixture = try Fixture()
        _ = try fixture.store.recording.record([mail(1, decision())])
        try Self.record(["Page 7 is never used"]).write(of: fixture.folder.database)
        let bytes = try Data(contentsOf: URL(filePath: fixture.folder.database + "-wal"))
        let refused = #expect(throws: StoreError.self) {
            _ = try fixture.store.recording.record([mail(2, decision(.recorded, draft(3)))])
        }
        #expect(refused?.kind == .corrupt)
        #expect(refused?.message.contains("parserctl salvage") == true)
        #expect(throws: StoreError.self) { try fixture.store.write { _ = try $0.categories.add(name: "New") } }
        #expect(throws: StoreError.self) { try fixture.store.checkpoint() }
        #expect(try Data(contentsOf: URL(filePath: fixture.folder.database + "-wal")) == bytes)
        #expect(try fixture.count("processed_emails") == 1, "it is still read")
        let report = HealthReport(try fixture.store.monitoring.snapshot(), configured: [])
        #expect(report.level == .failing)
        guard case .damaged("Page 7 is never used") = try #require(report.faults.first) else {
            Issue.record("\(report.faults)")
            return
        }
        try Self.record([]).write(of: fixture.folder.database)
        _ = try fixture.store.recording.record([mail(2, decision(.recorded, draft(3)))])
        #expect(HealthReport(try fixture.store.monitoring.snapshot(), configured: []).level == .ok)
    }

    @Test func aCheckCanBeEndedAndDoesNotWaitForWriters() throws {
        let fixture = try Fixture()
        try fixture.store.write { transaction in
            _ = try transaction.categories.add(name: "Mine")
            #expect(try LedgerCheck(path: fixture.folder.database).run() == [])
        }
        let check = LedgerCheck(path: fixture.folder.database)
        check.interrupt()
        #expect(try check.run() == nil)
    }

    @Test(
        arguments: [
            (nil, nil, false), (nil, 7, true), (nil, 0, false), (8, nil, true), (6, nil, false), (8, 30, false),
            (31, 30, true), (400, 0, false),
        ] as [(age: Int?, configured: Int?, isOutdated: Bool)])
    func anOldBackupIsAFault(age: Int?, configured: Int?, isOutdated: Bool) throws {
        let fixture = try Fixture()
        fixture.store.expectBackups(within: configured)
        if let age {
            let madeAt = fixture.clock.now() - Int64(age) * 86_400
            try BackupRecord(madeAt: madeAt, file: "/mnt/usb/x.tgz").write(of: fixture.folder.database)
        }
        let report = HealthReport(try fixture.store.monitoring.snapshot(), configured: [])
        #expect((report.level == .degraded) == isOutdated)
        #expect(fixture.store.backupState.isOutdated == isOutdated)
    }

    /// One notification for each backup that grows old.
    @Test func theReminderComesOnce() throws {
        let fixture = try Fixture()
        fixture.store.announce(NotificationPolicy(kinds: [.database], maxAge: 86_400, changed: {}))
        #expect(try fixture.store.remindOfBackup { _ in "" } == nil)
        for round in 1...2 {
            try BackupRecord(madeAt: fixture.clock.now(), file: "x").write(of: fixture.folder.database)
            #expect(try fixture.store.remindOfBackup { _ in "" } == nil)
            fixture.clock.advance(8 * 86_400)
            #expect(try fixture.store.remindOfBackup { _ in "" } != nil)
            #expect(try fixture.store.remindOfBackup { _ in "" } == nil)
            #expect(try fixture.count("notification_events", where: "kind = 'database'") == round)
        }
    }
}
