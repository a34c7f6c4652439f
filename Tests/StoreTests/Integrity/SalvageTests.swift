import Chronology
import Foundation
import GRDB
import Ledger
import Testing

@testable import Store

/// A closed ledger with booked mails, of which copies are damaged.
struct DamageFixture {
    let folder = Folder()
    let mails = 400
    var ledger: String { folder.database }
    var output: String { folder.path + "/salvaged.db" }

    init() throws {
        do {
            let store = try Store(path: folder.database)
            for batch in 0..<4 {
                let entries = (1...100).map { index in
                    let uid = UInt32(batch * 100 + index)
                    return mail(
                        uid, decision(.recorded, draft(25_000 + Int64(uid), merchant: "SHOP \(uid)")),
                        raw: [UInt8](repeating: UInt8(truncatingIfNeeded: uid), count: 3000))
                }
                let cursor = FolderCursor(uidValidity: 1, nextUID: UInt32(batch * 100 + 101))
                _ = try store.recording.record(
                    entries, advancing: (FolderKey(mailbox: "personal", folder: "INBOX"), cursor))
            }
            _ = try store.categories.add(name: "Mine")
            try store.checkpoint()
        }
        for suffix in ["-wal", "-shm"] { unlink(ledger + suffix) }
    }

    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: ledger)) }
    func write(_ data: Data) throws { try data.write(to: URL(filePath: ledger)) }

    func defects() throws -> [String] { try LedgerCheck(path: ledger).run() ?? ["interrupted"] }

    func salvage() throws -> SalvageReport {
        LedgerFiles.remove(output)
        return try LedgerSalvage.run(ledger, to: output)
    }

    func salvaged(_ table: String) throws -> Int {
        try Store(path: output).readDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    /// Numbers of the pages of a tree, from 1.
    func pages(of name: String, kind: String) throws -> [Int] {
        try DatabaseQueue(path: ledger).read { db in
            try Int.fetchAll(
                db, sql: "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno",
                arguments: [name, kind])
        }
    }
}

