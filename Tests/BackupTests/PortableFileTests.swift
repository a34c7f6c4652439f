import Backup
import Chronology
import ChronologyFixture
import Foundation
import Ledger
import Store
import Testing

/// Ledgers written as JSON and made again of it.
@Suite struct PortableFileTests {
    private final class Case {
        let folder = NSTemporaryDirectory() + "portable-" + UUID().uuidString
        let store: Store
        var file: String { folder + "/ledger.json" }

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try Store(path: folder + "/ledger.db")
            _ = try store.categories.add(name: "Allotment \"é\" \\ 🪴")
            for number in 1...20 {
                var row = NewTransaction(
                    amount: Money(minorUnits: Int64(number) * 100 + 5, currency: .inr), type: .expense,
                    date: CalendarDate(daysSince1970: 20_000 + number))
                row.merchant = "Shop \(number)"
                row.notes = "line 1\nline 2"
                _ = try store.transactions.add(row, by: .terminal)
            }
            try note("changed", on: 3, in: store)
        }

        func note(_ text: String, on transaction: Int64, in store: Store) throws {
            var edit = TransactionEdit()
            edit.notes = .set(text)
            _ = try store.transactions.change(transaction, edit, by: .terminal)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func write() throws {
            try PortableFile.write(store, to: file, at: 1_767_600_000, appVersion: "1.2.3")
        }

        func open() throws -> ProvenBackup { try BackupFile.open(file, unpackingIn: folder) }

        func rows(_ store: Store) throws -> String {
            var text: [UInt8] = []
            try store.writePortableRows { text += $0 }
            return String(decoding: text, as: UTF8.self)
        }
    }

    @Test func everyRowComesBack() throws {
        let trial = try Case()
        try trial.write()
        let backup = try trial.open()
        #expect(backup.manifest.appVersion == "1.2.3" && backup.manifest.createdAt == 1_767_600_000)
        #expect(backup.manifest.rows["transactions"] == 20)
        #expect(try trial.rows(backup.ledger) == trial.rows(trial.store))
        #expect(try backup.ledger.integrityDefects().isEmpty)
        // It can be used: an edit, its journal and the counts go on.
        try trial.note("again", on: 4, in: backup.ledger)
        #expect(try backup.ledger.monitoring.status().transactions == trial.store.monitoring.status().transactions)
    }

    @Test func itHasNoSecret() throws {
        let trial = try Case()
        try trial.store.access.setLoginSecret("scrypt-secret", of: 1, at: .now)
        try trial.write()
        let text = try String(contentsOfFile: trial.file, encoding: .utf8)
        #expect(!text.contains("scrypt-secret") && !text.contains("access_tokens"))
        let mode = try FileManager.default.attributesOfItem(atPath: trial.file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    static let damages: [(String, String, String)] = [
        ("\"version\":1", "\"version\":2", "newer version"), ("\"data\"", "\"rows\"", "not a backup"),
        ("\"createdAt\":\"", "\"createdAt\":\"x", "not a backup"),
        ("\"transactions\":[", "\"unknown\":[", "newer version"),
        ("\"amount_minor\":105", "\"amount_minor\":\"x\"", "cannot be restored"),
        ("\"amount_minor\":105", "\"amount_minor\":[1]", "cannot be restored"),
        ("\"schema\":[", "\"schema\":[\"from the future\",", "newer version"),
    ]

    @Test(arguments: damages) func damagedDocumentsAreRefused(old: String, new: String, message: String) throws {
        let trial = try Case()
        try trial.write()
        let text = try String(contentsOfFile: trial.file, encoding: .utf8)
        #expect(text.contains(old))
        try text.replacing(old, with: new, maxReplacements: 1).write(
            toFile: trial.file, atomically: true, encoding: .utf8)
        #expect(performing: { try trial.open() }, throws: { "\($0)".contains(message) })
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: trial.folder).allSatisfy { !$0.hasPrefix("scratch") })
    }

    @Test func cutDocumentsAreRefused() throws {
        let trial = try Case()
        try trial.write()
        let good = try Data(contentsOf: URL(filePath: trial.file))
        for step in 1..<30 {
            try good.prefix(good.count * step / 30).write(to: URL(filePath: trial.file))
            #expect(throws: BackupError.self, "\(step)") { try trial.open() }
        }
    }
}
