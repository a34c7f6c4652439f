import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

/// The folder of activated templates: last in precedence, and never the reason that profiles do not load.
@Suite struct ActivatedTemplatesTests {
    static let received = ProfileFolder.spend.replacing("bank/spend", with: "bank/received").replacing(
        "spent", with: "received")
    static let broken = ProfileFolder.spend.replacing("{4})", with: "{4}")

    /// Folders with a bank, and the activated templates.
    static func folders(_ activated: [String: String], own: [String: String] = [:]) throws -> ProfileFolders {
        let bank = ["bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": ProfileFolder.spend]
        return ProfileFolders(
            [try ProfileFolder(bank.merging(own) { $1 }).path], activated: try ProfileFolder(activated).path)
    }

    private func template(_ set: ProfileSet, _ verb: String = "spent") -> String? {
        set.claim(mail("Rs.5.00 \(verb) at HILL COFFEE on 05-01-26 card 1234")).decide(
            trusting: .unverified, receivedAt: nil
        ).template
    }

    /// Every way of reading the folders.
    private func all(_ folders: ProfileFolders) throws -> [ProfileSet] {
        let proofs = DeferredLoadingTests.proofs()
        return [
            try ProfileSet(directories: folders), try ProfileSet(deferring: folders, proofs: proofs),
            try ProfileSet(deferring: folders, proofs: proofs),
            try ProfileSet(onDemand: folders, proofs: DeferredLoadingTests.proofs()),
            try ProfileSet(directories: folders, only: "bank"),
        ]
    }

    @Test func anActivatedTemplateReadsMails() throws {
        for set in try all(try Self.folders(["bank/received.yaml": Self.received])) {
            #expect(template(set, "received") == "bank/received" && set.leftOut.isEmpty)
        }
        let missing = try Self.folders([:])
        #expect(try template(ProfileSet(directories: missing), "received") != "bank/received")
    }

    /// The template that a faulty one would replace is used.
    @Test func aFaultyTemplateIsLeftOut() throws {
        let folders = try Self.folders(["bank/spend.yaml": Self.broken, "bank/received.yaml": Self.received])
        for set in try all(folders) {
            #expect(template(set) == "bank/spend" && template(set, "received") == "bank/received")
            #expect(set.leftOut.map(\.file) == [(folders.activated ?? "") + "/bank/spend.yaml"])
            #expect(set.adding(trusted: [TrustedSender(address: "a@bank.example", bank: "bank")]).leftOut.count == 1)
            let file = set.file(ofTemplate: "bank/spend", in: folders)
            #expect(file?.path.hasPrefix(folders.configured[0]) == true)
        }
    }

    @Test(arguments: [
        "gone/spend.yaml", "bank/not-its-name.yaml",
    ]) func aTemplateWithoutItsBankOrNameIsLeftOut(path: String) throws {
        let folders = try Self.folders([path: ProfileFolder.spend, "bank/received.yaml": Self.received])
        for set in try all(folders) { #expect(template(set, "received") == "bank/received") }
        #expect(try ProfileSet(directories: folders).leftOut.map(\.file) == [(folders.activated ?? "") + "/" + path])
    }

    /// Files that govern more than one template, such as the senders of a bank, are not the page's to change.
    @Test func filesWithAnUnderscoreAreIgnored() throws {
        let folders = try Self.folders([
            "bank/_bank.yaml": "domains: [evil.example]\n", "_common.yaml": "[", "_shared/x.yaml": "[",
            "_generic.yaml": "[", "bank/_samples.yaml": "[",
        ])
        for set in try all(folders) {
            #expect(set.leftOut.isEmpty && set.senderDomains == ["bank.example"] && template(set) == "bank/spend")
        }
    }

    @Test func aFaultInAConfiguredFolderIsAnError() throws {
        let folders = try Self.folders(["bank/received.yaml": Self.broken], own: ["bank/spend.yaml": Self.broken])
        let thrown = #expect(throws: SourceErrors.self) { try ProfileSet(directories: folders) }
        #expect(thrown?.errors.contains { $0.file.hasPrefix(folders.configured[0]) } == true)
    }

    @Test func anUnreadableFileOrFolderIsLeftOut() throws {
        let folders = try Self.folders(["bank/received.yaml": Self.received])
        let root = try #require(folders.activated)
        // A folder in place of a file cannot be read, by root neither.
        try FileManager.default.createDirectory(atPath: root + "/bank/spend.yaml", withIntermediateDirectories: true)
        for set in try all(folders) {
            #expect(template(set) == "bank/spend" && template(set, "received") == "bank/received")
            #expect(set.leftOut.map(\.file) == [root + "/bank/spend.yaml"])
        }
    }
}
