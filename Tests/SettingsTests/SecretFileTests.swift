import Foundation
import OAuth
import Processes
import Testing

@testable import Settings

@Suite final class SecretFileTests {
    /// A separate folder, removed after the test.
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "secrets-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, _ name: String, mode: Int = 0o600) throws {
        try #require(
            FileManager.default.createFile(
                atPath: folder + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) }

    var refreshToken: RefreshTokenFile {
        RefreshTokenFile(configured: SecretFile(.refreshToken, name: "token", folder: folder), spare: folder + "/spare")
    }

    @Test func processThatReadASecretHasNoCoreDump() throws {
        try write("1//0g-token\n", "token")
        _ = try refreshToken.read()
        #expect(!SecretMemory.isDumpable)
    }

    @Test func tokenIsWrittenCompletelyAndReadBack() throws {
        let token = try #require(Token("1//0g-token"))
        let before = refreshToken.stamp
        try refreshToken.write(token)
        #expect(text("token") == "1//0g-token\n" && refreshToken.stamp != before)
        #expect(try FileManager.default.attributesOfItem(atPath: folder + "/token")[.posixPermissions] as? Int == 0o600)
        #expect(try refreshToken.read() == token)
        try write("old", "token", mode: 0o400)
        try refreshToken.renew(token)
        #expect(try refreshToken.read() == token)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["token"])
    }

    @Test func linkStaysASingleTransfer() throws {
        try write("old", "real")
        try FileManager.default.createSymbolicLink(atPath: folder + "/token", withDestinationPath: folder + "/real")
        try refreshToken.write(try #require(Token("new")))
        #expect(text("real") == "new\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/token") == folder + "/real")
    }

    @Test func spareIsValidForTheReplacedTokenOnly() throws {
        let (first, renewed) = (try #require(Token("first")), try #require(Token("renewed")))
        try write("first", "token")
        try write("renewed\n\(first.digest)\n", "spare")
        #expect(try refreshToken.read() == renewed)
        try write("second", "token")
        #expect(try refreshToken.read().value == "second")
        try write("half", "spare")
        #expect(try refreshToken.read().value == "second")
    }

    @Test(arguments: ["", "\n", "two words", "a\u{0}b", "☕"]) func malformedTokensAreRefused(content: String) throws {
        try write(content, "token")
        let error = try #require(throws: SecretError.self) { try refreshToken.read() }
        #expect(error.description.contains(folder + "/token"), "\(error)")
    }

    @Test func missingSecretErrorHasARemedy() throws {
        #expect(
            try #require(throws: SecretError.self) { try refreshToken.read() }.description.contains("parserctl login"))
    }

    @Test func missingFolderIsReportedBeforeAnyQuestion() throws {
        let file = SecretFile(.refreshToken, name: "nowhere/token", folder: folder)
        #expect(try #require(throws: SecretError.self) { try file.checkWritable() }.description.contains("nowhere"))
        #expect(throws: SecretError.self) { try file.write([[1]]) }
    }

    /// systemd names a credential after the ID in the unit and the file in the folder that it loads.
    @Test func theShippedUnitsCredentialsAreFoundByTheirFileNames() throws {
        try FileManager.default.createDirectory(atPath: folder + "/given", withIntermediateDirectories: true)
        try write("a-secret\n", "given/spendwise_work", mode: 0o440)
        setenv("CREDENTIALS_DIRECTORY", folder + "/given", 1)
        defer { unsetenv("CREDENTIALS_DIRECTORY") }
        let file = SecretFile(.password, name: "work", folder: folder)
        #expect(file.path == folder + "/given/spendwise_work")
        #expect(file.isCredential)
        #expect(try file.read() == Array("a-secret".utf8))
        #expect(!SecretFile(.password, name: "other", folder: folder).isCredential)
    }

    @Test func rootKeepsSecretsInAFolderBesideTheConfiguration() throws {
        try FileManager.default.createDirectory(atPath: folder + "/credentials", withIntermediateDirectories: true)
        let file = SecretFile(.password, name: "personal", folder: folder)
        #expect(file.path == folder + "/credentials/personal")
        try write("beside", "personal")
        #expect(file.path == folder + "/personal")
    }
}
