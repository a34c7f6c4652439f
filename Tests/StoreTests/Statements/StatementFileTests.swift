import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Statements of mails, recorded with their mail.
@Suite struct StatementFileTests {
    static func entry(_ uid: UInt32, isAuthentic: Bool = true, folder: String = "INBOX") -> MailEntry {
        var entry = mail(
            uid,
            Decision(
                .ignored, by: Decision.Source(profile: "hdfc", template: "hdfc/statement", isAuthentic: isAuthentic),
                reasons: [Reason(IgnoreReason.statement)]), folder: folder)
        entry.files = [.init(name: "a.csv", bytes: [1, 2, 3]), .init(name: nil, bytes: [4])]
        return entry
    }

    @Test func filesAreRecordedWithTheirMailOnce() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.entry(1), Self.entry(2, isAuthentic: false)])
        _ = try f.store.recording.record([Self.entry(1), Self.entry(1, folder: "Archive")])
        let files = try f.store.statements.files()
        #expect(
            files.map(\.name) == [nil, "a.csv"] && files.allSatisfy { $0.state == .waiting && $0.profile == "hdfc" })
        #expect(files.map(\.digest) == [[4], [1, 2, 3]].map(FileDigest.hexadecimal))
        #expect(try f.store.statements.openFile(files[1].id).bytes == [1, 2, 3])
        #expect(try f.store.statements.openFile(files[1].id).account == nil)
    }

    @Test func theAccountIsTheBanksOnlyOneOrTheNamedOne() throws {
        let f = try Fixture()
        let (first, second) = (try StatementTests.account(f.store), try StatementTests.account(f.store))
        func number(_ digits: String, _ account: Int64) throws {
            try f.store.writeDatabase {
                try $0.execute(
                    sql: """
                        INSERT INTO user_account_numbers (profile, account_digits, user_account_id, first_seen, last_seen)
                        VALUES ('hdfc', ?, ?, '2026-01-01', '2026-01-01')
                        """, arguments: [digits, account])
            }
        }
        _ = try f.store.recording.record([Self.entry(1)])
        let id = try #require(try f.store.statements.files().first).id
        try number("4410", first)
        #expect(try f.store.statements.file(id).account == first)
        #expect(try f.store.statements.file(id).accountNumbers == ["4410"])
        try number("3307", second)
        #expect(try f.store.statements.file(id).account == nil)
        try f.store.writeDatabase {
            try $0.execute(sql: "UPDATE statement_files SET account_digits = '3307'")
        }
        #expect(try f.store.statements.file(id).account == second)
        #expect(try f.store.statements.openFile(id, account: first).account?.id == first)
        #expect(throws: StoreError.self) { try f.store.statements.openFile(id, account: 99) }
    }

    @Test func aPersonIsToldOnce() throws {
        let f = try Fixture()
        f.store.announce(NotificationPolicy(kinds: [.statement], maxAge: 1 << 40, changed: {}))
        _ = try f.store.recording.record([Self.entry(1)])
        let id = try #require(try f.store.statements.files().first).id
        for state in [StatementFile.State.needsPassword, .needsPassword, .needsAccount] {
            try f.store.statements.note(state, reason: "no password", ofFile: id, details: "a statement waits")
        }
        #expect(try f.count("notification_events") == 1)
        #expect(try f.store.statements.file(id).state == .needsAccount)
    }

    @Test func aSettledFileHasNoBytesAndStays() throws {
        let f = try Fixture()
        let account = try StatementTests.account(f.store)
        let row = try f.store.statements.add(
            StatementTests.statement([(4, -25_000, "CAFE NOIR", nil)]), account: account, digest: StatementTests.digest,
            file: nil
        ).row
        _ = try f.store.recording.record([Self.entry(1)])
        let ids = try f.store.statements.files().map(\.id)
        try f.store.statements.resolve(file: ids[0], as: row.id)
        try f.store.statements.note(.refused, reason: "late", ofFile: ids[0], details: "")
        #expect(try f.store.statements.file(ids[0]).state == .read)
        #expect(try f.store.statements.file(ids[0]).statement == row.id)
        #expect(try f.store.statements.expireFiles(storedBefore: 4_000_000_000) == 1)
        #expect(try f.store.statements.file(ids[1]).state == .expired)
        for id in ids + [77] {
            #expect(throws: StoreError.self) { try f.store.statements.openFile(id) }
            #expect(throws: StoreError.self) { try f.store.statements.discard(file: id) }
        }
        #expect(try f.count("statement_files", where: "bytes IS NOT NULL") == 0)
        // Undo of the statement keeps the record of the file.
        try f.store.statements.undo(row.id, by: .terminal)
        #expect(try f.store.statements.file(ids[0]).statement == nil)
    }
}