@Suite struct SalvageTests {
    @Test func aSoundLedgerIsCopiedWhole() throws {
        let fixture = try DamageFixture()
        #expect(try fixture.defects().isEmpty)
        let before = try fixture.bytes()
        let report = try fixture.salvage()
        #expect(report.isComplete, "\(report.tables.filter { !$0.isComplete })")
        #expect(try fixture.bytes() == before)
        for table in ["transactions", "processed_emails", "raw_messages"] {
            #expect(try fixture.salvaged(table) == fixture.mails)
        }
        // Nothing is missing, so nothing has to be read again.
        #expect(try fixture.salvaged("mailbox_cursors") == 1)
        let rows = { (path: String) in
            try Store(path: path).readDatabase { db in
                try String.fetchAll(
                    db, sql: "SELECT id || idempotency_key || source_email_id FROM transactions ORDER BY id")
                    + String.fetchAll(db, sql: "SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
                    + String.fetchAll(db, sql: "SELECT rowid || id FROM processed_emails ORDER BY rowid")
            }
        }
        #expect(try rows(fixture.ledger) == rows(fixture.output))
    }

    /// Destroyed pages of tables and indexes: found by the check, and the rows around them are kept.
    @Test(arguments: [
        ("transactions", "leaf"), ("processed_emails", "leaf"), ("raw_messages", "leaf"), ("raw_messages", "overflow"),
        ("transactions", "internal"), ("processed_emails", "internal"), ("transactions_by_mail", "leaf"),
        ("mail_counts", "leaf"),
    ])
    func aDestroyedPageCostsItsRowsOnly(tree: String, kind: String) throws {
        let fixture = try DamageFixture()
        let pages = try fixture.pages(of: tree, kind: kind)
        guard !pages.isEmpty else { return }
        var bytes = try fixture.bytes()
        let page = pages[pages.count / 2]
        let start = (page - 1) * 8192
        bytes.replaceSubrange(start..<start + 8192, with: Data(repeating: 0xA5, count: 8192))
        try fixture.write(bytes)
        if kind != "overflow" { #expect(try !fixture.defects().isEmpty) }
        let report = try fixture.salvage()
        #expect(try fixture.bytes() == bytes, "the original is untouched")
        #expect(try Store(path: fixture.output).integrityDefects().isEmpty)
        let kept = try fixture.salvaged("transactions")
        if kind == "leaf" { #expect(kept >= fixture.mails * 3 / 4, "\(kept)") }
        let isIndex = tree == "transactions_by_mail"
        #expect(report.isComplete == isIndex)
        // Read again from the beginning.
        #expect(try fixture.salvaged("mailbox_cursors") == (isIndex ? 1 : 0))
        let counted: Int? = try Store(path: fixture.output).readDatabase {
            try Int.fetchOne($0, sql: "SELECT sum(transactions) FROM transaction_counts")
        }
        #expect((counted ?? 0) == kept)
    }

    /// The mails that are missing are booked again; those that exist are not booked twice.
    @Test func theMailboxFillsTheGap() throws {
        let fixture = try DamageFixture()
        let page = try #require(try fixture.pages(of: "transactions", kind: "leaf").dropFirst().first)
        var bytes = try fixture.bytes()
        bytes.replaceSubrange((page - 1) * 8192..<page * 8192, with: Data(repeating: 0, count: 8192))
        try fixture.write(bytes)
        let report = try fixture.salvage()
        let lost = fixture.mails - (try fixture.salvaged("transactions"))
        #expect(lost > 0)
        #expect(report.tables.first { $0.name == "transactions" }?.lost == lost)
        let store = try Store(path: fixture.output)
        let entries = (1...fixture.mails).map { uid in
            mail(UInt32(uid), decision(.recorded, draft(25_000 + Int64(uid), merchant: "SHOP \(uid)")))
        }
        _ = try store.recording.record(entries)
        #expect(try fixture.salvaged("transactions") >= fixture.mails - lost)
        let keys: Int? = try store.readDatabase {
            try Int.fetchOne($0, sql: "SELECT count(DISTINCT idempotency_key) FROM transactions")
        }
        #expect(try fixture.salvaged("transactions") == keys)
    }

    /// Flipped bytes and cuts at many places: an error or a sound ledger, never a crash.
    @Test func anyDamageEndsWithASoundLedgerOrAnError() throws {
        let fixture = try DamageFixture()
        let good = try fixture.bytes()
        var (sound, refused) = (0, 0)
        for step in 0..<40 {
            var bytes = good
            let place = bytes.count * step / 40 + 37 * step % 100
            if step % 4 == 3 {
                bytes = bytes.prefix(max(place, 4000))
            } else {
                for offset in 0..<(step % 3 == 0 ? 1 : 300) where place + offset < bytes.count {
                    bytes[place + offset] ^= 0x5A
                }
            }
            try fixture.write(bytes)
            _ = try fixture.defects()
            do {
                _ = try fixture.salvage()
                #expect(try Store(path: fixture.output).integrityDefects().isEmpty, "step \(step)")
                sound += 1
            } catch let error as StoreError {
                #expect(error.kind == .corrupt, "step \(step): \(error)")
                refused += 1
            }
            #expect(try fixture.bytes() == bytes)
        }
        #expect(sound >= 30, "\(refused) refused")
        let left = fixture.folder.files.filter { $0.contains(".part") || $0.contains(".source") }
        #expect(left.isEmpty, "\(left)")
    }

    /// The tables that are listed before the damage are kept.
    @Test func aDestroyedPageOfTheSchemaLeavesTheOtherTables() throws {
        let fixture = try DamageFixture()
        var bytes = try fixture.bytes()
        // The pages after it list indexes, views and triggers.
        let page = try #require(
            try fixture.pages(of: "sqlite_schema", kind: "leaf").last {
                bytes[($0 - 1) * 8192..<$0 * 8192].range(of: Data("CREATE TABLE ".utf8)) != nil
            })
        bytes.replaceSubrange((page - 1) * 8192..<page * 8192, with: Data(repeating: 0xA5, count: 8192))
        try fixture.write(bytes)
        #expect(try !fixture.defects().isEmpty)
        #expect(try !fixture.salvage().isComplete)
        #expect(try fixture.salvaged("transactions") == fixture.mails)
        #expect(try Store(path: fixture.output).integrityDefects().isEmpty)
    }

    @Test func aDestroyedHeaderIsReplaced() throws {
        let fixture = try DamageFixture()
        var bytes = try fixture.bytes()
        bytes.replaceSubrange(0..<100, with: Data(repeating: 0xFF, count: 100))
        try fixture.write(bytes)
        #expect(try !fixture.defects().isEmpty)
        let report = try fixture.salvage()
        #expect(report.isComplete)
        #expect(try fixture.salvaged("transactions") == fixture.mails)
    }

    @Test func anExistingFileIsNotReplaced() throws {
        let fixture = try DamageFixture()
        try Data("mine".utf8).write(to: URL(filePath: fixture.output))
        #expect(throws: StoreError.self) { try LedgerSalvage.run(fixture.ledger, to: fixture.output) }
        #expect(try Data(contentsOf: URL(filePath: fixture.output)) == Data("mine".utf8))
    }
}
