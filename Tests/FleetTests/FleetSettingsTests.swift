import Chronology
import Ledger
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
        #expect(try (fleet.mailboxes.get(), fleet.name, fleet.categories) == (200, "one", "/c.yaml"))
    }

    @Test(arguments: [
        ("mailboxes: 200", "mailboxes: none", "a number from 1 to 10000"), ("name: one", "nam: one", "nam"),
        ("copies: copies", "copies: ''", "a path is expected here"),
        ("password_command: vault get", "public_key: x", "this is no public key"),
    ]) func faultsAreReported(_ old: String, _ new: String, _ words: String) {
        let error = #expect(throws: SourceError.self) {
            try fleet(Self.configuration.replacing(old, with: new))
        }
        #expect(error.map { "\($0)".contains(words) } == true, "\(error as Any)")
    }

    private func reason<Value>(_ part: Result<Value, SourceError>) -> String {
        switch part {
        case .success: ""
        case .failure(let error): "\(error)"
        }
    }

    /// A worker serves nothing, a replica and a command read no mailbox.
    @Test func eachRoleNeedsItsOwnKeysOnly() throws {
        let worker = try fleet()
        #expect(
            reason(worker.serving) == """
                /etc/spendwise/fleet.yaml:1:1: the key 'serve' is missing here
                1 | postgresql: host=/run/postgresql
                  | ^
                Add 'serve: …'.
                """)
        let shared = Self.configuration.replacing("mailboxes: 200\n", with: "")
            .replacing("password_command: vault get", with: "")
        let replica = try fleet(shared + "serve: { domain: books.example, web: {} }\n")
        #expect(try replica.serving.get().domain == "books.example")
        #expect(reason(replica.mailboxes).contains("fleet.yaml:1:1: the key 'mailboxes' is missing here"))
        let publicKey = try BoxPrivateKey().publicKey.text
        let sealing = reason(try fleet(shared + "mailboxes: 7\npublic_key: \(publicKey)\n").mailboxes)
        #expect(sealing.contains("fleet.yaml:1:1: neither 'key_file' nor 'password_command' is here"))
        #expect(sealing.contains("Add 'key_file: fleet.keys'"))
        #expect(try fleet(shared + "mailboxes: 7\nkey_file: keys\n").mailboxes.get() == 7)
    }

    private static let serving = """
        \(configuration)
        serve:
          domain: Books.example
          households: 50
          web:
            listen: 0.0.0.0:8443
            tls: { certificate: wild.pem, key: /k/wild.key }
            requests_per_minute: 0
        """

    @Test func aReplicaServesADomain() throws {
        let serving = try fleet(Self.serving).serving.get()
        #expect((serving.domain, serving.households) == ("books.example", 50))
        #expect((serving.web.host, serving.web.port, serving.web.requestsPerMinute) == ("0.0.0.0", 8443, 0))
        #expect(serving.web.tls == .files(certificate: "/etc/spendwise/wild.pem", key: "/k/wild.key"))
        #expect(serving.web.names == ["books.example", "*.books.example"])
        // The copies are the replica's own folder, and so is its certificate.
        let usual = try fleet(Self.configuration + "\nserve: { domain: a.b, web: { tls: self-signed } }").serving.get()
        #expect((usual.households, usual.web.host, usual.web.port) == (200, "127.0.0.1", 8001))
        #expect(
            usual.web.tls
                == .selfSigned(
                    certificate: "/etc/spendwise/copies/web-certificate.pem", key: "/etc/spendwise/copies/web-key.pem"))
    }

    @Test(arguments: [
        ("  domain: Books.example\n", "", "9:3: the key 'domain' is missing here", "Add 'domain: …'."),
        ("Books.example", "books_x.example", "9:11: 'books_x.example' is not a domain", "such as books.example"),
        ("Books.example", "''", "9:11: '' is not a domain", "such as books.example"),
        ("households: 50", "households: 0", "10:15: a number from 1 to 10000 is expected here", ""),
        ("households: 50", "household: 50", "10:3: unknown key 'household'", "households"),
        ("web:\n", "page:\n", "11:3: unknown key 'page'", "web"),
        ("listen: 0.0.0.0:8443", "listen: 8443", "12:13: '8443' is not ADDRESS:PORT", "127.0.0.1:8001 is usual."),
        ("wild.pem, key: /k/wild.key", "wild.pem", "13:25: a certificate and its key must be set together", "both"),
        ("tls: { certificate: wild.pem, key: /k/wild.key }", "audit: 9d", "12:13: 0.0.0.0 is not a loopback", "tls:"),
        ("requests_per_minute: 0", "names: [x]", "14:12: 'names' is not allowed in a fleet", "Remove it"),
        ("requests_per_minute: 0", "authentication: none", "14:21: 'authentication' is not allowed", "Remove it"),
        ("requests_per_minute: 0", "add_mailboxes: no", "14:20: 'add_mailboxes' is not allowed", "Remove it"),
        ("requests_per_minute: 0", "requests_per_minute: x", "14:26: a number from 0 to 100000", "60 is usual"),
        ("requests_per_minute: 0", "trusted_proxies: [x]", "14:23: 'x' is not an address or a network", "10.0.0.0/8"),
        ("requests_per_minute: 0", "session_idle: 1s", "14:19: a length of time from 30s to 1d", "5m is usual."),
    ]) func faultsOfServingAreReported(_ old: String, _ new: String, _ words: String, _ remedy: String) {
        let error = #expect(throws: SourceError.self) { try fleet(Self.serving.replacing(old, with: new)) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("/etc/spendwise/fleet.yaml:" + words) && text.contains(remedy), "\(text)")
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
        "database: /x", "parsers: /x", "categories: /x", "web: {}",
        "mailboxes: [{ name: a, host: h, user: u, authserv_id: x, password_command: id }]",
        "mailboxes: [{ name: a, host: h, user: u, authserv_id: x, password_file: /etc/passwd }]",
        "mailboxes: [{ name: a, host: h, user: u, authserv_id: x, ca_file: /etc/passwd }]",
        "mailboxes: [{ name: a, maildir: /var/mail/x }]",
        "notifications: [{ name: a, kind: webhook, url: 'https://h/x', secret_file: /etc/passwd }]",
        "notifications: [{ name: a, kind: webhook, url: 'https://h/x', ca_file: /etc/passwd }]",
        "notifications: [{ name: a, kind: ntfy, url: 'https://h/x', token_file: /etc/passwd }]",
        "notifications: [{ name: a, kind: email, host: h, user: u, password_command: id, from: a@b.c, to: a@b.c }]",
        "notifications: [{ name: a, kind: email, host: h, user: u, password_file: /x, from: a@b.c, to: a@b.c }]",
        "notifications: [{ name: a, kind: apns, key_file: /x, key_id: ABCDEFGHIJ, team_id: ABCDEFGHIJ, topic: a.b }]",
        "notifications: [{ name: a, kind: apns, key_id: ABCDEFGHIJ, team_id: ABCDEFGHIJ, topic: a.b }]",
        "statements: [{ bank: hdfc, password_file: /etc/passwd }]",
        "statements: [{ bank: hdfc, password_command: id }]",
        "statements: [{ bank: hdfc, rule: '{name:4}', facts_file: /etc/passwd }]",
        "statements: [{ bank: hdfc, rule: '{name:4}' }]",
        // A program on the machine of the worker.
        "notifications: [{ name: a, kind: webhook, url: 'http://127.0.0.1/x' }]",
    ]) func aHouseholdCannotNameFilesAndCommands(_ text: String) {
        #expect(throws: SourceError.self) {
            try HouseholdSettings.read(Household(name: "anna", settings: text), database: "/copy.db", fleet())
        }
    }

    @Test func receiversHaveNoSecretsInTheSettings() throws {
        let household = Household(
            name: "anna",
            settings: """
                timezone: Europe/Berlin
                keep_raw: 30d
                due_days: 5
                notifications:
                  - { name: hook, kind: webhook, url: 'https://hooks.example/x', quiet: { from: '22:00', to: '7:00' } }
                  - { name: topic, kind: ntfy, url: 'https://ntfy.example/x', quiet: { from: '22:00', to: '7:00', timezone: Asia/Kolkata } }
                  - { name: mail, kind: email, host: smtp.example, user: anna, from: a@b.example, to: a@b.example }
                  - { name: open, kind: email, host: relay.example, from: a@b.example, to: a@b.example }
                """)
        let settings = try HouseholdSettings.read(household, database: "/copy.db", fleet())
        #expect((settings.keepRawDays, settings.dueDays) == (30, 5))
        let sinks = settings.notifications
        #expect(sinks.map(\.name) == ["hook", "topic", "mail", "open"])
        #expect(sinks.map { $0.quiet?.timeZone } == ["Europe/Berlin", "Asia/Kolkata", nil, nil])
        // The disk of a worker is not the household's.
        #expect(sinks.allSatisfy { !$0.events.contains(.database) && $0.events.contains(.transaction) })
        let database = PasswordTable(FleetDatabase("host=/nowhere"))
        let used = household.receivers(sinks, with: nil, database)
        guard case .webhook(let hook) = used[0].receiver, case .ntfy(let topic) = used[1].receiver,
            case .email(let mail) = used[2].receiver, case .email(let relay) = used[3].receiver
        else {
            Issue.record("\(used)")
            return
        }
        #expect(topic.token == nil && relay.password == nil)
        for source in [hook.secret, try #require(mail.password)] {
            let error = #expect(throws: SecretError.self) { try source.read() }
            #expect(error?.message.contains("no secret: run 'spendwise-fleet secret anna ") == true)
        }
    }

    @Test func statementsHaveNoPasswordsInTheSettings() throws {
        let household = Household(
            name: "anna", settings: "statements: [{ bank: hdfc }, { bank: hdfc, account: '3307' }, { bank: icici }]")
        let settings = try HouseholdSettings.read(household, database: "/copy.db", fleet())
        #expect(settings.statements.map(\.name) == ["hdfc", "hdfc-3307", "icici"])
        let used = household.statements(
            settings.statements, with: nil, PasswordTable(FleetDatabase("host=/nowhere")))
        let (passwords, errors) = used.passwords(bank: "hdfc", numbers: ["XX3307"])
        #expect(passwords.isEmpty)
        #expect(
            errors.map(\.message)
                == ["hdfc", "hdfc-3307"].map {
                    "household 'anna', statement '\($0)': no password: run 'spendwise-fleet secret anna \($0)'"
                })
    }

    /// The command that stores a secret names it alone.
    @Test(arguments: [
        "statements: [{ bank: hdfc }, { bank: hdfc }]",
        "statements: [{ bank: hdfc, account: '1' }, { bank: hdfc, account: '1' }]",
        "statements: [{ bank: hdfc }]\nnotifications: [{ name: hdfc, kind: ntfy, url: 'https://h/x' }]",
    ]) func secretsOfOneNameAreRefused(_ text: String) {
        let error = #expect(throws: SourceError.self) {
            try HouseholdSettings.read(Household(name: "anna", settings: text), database: "/copy.db", fleet())
        }
        #expect(error?.message.contains("is the name of two secrets") == true)
    }

    @Test func aWorkerMayAllowReceiversOnItsMachine() throws {
        let household = Household(
            name: "anna", settings: "notifications: [{ name: a, kind: webhook, url: 'http://127.0.0.1/x' }]")
        let fleet = try fleet(Self.configuration + "\nlocal_receivers: true")
        #expect(try HouseholdSettings.read(household, database: "/copy.db", fleet).notifications.count == 1)
    }
}
