import Chronology
import ChronologyFixture
import Foundation
import Glibc
import Store
import Testing

@testable import Backup

@Suite struct EncryptedBackupTests {
    private static let passphrase = BackupPassphrase(Array("correct horse battery staple".utf8))
    private static let other = BackupPassphrase(Array("correct horse battery stapler".utf8))

    /// A folder for one test.
    private final class Place {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "encrypted-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// The file that `body` writes to its second descriptor from the bytes behind the first.
        func converted(_ bytes: Data, _ body: (Int32, Int32) throws -> Void) throws -> Data {
            let (from, to) = (path + "/from", path + "/to")
            try bytes.write(to: URL(filePath: from))
            let (source, target) = (open(from, O_RDONLY), open(to, O_RDWR | O_CREAT | O_TRUNC, 0o600))
            defer {
                close(source)
                close(target)
            }
            try body(source, target)
            return try Data(contentsOf: URL(filePath: to))
        }

        func decrypted(_ bytes: Data, _ passphrase: BackupPassphrase) throws -> Data {
            try converted(bytes) { try AgeFile.decrypt($0, of: "backup", to: $1, with: passphrase) }
        }
    }

    /// Made by another implementation of the format.
    private static let foreign = """
        YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBaR1ZtWjJocGFtdHNiVzV2Y0hGeWN3IDQKYnc3ME5KOTMwcVZXNXVabVRr
        MXduQlJFaUJNVkhKR3h1SEIwVk5YVkJxYwotLS0gMms1UmFja2dDQURmVHpwbjFXOEpHSlF6LzJLaW1mVDZmUVFtSnJScERuSQoy
        MzQ1Njc4OTo7PD0+P0BBu16zOhG7kzpMgOyjXDzWqdxoTYANm2eQ9c/+58+yiJNxDiTF+clgHxjLcvKGC8opSX/xew==
        """

    @Test func filesOfOtherProgramsAreRead() throws {
        let bytes = try #require(Data(base64Encoded: Self.foreign.filter { !$0.isWhitespace }))
        let passphrase = try #require(Self.passphrase)
        #expect(try Place().decrypted(bytes, passphrase) == Data("the ledger of an invented household\n".utf8))
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func contentComesBack(size: Int) throws {
        let place = try Place()
        let passphrase = try #require(Self.passphrase)
        let plain = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let sealed = try place.converted(plain) { try AgeFile.encrypt($0, to: $1, with: passphrase) }
        #expect(try place.decrypted(sealed, passphrase) == plain)
        let other = try #require(Self.other)
        #expect(throws: BackupError.self) { try place.decrypted(sealed, other) }
    }

    /// Each file has a key of its own, and each chunk a number, so that no nonce is used twice.
    @Test func theSameContentIsEncryptedDifferently() throws {
        let place = try Place()
        let passphrase = try #require(Self.passphrase)
        let chunk = 65_536
        func text() throws -> Data {
            try place.converted(Data(count: 2 * chunk)) { try AgeFile.encrypt($0, to: $1, with: passphrase) }
        }
        let (first, second) = (try text(), try text())
        let end = first.suffix(2 * (chunk + 16))
        #expect(end != second.suffix(end.count))
        #expect(end.prefix(chunk) != end.suffix(chunk + 16).prefix(chunk))
    }

    /// A change or a cut anywhere is an error.
    @Test func damageIsFound() throws {
        let place = try Place()
        let bytes = try #require(Data(base64Encoded: Self.foreign.filter { !$0.isWhitespace }))
        let passphrase = try #require(Self.passphrase)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: BackupError.self, "byte \(index)") { try place.decrypted(changed, passphrase) }
            #expect(throws: BackupError.self, "cut at \(index)") {
                try place.decrypted(bytes.prefix(index), passphrase)
            }
        }
    }

    @Test func anEncryptedBackupRestoresTheLedger() throws {
        let place = try Place()
        let (ledger, backup) = (place.path + "/ledger.db", place.path + "/backup.tgz.age")
        let passphrase = try #require(Self.passphrase)
        let store = try Store(path: ledger)
        _ = try store.categories.add(name: "A name that is used once")
        _ = try BackupFile.write(store, to: backup, at: 1_767_600_000, appVersion: "1", passphrase: passphrase)
        #expect(BackupFile.isEncrypted(backup) && !BackupFile.isEncrypted(ledger))
        #expect(throws: BackupError.self) { try BackupFile.open(backup, unpackingIn: place.path) }
        let opened = try BackupFile.open(backup, unpackingIn: place.path, passphrase: passphrase)
        #expect(try opened.ledger.categories.all().contains { $0.name == "A name that is used once" })
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(names.count { $0.contains("scratch") } == 1, "that of the opened backup: \(names)")
    }

    @Test func namesOfEncryptedBackupsTakePartInTheRotation() throws {
        let place = try Place()
        let folder = BackupFolder(place.path)
        for (day, isEncrypted) in [(0, true), (1, false), (2, true)] {
            let file = folder.file(at: 1_767_600_000 + Int64(day) * 86_400, isEncrypted: isEncrypted)
            try Data().write(to: URL(filePath: file))
        }
        #expect(try folder.files().count == 3)
        #expect(try folder.keepNewest(2).map { $0.hasSuffix("T080000Z.tgz.age") } == [true])
    }
}
