import CurlTransport
import Foundation
import IMAP
import Settings
import Testing

@testable import Fleet

/// Private keys in a file of a temporary folder.
final class KeyFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "spendwise-keys-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ text: String, mode: Int = 0o600) throws -> KeyFile {
        let file = path + "/fleet.keys"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return KeyFile(name: file, folder: "/")
    }

    func file(_ keys: BoxPrivateKey...) throws -> KeyFile { try file(keys) }

    func file(_ keys: [BoxPrivateKey]) throws -> KeyFile {
        try file("# keys\n" + keys.map { String(decoding: $0.text, as: UTF8.self) + "\n\n" }.joined())
    }
}

@Suite struct SealedPasswordTests {
    static let place = SealedPassword.Place(household: "anna", mailbox: "box", host: "imap.example")

    @Test(arguments: ["x", "pässwörd ☕ 'quoted'", String(repeating: "p", count: 512)]) func theWorkerOpensIt(
        password: String
    ) throws {
        let (folder, key) = (try KeyFolder(), try BoxPrivateKey())
        let sealed = try SealedPassword(Array(password.utf8), for: Self.place, to: key.publicKey)
        #expect(try sealed.open(for: Self.place, with: folder.file(BoxPrivateKey(), key)) == Array(password.utf8))
        // No two boxes are alike, and each has the same length.
        #expect(try SealedPassword(Array(password.utf8), for: Self.place, to: key.publicKey) != sealed)
        let short = try SealedPassword([1], for: Self.place, to: key.publicKey)
        #expect(sealed.box.count == short.box.count)
    }

    /// A mailbox, a receiver and statements may have one name and one server.
    @Test(arguments: ["imap.example", ""]) func noneGetsThePasswordOfAnother(host: String) throws {
        let (folder, key) = (try KeyFolder(), try BoxPrivateKey())
        let places = SealedPassword.Place.Kind.allCases.map {
            SealedPassword.Place($0, household: "anna", name: "box", host: host)
        }
        for place in places {
            let sealed = try SealedPassword([1], for: place, to: key.publicKey)
            #expect(try sealed.open(for: place, with: folder.file(key)) == [1])
            for other in places where other != place {
                #expect(throws: FleetError.self) { try sealed.open(for: other, with: folder.file(key)) }
            }
        }
    }

    @Test(arguments: [
        SealedPassword.Place(household: "ben", mailbox: "box", host: "imap.example"),
        SealedPassword.Place(household: "anna", mailbox: "other", host: "imap.example"),
        SealedPassword.Place(household: "anna", mailbox: "box", host: "imap.evil.example"),
        SealedPassword.Place(household: "an", mailbox: "nabox", host: "imap.example"),
    ]) func itOpensForItsPlaceOnly(_ other: SealedPassword.Place) throws {
        let (folder, key) = (try KeyFolder(), try BoxPrivateKey())
        let sealed = try SealedPassword(Array("secret".utf8), for: Self.place, to: key.publicKey)
        let error = try #require(
            #expect(throws: FleetError.self) { try sealed.open(for: other, with: folder.file(key)) })
        #expect(error.description.contains("household '\(other.household)', mailbox '\(other.name)'"))
        #expect(error.description.contains("another household, mailbox or host"))
        var box = sealed.box
        box[60] ^= 1
        #expect(throws: FleetError.self) {
            try SealedPassword(key: key.publicKey, box: box).open(for: Self.place, with: folder.file(key))
        }
    }

    @Test func aWrongKeyIsNamedWithTheMailbox() throws {
        let (folder, key) = (try KeyFolder(), try BoxPrivateKey())
        let sealed = try SealedPassword(Array("secret".utf8), for: Self.place, to: key.publicKey)
        let error = try #require(
            #expect(throws: FleetError.self) { try sealed.open(for: Self.place, with: folder.file(BoxPrivateKey())) })
        for words in ["household 'anna', mailbox 'box'", key.publicKey.text, folder.path, "password anna box"] {
            #expect(error.description.contains(words), "\(error)")
        }
        #expect(!error.description.contains("secret"))
        let missing = #expect(throws: FleetError.self) { try sealed.open(for: Self.place, with: nil) }
        #expect(missing?.description.contains("household 'anna', mailbox 'box'") == true)
    }

    @Test(arguments: [[], [UInt8](repeating: 0x61, count: 513), Array("a\u{0}b".utf8)]) func badPasswordsAreRefused(
        _ password: [UInt8]
    ) throws {
        let key = try BoxPrivateKey().publicKey
        #expect(throws: FleetError.self) { try SealedPassword(password, for: Self.place, to: key) }
    }

    @Test func keysAreReadAsTheyAreWritten() throws {
        let folder = try KeyFolder()
        let key = try BoxPrivateKey()
        #expect(BoxPrivateKey(key.text)?.publicKey == key.publicKey)
        #expect(BoxPublicKey(key.publicKey.text) == key.publicKey)
        for text in ["", "x", String(key.publicKey.text.dropLast(4)), key.publicKey.text + "AAAA"] {
            #expect(BoxPublicKey(text) == nil)
            #expect(BoxPrivateKey(Array(text.utf8)) == nil)
        }
        let error = #expect(throws: FleetError.self) { try folder.file("# one\n\nnonsense\n").read() }
        #expect(error?.description.contains("line 3: no private key") == true)
        let open = #expect(throws: SecretError.self) { try folder.file("x", mode: 0o644).read() }
        #expect(open?.description.contains("may be read by other users") == true)
    }

    @Test func aKeyFileIsNeverOverwritten() throws {
        let folder = try KeyFolder()
        let file = KeyFile(name: folder.path + "/new.key", folder: "/")
        let key = try BoxPrivateKey()
        try file.create(key)
        #expect(try FileManager.default.attributesOfItem(atPath: file.file.path)[.posixPermissions] as? Int == 0o600)
        #expect(throws: FleetError.self) { try file.create(BoxPrivateKey()) }
        #expect(try file.read().map(\.publicKey) == [key.publicKey])
    }

    /// A password that was sealed anew while the household is read is fetched when the former key is gone.
    @Test func aLoginFollowsANewKey() throws {
        let (folder, old, new) = (try KeyFolder(), try BoxPrivateKey(), try BoxPrivateKey())
        let former = try SealedPassword(Array("secret".utf8), for: Self.place, to: old.publicKey)
        let present = try SealedPassword(Array("secret".utf8), for: Self.place, to: new.publicKey)
        func login(_ keys: KeyFile, _ latest: SealedPassword?) throws -> Credential {
            try SealedLogin(
                user: "anna", mechanism: .automatic,
                source: SealedSource(place: Self.place, sealed: former, keys: keys, latest: { latest })
            ).credential(wake: Wake())
        }
        for keys in [[old, new], [new]] {
            guard case .password(let bytes) = try login(folder.file(keys), present).secret else {
                Issue.record("no password")
                continue
            }
            #expect(bytes == Array("secret".utf8))
        }
        for latest in [nil, former] {
            let error = #expect(throws: IMAPError.self) { try login(folder.file(new), latest) }
            #expect(error?.retry == .afterReconfiguration)
            #expect(error?.description.contains("household 'anna', mailbox 'box'") == true)
        }
    }
}
