import Chronology
import Settings
import Testing
import YAMLSource

@testable import Fleet

@Suite struct FleetSettingsTests {
    private static let configuration = """
        postgresql: host=/run/postgresql
        name: one
        mailboxes: 200
        copies: copies
        parsers: [/usr/share/spendwise/parsers, own]
        categories: /c.yaml
        password_command: vault get
        """

    private func fleet(_ text: String = configuration) throws -> FleetConfiguration {
        try FleetConfiguration(YAMLFile(path: "/etc/spendwise/fleet.yaml", bytes: Array(text.utf8)))
    }

    @Test func pathsAreRelativeToTheFile() throws {
        let fleet = try fleet()
        #expect(fleet.copies == "/etc/spendwise/copies")
        #expect(fleet.parsers == ["/usr/share/spendwise/parsers", "/etc/spendwise/own"])
        #expect((fleet.mailboxes, fleet.name, fleet.categories) == (200, "one", "/c.yaml"))
    }

    @Test(arguments: [
        ("mailboxes: 200", "mailboxes: none", "a number from 1 to 10000"), ("name: one", "nam: one", "nam"),
        ("copies: copies", "copies: ''", "a path is expected here"),
        ("password_command: vault get", "", "password_command"),
        ("password_command: vault get", "public_key: x", "this is no public key"),
    ]) func faultsAreReported(_ old: String, _ new: String, _ words: String) {
        let error = #expect(throws: SourceError.self) {
            try fleet(Self.configuration.replacing(old, with: new))
        }
        #expect(error.map { "\($0)".contains(words) } == true, "\(error as Any)")
    }

    @Test func keysReplaceTheCommand() throws {
        let key = try BoxPrivateKey().publicKey
        let fleet = try fleet(
            Self.configuration.replacing(
                "password_command: vault get", with: "key_file: keys\npublic_key: \(key.text)"))
        #expect(fleet.passwordCommand == nil)
        #expect(fleet.keyFile?.file.path == "/etc/spendwise/keys")
        #expect(fleet.publicKey == key)
    }

    @Test func aHouseholdNamesMailboxesWithoutLogin() throws {
        let household = Household(
            name: "anna",
            settings: """
                timezone: Europe/Berlin
                mailboxes:
                  - { name: it's, host: imap.example, user: anna@example, authserv_id: mx.example }
                """)
        let settings = try HouseholdSettings.read(household, database: "/copy.db", fleet())
        #expect(settings.database == "/copy.db")
        #expect(settings.timeZone.identifier == "Europe/Berlin")
        let mailbox = try #require(settings.mailboxes.first)
        guard case .password(.command(let command)) = mailbox.login else {
            Issue.record("\(mailbox.login)")
            return
        }
        #expect(
            command
                == "SPENDWISE_HOUSEHOLD='anna' SPENDWISE_MAILBOX='it'\\''s' && export SPENDWISE_HOUSEHOLD SPENDWISE_MAILBOX && vault get"
        )
    }

    /// The database of a fleet must not be able to start programs on a worker or to read its files.
    @Test(arguments: [
        "database: /x", "parsers: /x", "categories: /x", "web: {}", "notifications: []",
        "mailboxes: [{ name: a, host: h, user: u, authserv_id: x, password_command: id }]",
        "mailboxes: [{ name: a, host: h, user: u, authserv_id: x, password_file: /etc/passwd }]",
        "mailboxes: [{ name: a, host: h, user: u, authserv_id: x, ca_file: /etc/passwd }]",
        "mailboxes: [{ name: a, maildir: /var/mail/x }]",
    ]) func aHouseholdCannotNameFilesAndCommands(_ text: String) {
        #expect(throws: SourceError.self) {
            try HouseholdSettings.read(Household(name: "anna", settings: text), database: "/copy.db", fleet())
        }
    }
}
