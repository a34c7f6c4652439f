import Backup
import Chronology
import ChronologyFixture
import Foundation
import Store
import Testing

/// A folder with a ledger, removed with its value.
fileprivate final class BackupFixture {
    let folder: String
    var ledger: String { folder + "/ledger.db" }
    var backup: String { folder + "/backup.tgz" }

    init() throws {
        folder = NSTemporaryDirectory() + "backup-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open() throws -> ProvenBackup { try BackupFile.open(backup, unpackingIn: folder) }

    /// Opens the ledger and adds a category, so that ledgers differ.
    @discardableResult func change(_ category: String) throws -> Store {
        let store = try Store(path: ledger)
        _ = try store.categories.add(name: category)
        return store
    }

    func categories() throws -> [String] {
        try Store(path: ledger, readOnly: true).categories.all().map(\.name)
    }

    @discardableResult func write(at now: UnixTime = 1_767_600_000) throws -> BackupManifest {
        try BackupFile.write(try Store(path: ledger), to: backup, at: now, appVersion: "1.2.3")
    }

    func restore() throws -> Restoration.Result {
        try Restoration.run(try open().ledger, over: ledger)
    }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? [] }
}

@Suite struct BackupFileTests {
    @Test func aBackupRestoresTheLedgerAsItWas() throws {
        let fixture = try BackupFixture()
        let open = try fixture.change("Before")
        // Made while another connection has uncommitted nothing and committed everything in its log.
        let manifest = try fixture.write()
        #expect(manifest.appVersion == "1.2.3" && manifest.createdAt == 1_767_600_000)
        #expect(manifest.rows["categories"] == (try fixture.categories().count))
        let mode = try FileManager.default.attributesOfItem(atPath: fixture.backup)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        _ = try open.categories.add(name: "After")
        #expect(throws: StoreError.self, "another program has it open") { try fixture.restore() }
        #expect(try fixture.categories().contains("After"))
        withExtendedLifetime(open) {}
    }

    @Test func aClosedLedgerIsReplacedInOneStep() throws {
        let fixture = try BackupFixture()
        try fixture.change("Before")
        try fixture.write()
        try fixture.change("After")
        #expect(try fixture.restore() == .replaced)
        let categories = try fixture.categories()
        #expect(categories.contains("Before") && !categories.contains("After"))
        #expect(try Store(path: fixture.ledger).integrityDefects().isEmpty)
        #expect(!fixture.files.contains { $0.contains("part-") || $0.contains("scratch") }, "\(fixture.files)")
    }

    @Test func aMissingLedgerIsCreatedAndADamagedOneKept() throws {
        let fixture = try BackupFixture()
        try fixture.change("Before")
        try fixture.write()
        LedgerFiles.remove(fixture.ledger)
        #expect(try fixture.restore() == .created)
        #expect(try fixture.categories().contains("Before"))
        try Data(repeating: 7, count: 20_000).write(to: URL(filePath: fixture.ledger))
        guard case .replacedDamaged(let kept) = try fixture.restore() else {
            Issue.record("not reported as damaged")
            return
        }
        #expect(FileManager.default.contents(atPath: kept)?.count == 20_000)
        #expect(try fixture.categories().contains("Before"))
    }

    /// Every flipped byte and every cut is refused, or leaves the content unaffected; nothing is replaced.
    @Test func damagedBackupsAreRefused() throws {
        let fixture = try BackupFixture()
        try fixture.change("Before")
        let manifest = try fixture.write()
        let good = try Data(contentsOf: URL(filePath: fixture.backup))
        try fixture.change("After")
        func attempt() throws -> Bool {
            do {
                return try fixture.open().manifest == manifest
            } catch is BackupError {
                return false
            }
        }
        var refused = 0
        for step in 0..<60 {
            var bytes = good
            if step % 2 == 0 {
                bytes[bytes.count * step / 60] ^= 0x55
            } else {
                bytes = bytes.prefix(bytes.count * step / 60)
            }
            try bytes.write(to: URL(filePath: fixture.backup))
            // A flipped byte may unpack to the same ledger, whose digest is in the manifest: the name or the time of
            // the compressed file, or another distance within a run of zeros.
            if try !attempt() { refused += 1 } else { #expect(step.isMultiple(of: 2), "step \(step)") }
        }
        #expect(refused >= 55)
        #expect(try fixture.categories().contains("After"))
    }

    @Test(arguments: ["", "not packed at all, however long the text may be", "PK\u{3}\u{4}"])
    func otherFilesAreRefused(content: String) throws {
        let fixture = try BackupFixture()
        try Data(content.utf8).write(to: URL(filePath: fixture.backup))
        #expect(throws: BackupError.self) { try fixture.open() }
    }

    @Test func rotationKeepsTheNewestAndOtherFiles() throws {
        let fixture = try BackupFixture()
        let folder = BackupFolder(fixture.folder)
        try fixture.change("Before")
        let store = try Store(path: fixture.ledger)
        for day in 0..<4 {
            let now = UnixTime(seconds: 1_767_600_000 + Int64(day) * 86_400)
            _ = try BackupFile.write(store, to: folder.file(at: now), at: now, appVersion: "1")
        }
        try Data("mine".utf8).write(to: URL(filePath: fixture.folder + "/spendwise-notes.tgz"))
        #expect(folder.file(at: 1_767_600_000).hasSuffix("/spendwise-20260105T080000Z.tgz"))
        #expect(try folder.keepNewest(2).count == 2)
        let left = try folder.files().map { $0.split(separator: "/").last.map(String.init) ?? "" }
        #expect(left == ["spendwise-20260108T080000Z.tgz", "spendwise-20260107T080000Z.tgz"])
        #expect(fixture.files.contains("spendwise-notes.tgz"))
    }
}
