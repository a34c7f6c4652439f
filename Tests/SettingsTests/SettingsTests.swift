import Chronology
import ChronologyFixture
import Foundation
import IMAP
import Ledger
import OAuth
import Testing
import YAMLSource

@testable import Settings

@Suite struct SettingsTests {
    static let good = """
        database: spendwise.db
        parsers: [parsers, /etc/spendwise/parsers]
        mailboxes:
          - name: personal
            host: imap.example.com
            user: someone@example.com
            password_file: personal
            authserv_id: mx.example.com
            since: 30d
            poll: 2m
        web:
          listen: 127.0.0.1:8001
        """

    func settings(_ text: String) throws -> Settings {
        try Settings(YAMLFile(path: "/srv/spendwise.yaml", bytes: Array(text.utf8)))
    }

    @Test(arguments: [
        ("", false), ("sms: { auto_confirm: true }", true), ("sms: { auto_confirm: false }", false), ("sms: {}", false),
    ]) func smsWaitUnlessTheConfigurationBooksThem(text: String, books: Bool) throws {
        let settings = try settings(Self.good + "\n" + text)
        #expect(settings.booksSMS == books && settings.decisions.booksSMS == books)
    }

    @Test func defaultsAndRelativePaths() throws {
        let settings = try settings(Self.good)
        #expect(settings.database == "/srv/spendwise.db")
        #expect(settings.parsers == ["/srv/parsers", "/etc/spendwise/parsers"])
        #expect(settings.autoConfirmAt == 0.85)
        let mailbox = try #require(settings.mailboxes.first)
        #expect(mailbox.port == 993 && mailbox.tls == .implicit && mailbox.folders == ["INBOX"])
        #expect(mailbox.sinceDays == 30 && mailbox.pollSeconds == 120)
        #expect(mailbox.authentication == .authservID("mx.example.com"))
    }

    @Test(
        arguments: [
            ("", 90, .text), ("keep_raw: 30d", 30, .text), ("keep_raw: 0", 0, .text),
            ("keep_raw: { for: 10d, mails: all }", 10, .whole),
            ("keep_raw: { mails: text }", 90, .text), ("keep_raw: { for: 5d, mails: unsettled }", 5, .nothing),
            ("keep_raw: { at_most: 2GB }", 90, .text),
        ] as [(String, Int, SettledKeeping)]) func whichMailsAreKeptAndHowLong(
            text: String, days: Int, settled: SettledKeeping
        ) throws
    {
        let settings = try settings(Self.good + "\n" + text)
        #expect(settings.keepRawDays == days && settings.keepsSettled == settled)
        #expect(settings.keepRawBytes == (text.contains("at_most") ? 2_000_000_000 : nil))
    }

    @Test func timeZone() throws {
        #expect(try settings(Self.good).timeZone == .kolkata)
        let berlin = try settings(Self.good + "\ntimezone: Europe/Berlin").timeZone
        #expect(berlin.identifier == "Europe/Berlin" && berlin.offset(at: 1_767_225_600) == 3600)
        #expect(berlin.offset(at: 1_782_864_000) == 7200)
    }

    @Test func loginMechanism() throws {
        #expect(try settings(Self.good).mailboxes.first?.mechanism == .automatic)
        let set = Self.good.replacingOccurrences(of: "poll: 2m", with: "mechanism: cram-md5")
        #expect(try settings(set).mailboxes.first?.mechanism == .cramMD5)
    }

