import Foundation
import Testing
import YAMLSource

@testable import Settings

/// The passwords of statements in the configuration. Values are invented.
@Suite final class StatementPasswordTests {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "statement-passwords-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String, _ name: String) throws {
        try #require(
            FileManager.default.createFile(
                atPath: folder + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    }

    private func entries(_ yaml: String) throws -> [StatementPassword] {
        let text = "database: a.db\nparsers: parsers\nstatements:\n" + yaml
        return try Settings(YAMLFile(path: folder + "/spendwise.yaml", bytes: Array(text.utf8))).statements
    }

    static let facts = ["name": "A. Sha Example", "birth": "1990-01-05", "card": "4321 0000 1111 3307"]

    @Test(arguments: [
        ("{name:4}{birth:ddmm}", "ASha0501"), ("{name:4:upper}{birth:ddmmyyyy}", "ASHA05011990"),
        ("{name:4:lower}-{birth:yymmdd}", "asha-900105"), ("{card:-4}", "3307"), ("x{birth:yyyy}y", "x1990y"),
        ("{name:upper}", "A. SHA EXAMPLE"), ("{card:4}{card:-2}", "432107"),
    ]) func rulesGivePasswords(rule: String, expected: String) throws {
        #expect(try #require(PasswordRule(rule)).password(of: Self.facts) == expected)
    }

    @Test(arguments: [
        "", "fixed", "{", "{}", "{name", "name}", "{Name}", "{name:0}", "{name:101}", "{name:4:5}", "{name:ddd}",
        "{name:x}", "{name:4:upper:lower}", "{na me}", "{name::}",
    ]) func otherRulesAreRefused(rule: String) { #expect(PasswordRule(rule) == nil) }

    @Test func passwordsAreChosenByBankAndAccount() throws {
        try write("bank-wide\n", "hdfc")
        try write("of-the-card\nsecond line\n", "card")
        try write("name: Asha Example\nbirth: 1990-01-05\n", "me")
        let entries = try entries(
            """
              - { bank: hdfc, password_file: hdfc }
              - { bank: hdfc, account: '3307', password_file: card }
              - { bank: icici, rule: '{name:4:lower}{birth:ddmm}', facts_file: me }
              - { bank: sbi, password_command: 'echo printed' }
              - { bank: axis, password_file: missing }
            """)
        func passwords(_ bank: String, _ numbers: [String]) -> [String] {
            entries.passwords(bank: bank, numbers: numbers).passwords
        }
        #expect(passwords("hdfc", ["4410"]) == ["bank-wide"])
        #expect(passwords("hdfc", ["XX003307"]) == ["of-the-card", "bank-wide"])
        #expect(passwords("hdfc", []) == ["of-the-card", "bank-wide"])
        #expect(passwords("icici", []) == ["asha0501"] && passwords("sbi", ["1"]) == ["printed"])
        #expect(passwords("kotak", []).isEmpty)
        let missing = entries.passwords(bank: "axis", numbers: [])
        #expect(missing.passwords.isEmpty && missing.errors.count == 1)
    }

    /// An error names the fact, never its value.
    @Test(arguments: [
        ("name: Asha Example\n", "no line 'birth: …'"),
        ("name: Asha Example\nbirth: 5 January\n", "written yyyy-mm-dd"),
        ("", "no line 'birth: …'"),
    ]) func missingFactsAreNamed(text: String, message: String) throws {
        try write(text, "me")
        let entry = try #require(
            try entries("  - { bank: hdfc, rule: '{name:4}{birth:ddmm}', facts_file: me }").first)
        let error = #expect(throws: SecretError.self) { try entry.read() }
        #expect(error?.message.contains(message) == true)
        #expect(error?.description.contains("Asha") == false && error?.description.contains("5 January") == false)
    }

    @Test(arguments: [
        "  - { password_file: a }", "  - { bank: hdfc }", "  - { bank: hdfc, password_file: a, password_command: b }",
        "  - { bank: hdfc, password_file: a, rule: '{name}' }", "  - { bank: hdfc, rule: '{name}' }",
        "  - { bank: hdfc, rule: fixed, facts_file: a }", "  - { bank: hdfc, password_file: a, facts_file: b }",
        "  - { bank: hdfc, account: card, password_file: a }", "  - { bank: hdfc, password: secret }", "  hdfc: a",
    ]) func wrongEntriesAreRefused(yaml: String) {
        #expect(throws: SourceError.self) { try self.entries(yaml) }
    }
}
