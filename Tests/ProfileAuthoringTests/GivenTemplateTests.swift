import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

/// The proof of a complete file, which is that of a derivation.
@Suite struct GivenTemplateTests {
    static let form = "Rs. 250.00 was paid to CORNER SHOP on 05-01-2026 by UPI. Thank you for banking with us."

    static func bytes(_ text: String) -> [UInt8] {
        Array(
            "From: alerts@bank.example\r\nSubject: Paid\r\nDate: Mon, 05 Jan 2026 10:12:00 +0530\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(text)"
                .utf8)
    }

    static let example = ExampleMail(
        name: "the mail", bytes: bytes(form),
        values: [.amount: "250.00", .merchant: "CORNER SHOP", .date: "2026-01-05"])

    /// A bank with one template, and the common pieces.
    static func folders(_ more: [String: String] = [:]) throws -> ProfileFolders {
        let common = try String(
            contentsOf: ShippedProfiles.folder.appending(path: "_common.yaml"), encoding: .utf8)
        return ProfileFolders([
            try ProfileFolder(
                ["_common.yaml": common, "bank/_bank.yaml": ProfileFolder.bank].merging(more) { $1 }
            ).path
        ])
    }

    static func derived(_ folders: ProfileFolders, name: String = "paid") throws -> String {
        var derivation = try Derivation(
            folders: folders, target: .init(bank: "bank", name: name), mails: [example],
            options: DraftOptions(type: .expense, channel: .upi), isAlone: true)
        return try derivation.run(keepValues: false).yaml
    }

    static func prove(
        _ yaml: String, _ folders: ProfileFolders, as template: String = "bank/paid", by mail: ExampleMail = example,
        ignores: Bool = false, retained: [[UInt8]] = []
    ) throws {
        try TemplateProof.prove(
            yaml, as: template, by: mail, ignores: ignores, folders: folders,
            retained: [{ each in for (index, bytes) in retained.enumerated() { try each("mail \(index)", bytes) } }])
    }

    @Test func aDerivedTemplateIsProvenAgain() throws {
        let folders = try Self.folders()
        let yaml = try Self.derived(folders)
        try Self.prove(yaml, folders)
        // Also once it is used.
        var used = folders
        used.activated = try ProfileFolder(["bank/paid.yaml": yaml]).path
        try Self.prove(yaml, used, retained: [Self.bytes(Self.form)])
    }

    private static func failure(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "proven"
        } catch { return "\(error)" }
    }

    @Test func othersMailsStayTheirs() throws {
        let folders = try Self.folders()
        let yaml = try Self.derived(folders)
        // A template of the bank reads the same form.
        let other = yaml.replacing("bank/paid", with: "bank/other")
        let taken = try Self.folders(["bank/other.yaml": other])
        #expect(Self.failure { try Self.prove(yaml, taken) }.contains("bank/other"))
        // One that claims every mail of the bank takes a retained one that another reads.
        let spend = "Rs.5.00 spent at HILL COFFEE on 05-01-26 card 1234"
        let greedy = yaml.replacing(
            #/body_pattern:.*?\n  type:/#.dotMatchesNewlines(),
            with: """
                  body_pattern: 'Rs\\.\\s*(?<amount>[\\d.]+)'
                  type:
                """)
        let both = try Self.folders(["bank/spend.yaml": ProfileFolder.spend])
        let plain = ExampleMail(name: "the mail", bytes: Self.bytes(Self.form), values: [.amount: "250.00"])
        let reason = Self.failure { try Self.prove(greedy, both, by: plain, retained: [Self.bytes(spend)]) }
        #expect(reason != "proven", "\(reason)")
    }

    @Test func whatIsBrokenIsRefused() throws {
        let folders = try Self.folders()
        let yaml = try Self.derived(folders)
        let wrong = ExampleMail(name: "the mail", bytes: Self.bytes(Self.form), values: [.amount: "251.00"])
        #expect(Self.failure { try Self.prove(yaml, folders, by: wrong) }.contains("not '251.00'"))
        #expect(Self.failure { try Self.prove(yaml, folders, ignores: true) }.contains("not ignored"))
        #expect(Self.failure { try Self.prove("template: [", folders) }.contains("does not load"))
        #expect(Self.failure { try Self.prove(yaml, folders, as: "bank/else") }.contains("does not load"))
        #expect(Self.failure { try Self.prove(yaml, folders, as: "none/paid") }.contains("no profile is of a bank"))
        // Without the sample that it must not claim.
        let unproven = String(yaml[..<(yaml.firstRange(of: "samples:")?.lowerBound ?? yaml.endIndex)])
        #expect(Self.failure { try Self.prove(unproven, folders) }.contains("no sample shows"))
    }
}