    @Test(arguments: [
        ("timezone: Asia/Kolkatta", "unknown time zone 'Asia/Kolkatta'"),
        ("keep_raw: { mails: some }", "unknown value 'some'"), ("keep_raw: { of: all }", "unknown key 'of'"),
        ("keep_raw: long", "is not a length of time"), ("sms: { auto_confirm: yes }", "neither true nor false"),
        ("sms: { senders: [X] }", "unknown key 'senders'"),
    ])
    func unknownRetentionWordIsReported(text: String, message: String) throws {
        let error = #expect(throws: SourceError.self) { try settings(Self.good + "\n" + text) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func limitsOfAProvider() throws {
        #expect(try settings(Self.good).mailboxes.first?.downloadLimit == nil)
        let gmail = Self.good.replacingOccurrences(of: "imap.example.com", with: "imap.gmail.com")
        #expect(try settings(gmail).mailboxes.first?.downloadLimit == 2_000_000_000)
        #expect(
            try settings(gmail.replacingOccurrences(of: "poll: 2m", with: "download_limit: 500 MB")).mailboxes.first?
                .downloadLimit == 500_000_000)
        #expect(
            try settings(gmail.replacingOccurrences(of: "poll: 2m", with: "download_limit: none")).mailboxes.first?
                .downloadLimit == nil)
        func several(_ count: Int, host: String) throws -> Int {
            let one =
                "  - {name: m%, host: \(host), user: someone@example.com, password_file: personal, authserv_id: mx.example.com}"
            let text =
                "database: a.db\nparsers: parsers\nmailboxes:\n"
                + (0..<count).map { one.replacingOccurrences(of: "%", with: "\($0)") }.joined(separator: "\n")
            return try settings(text).mailboxes.count
        }
        #expect(try several(10, host: "imap.gmail.com") == 10 && several(11, host: "imap.example.com") == 11)
        #expect(throws: SourceError.self) { try several(11, host: "imap.gmail.com") }
    }

    @Test func thresholdsOfSingleBanks() throws {
        let one = try settings(Self.good + "\nauto_confirm_at: 0.7")
        #expect(one.autoConfirmAt == 0.7 && one.banks.thresholds.isEmpty)
        let several = try settings(Self.good + "\nauto_confirm_at:\n  default: 0.8\n  hdfc: 0.9\n")
        #expect(
            several.autoConfirmAt == 0.8 && several.banks.thresholds.map(\.bank) == ["hdfc"]
                && several.banks.thresholds.map(\.value) == [0.9])
        #expect(several.banks.thresholds.first?.place.error("x").line == 15)
        #expect(try settings(Self.good + "\nauto_confirm_at: { hdfc: 0.9 }").autoConfirmAt == 0.85)
    }

    @Test func banksKnownByTheirDomain() throws {
        #expect(
            try settings(Self.good + "\nbanks: [Alerts.ExampleBank.example, b-2.example]").banks.named.map(\.domain)
                == ["alerts.examplebank.example", "b-2.example"])
        #expect(try settings(Self.good + "\nbanks: one.example").banks.named.map(\.domain) == ["one.example"])
    }

    @Test func banksOfOtherCountries() throws {
        let banks = try settings(
            Self.good
                + "\nbanks: [one.example, { domain: Two.example, name: Bank Two, country: th }, { domain: c.example, currency: usd, timezone: America/New_York, decimal: ',', date_order: month_first }]"
        ).banks.named
        #expect(banks.map(\.domain) == ["one.example", "two.example", "c.example"])
        #expect(banks[0].region.isEmpty && banks[1].name == "Bank Two" && banks[1].region.home?.code == "THB")
        let last = banks[2].region
        #expect(last.home?.code == "USD" && last.timeZone?.identifier == "America/New_York")
        #expect(last.usualDecimal == .comma && last.dateOrder == .monthFirst && last.country == nil)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var replace: String
        var with: String
        /// The message as it is printed, without the excerpt.
        var message: String
        var remedy: String
        var testDescription: String { message }
    }

    static let faults = [
        Fault(
            replace: "    host:", with: "    hots:", message: "5:5: unknown key 'hots'", remedy: "Did you mean 'host'?"),
        Fault(
            replace: "database: spendwise.db\n", with: "", message: "1:1: the key 'database' is missing here",
            remedy: "Add 'database: …'."),
        Fault(
            replace: "since: 30d", with: "since: soon", message: "9:12: 'soon' is not a length of time",
            remedy: "5m or 90d"),
        Fault(
            replace: "authserv_id: mx.example.com", with: "tls: none", message: "8:10: unknown value 'none'",
            remedy: "implicit (port 993) or starttls"),
        Fault(
            replace: "    authserv_id: mx.example.com\n", with: "",
            message: "4:5: no source of authentication results is configured", remedy: "mx.google.com"),
        Fault(
            replace: "    password_file: personal\n", with: "", message: "4:5: no password is named here",
            remedy: "password_file"),
        Fault(
            replace: "password_file: personal", with: "oauth: { provider: gmial }",
            message: "7:24: unknown provider 'gmial'", remedy: "gmail, outlook"),
        Fault(
            replace: "password_file: personal", with: "oauth: { client_id: x }",
            message: "7:12: the key 'authorization_endpoint' is missing", remedy: "Add"),
        Fault(
            replace: "password_file: personal",
            with: "oauth: { authorization_endpoint: 'https://a.example', token_endpoint: 'http://a.example/token' }",
            message: "'http://a.example/token' is not an https address", remedy: "never sent without TLS"),
        Fault(
            replace: "password_file: personal",
            with: "oauth: { provider: gmail, client_id: x, refresh_token_file: y, redirect_port: 0 }",
            message: "a port from 1",
            remedy: "65535"),
        Fault(
            replace: "    password_file: personal\n",
            with: "    password_file: personal\n    oauth: { provider: gmail, client_id: x, refresh_token_file: y }\n",
            message: "oauth replaces the password", remedy: "Keep"),
        Fault(
            replace: "poll: 2m", with: "mechanism: ntlm", message: "10:16: unknown value 'ntlm'", remedy: "cram-md5"),
        Fault(
            replace: "127.0.0.1:8001", with: "0.0.0.0:8001", message: "12:11: 0.0.0.0 is not a loopback address",
            remedy: "127.0.0.1:8001"),
        Fault(
            replace: "poll: 2m", with: "poll: 2m\n    poll: 3m",
            message: "11:5: duplicate key 'poll', first on line 10", remedy: "Keep one"),
        Fault(
            replace: "poll: 2m", with: "poll: 2m\n    # again\n    'poll' : 3m",
            message: "12:5: duplicate key 'poll', first on line 10", remedy: "Keep one"),
        Fault(
            replace: "web:\n  listen: 127.0.0.1:8001", with: "web: {listen: 1, listen: 2}",
            message: "duplicate key 'listen'", remedy: "Keep one"),
        Fault(
            replace: "imap.example.com", with: "imaps://imap.example.com", message: "is not a host name",
            remedy: "the name alone"),
        Fault(
            replace: "mailboxes:", with: "auto_confirm_at: much\nmailboxes:", message: "3:18: a number from 0 to 1",
            remedy: "0.85"),
        Fault(
            replace: "mailboxes:", with: "auto_confirm_at: { default: 0.8, hdfc: 9 }\nmailboxes:",
            message: "3:40: a number from 0 to 1", remedy: "0.85"),
        Fault(
            replace: "mailboxes:", with: "auto_confirm_at: { hdfc: 0.8, hdfc: 0.9 }\nmailboxes:",
            message: "duplicate key 'hdfc'", remedy: "Keep one"),
        Fault(
            replace: "mailboxes:", with: "banks: [someone@bank.example]\nmailboxes:",
            message: "3:9: 'someone@bank.example' is an address", remedy: "alone: bank.example"),
        Fault(
            replace: "mailboxes:", with: "banks: [ICICI]\nmailboxes:", message: "3:9: 'icici' is not a domain",
            remedy: "after the @"),
        Fault(
            replace: "mailboxes:", with: "banks: [a.example, A.example]\nmailboxes:",
            message: "3:20: duplicate bank 'a.example'", remedy: "Keep one"),
        Fault(
            replace: "mailboxes:", with: "banks: [{ domain: a.example, country: XY }]\nmailboxes:",
            message: "3:39: unknown country 'XY'", remedy: "such as TH"),
        Fault(
            replace: "mailboxes:", with: "banks: [{ domain: a.example, currency: THX }]\nmailboxes:",
            message: "3:40: unknown currency 'THX'", remedy: "such as THB"),
        Fault(
            replace: "mailboxes:", with: "banks: [{ domain: a.example, decimal: ';' }]\nmailboxes:",
            message: "3:39: unknown decimal mark ';'", remedy: "'.' or ','"),
        Fault(
            replace: "mailboxes:", with: "banks: [{ domain: a.example, date_order: american }]\nmailboxes:",
            message: "3:42: unknown order of dates 'american'", remedy: "month_first"),
        Fault(
            replace: "mailboxes:", with: "banks: [{ domain: a.example, timezone: Mars }]\nmailboxes:",
            message: "3:40: unknown time zone 'Mars'", remedy: "timedatectl"),
        Fault(
            replace: "mailboxes:", with: "banks: [{ name: A }]\nmailboxes:",
            message: "the key 'domain' is missing here",
            remedy: "Add 'domain"),
        Fault(replace: "web:", with: "web: [", message: "did not find expected", remedy: "quote text"),
        Fault(
            replace: "web:", with: "web: " + String(repeating: "[", count: 101) + "\n#:",
            message: "nested deeper than 100 levels", remedy: ""),
        Fault(
            replace: "mailboxes:",
            with: "a: &a [" + String(repeating: "x,", count: 500) + "]\nb: [" + String(repeating: "*a,", count: 200)
                + "]\nmailboxes:", message: "the aliases stand for more than 100000 values", remedy: ""),
        Fault(
            replace: "web:", with: "web: *other\n#:", message: "no value before this one has the anchor", remedy: ""),
        Fault(replace: "web:", with: "---\nweb:", message: "a second document begins here", remedy: "Keep one"),
        Fault(
            replace: "poll: 2m", with: "poll: 2\u{1}m", message: "10:12: control characters are not allowed",
            remedy: ""),
    ]

    @Test(arguments: faults) func aFaultIsNamedWithItsPlaceAndRemedy(fault: Fault) throws {
        let text = Self.good.replacingOccurrences(of: fault.replace, with: fault.with)
        #expect(text != Self.good)
        let error = #expect(throws: SourceError.self) { try settings(text) }
        let description = error?.description ?? ""
        #expect(description.hasPrefix("/srv/spendwise.yaml:"))
        #expect(description.contains(fault.message))
        #expect(fault.remedy.isEmpty || description.contains(fault.remedy))
    }

    @Test func providersFillIn() throws {
        let text = Self.good.replacingOccurrences(
            of: "password_file: personal",
            with: "oauth: { provider: gmail, client_id: x, refresh_token_file: token, scope: mail, ca_file: ca.pem }")
        guard case .oauth(let oauth)? = try settings(text).mailboxes.first?.login else {
            Issue.record("no OAuth")
            return
        }
        #expect(
            oauth.server.tokenEndpoint == "https://oauth2.googleapis.com/token"
                && oauth.server.parameters["access_type"] == "offline")
        #expect(
            oauth.server.scope == "mail" && oauth.caFile == "/srv/ca.pem"
                && oauth.refreshToken.configured.path == "/srv/token")
        #expect(oauth.clientSecret == nil && oauth.redirectPort == nil)
    }

    @Test(arguments: [
        [], [0x00], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF], Array("\u{1}:".utf8), Array("- &a [*a]".utf8),
        Array(repeating: UInt8(ascii: "["), count: 5000),
    ])
    func survivesAnyBytes(bytes: [UInt8]) {
        #expect(throws: SourceError.self) { try Settings(YAMLFile(path: "x", bytes: bytes)) }
    }
}

@Suite final class SecretSourceTests {
    private var paths: [String] = []

    deinit { for path in paths { try? FileManager.default.removeItem(atPath: path) } }

    func file(_ text: String, mode: Int) throws -> SecretSource {
        let path = NSTemporaryDirectory() + "secret-" + UUID().uuidString
        paths.append(path)
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
        return .file(SecretFile(.password, name: path, folder: "/"))
    }

    @Test func theFirstLineIsThePassword() throws {
        #expect(try file("pass word\r\nsecond\n", mode: 0o600).read() == Array("pass word".utf8))
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o602, 0o601])
    func fileReadableByOthersIsRefused(mode: Int) throws {
        let error = #expect(throws: SecretError.self) { try file("hunter2", mode: mode).read() }
        #expect(error?.description.contains("chmod 600") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func anEmptyFileIsRefused() throws {
        #expect(throws: SecretError.self) { try file("\n", mode: 0o600).read() }
    }

    @Test func missingFileErrorHasARemedy() {
        let error = #expect(throws: SecretError.self) {
            try SecretFile(.password, name: "nowhere", folder: "/nonexistent").read()
        }
        #expect(error?.description.contains("install -m 600") == true)
    }

    @Test func aCommandsFirstLineIsThePassword() throws {
        #expect(try SecretSource.command("printf 'a b\\nc'").read() == Array("a b".utf8))
    }

    @Test func failedCommandReportsItsStatus() {
        let error = #expect(throws: SecretError.self) { try SecretSource.command("echo secret; exit 3").read() }
        #expect(error?.description.contains("status 3") == true && error?.description.contains("secret;") == false)
    }
}

extension SettingsTests {
    static let maildir = """
        database: spendwise.db
        parsers: parsers
        mailboxes:
          - name: local
            maildir: Mail/
            authentication: trust-delivery
            folders: [INBOX, Bank/Alerts]
            since: 7d
        """

    @Test func maildirIsASeparateMailbox() throws {
        let settings = try self.settings(Self.maildir)
        let maildir = try #require(settings.maildirs.first)
        #expect(
            settings.mailboxes.isEmpty && maildir.name == "local" && maildir.path == "/srv/Mail"
                && maildir.folders == ["INBOX", "Bank/Alerts"])
        #expect(maildir.authentication == .trustDelivery && maildir.sinceDays == 7 && maildir.pollSeconds == 300)
    }

    @Test(
        arguments: [
            ("authentication: verify", .verify(authservID: nil)),
            ("authserv_id: mx.example\n    authentication: verify", .verify(authservID: "mx.example")),
            ("authserv_id: mx.example", .authservID("mx.example")), ("authentication: trust-delivery", .trustDelivery),
            (
                "authserv_id: mx.example\n    arc_forwarders: [Lists.example.org, lists.example.org, a.b]",
                .authservID("mx.example", forwarders: ["lists.example.org", "a.b"])
            ),
            (
                "authentication: verify\n    arc_forwarders: [lists.example.org]",
                .verify(authservID: nil, forwarders: ["lists.example.org"])
            ),
            ("authserv_id: mx.example\n    arc_forwarders: []", .authservID("mx.example")),
        ] as [(String, MailboxSettings.Authentication)])
    func sourcesOfAuthentication(text: String, expected: MailboxSettings.Authentication) throws {
        let settings = try settings(
            Self.maildir.replacingOccurrences(of: "authentication: trust-delivery", with: text))
        #expect(try #require(settings.maildirs.first).authentication == expected)
    }

    static let maildirFaults = [
        Fault(
            replace: "trust-delivery", with: "trust", message: "6:21: unknown value 'trust'",
            remedy: "trust-delivery or verify"),
        Fault(
            replace: "    authentication: trust-delivery",
            with: "    authserv_id: x\n    authentication: trust-delivery",
            message: "7:21: authserv_id and trust-delivery exclude each other", remedy: "Keep one"),
        Fault(
            replace: "authentication: trust-delivery",
            with: "authentication: trust-delivery\n    arc_forwarders: [lists.example]",
            message: "7:21: arc_forwarders needs authserv_id or 'authentication: verify'", remedy: "Remove this line"),
        Fault(
            replace: "authentication: trust-delivery", with: "authserv_id: x\n    arc_forwarders: [a@lists.example]",
            message: "7:21: 'a@lists.example' is not the domain of a forwarder", remedy: "'d='"),
        Fault(
            replace: "authentication: trust-delivery", with: "authserv_id: x\n    arc_forwarders: [example]",
            message: "7:21: 'example' is not the domain of a forwarder", remedy: "'d='"),
        Fault(
            replace: "authentication: trust-delivery", with: "authserv_id: x\n    arc_forwarders: [192.0.2.1]",
            message: "7:21: '192.0.2.1' is not the domain of a forwarder", remedy: "'d='"),
        Fault(
            replace: "    since: 7d", with: "    port: 993", message: "8:5: 'port' is for a mailbox on a server",
            remedy: "Keep 'maildir', or 'host'"),
        Fault(
            replace: "    since: 7d", with: "    hots: x", message: "8:5: unknown key 'hots'",
            remedy: "Known here: name, maildir"),
        Fault(
            replace: "    authentication: trust-delivery\n", with: "",
            message: "4:5: no source of authentication results is configured", remedy: "trust-delivery"),
        Fault(
            replace: "Bank/Alerts]", with: "../other]", message: "7:14: '../other' is not the name of a folder",
            remedy: "as the mail program shows it"),
        Fault(
            replace: "name: local", with: "name: import:files",
            message: "4:5: 'import:files' is a name of 'parserctl import'", remedy: "does not begin with"),
    ]

    @Test(arguments: maildirFaults) func aFaultOfAMaildirIsNamed(fault: Fault) throws {
        let text = Self.maildir.replacingOccurrences(of: fault.replace, with: fault.with)
        #expect(text != Self.maildir)
        let error = #expect(throws: SourceError.self) { try settings(text) }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains(fault.message) && message.contains(fault.remedy), "\(message)")
    }
}
