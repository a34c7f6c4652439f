import Settings
import Testing
import YAMLSource

@testable import ParserControl

@Suite struct ConfigurationDraftTests {
    private func file(_ text: String) -> YAMLFile {
        YAMLFile(path: "/etc/spendwise/spendwise.yaml", bytes: Array(text.utf8))
    }

    private func text(_ file: YAMLFile) -> String { String(decoding: file.bytes, as: UTF8.self) }

    private let mailbox = MailboxDraft(
        name: "asha", host: "imap.provider.example", port: 993, tls: .implicit, caFile: "/etc/ssl/own ca.pem",
        user: "o'hara@provider.example", login: .password(file: "asha"), folder: "Bank: alerts",
        authentication: .authservID("*.provider.example"), since: "30d")

    private let head = "database: /d/l.db\nparsers: [/d/parsers]\n"
    private let other = """
        mailboxes:
          # the first
          - name: ravi
            host: imap.ravi.example
            user: ravi
            password_file: ravi   # kept
            authserv_id: mx.ravi.example

        web:
          listen: 127.0.0.1:8001

        """

    @Test func exampleMailboxIsReplacedAndNothingElse() throws {
        let example = try ExampleConfiguration.file(for: "/etc/spendwise/spendwise.yaml")
        let (result, settings) = try ConfigurationDraft(example).adding(mailbox)
        let added = try #require(settings.mailboxes.first)
        #expect(settings.mailboxes.count == 1)
        #expect(
            added.name == "asha" && added.host == "imap.provider.example" && added.user == "o'hara@provider.example")
        #expect(added.folders == ["Bank: alerts"] && added.caFile == "/etc/ssl/own ca.pem" && added.sinceDays == 30)
        #expect(added.authentication == .authservID("*.provider.example"))
        #expect(!text(result).contains(ExampleConfiguration.user + "\n    # Under systemd"))
        for line in [
            "# The ledger (SQLite). Its folder must exist.", "  #   maildir: /home/someone/Maildir",
            "  listen: 127.0.0.1:8001",
        ] {
            #expect(text(result).contains(line))
        }
    }

    @Test func mailboxIsAddedAndEveryOtherLineStays() throws {
        let before = head + other
        let (result, settings) = try ConfigurationDraft(file(before)).adding(mailbox)
        #expect(settings.mailboxes.map(\.name) == ["asha", "ravi"])
        let lines = text(result).split(separator: "\n", omittingEmptySubsequences: false)
        var rest = before.split(separator: "\n", omittingEmptySubsequences: false)[...]
        for line in lines where line == rest.first { rest.removeFirst() }
        #expect(rest.isEmpty, "\(text(result))")
    }

    /// A Maildir before the example and an empty line within it.
    @Test func exampleIsFoundAmongOthers() throws {
        let before =
            head + """
                mailboxes:
                - name: local
                  maildir: /home/asha/Maildir
                  authentication: trust-delivery
                - name: personal
                  host: imap.gmail.com

                  user: someone@example.com
                  password_file: personal
                  authserv_id: mx.google.com
                # the last
                - name: ravi
                  host: imap.ravi.example
                  user: ravi
                  password_file: ravi
                  authserv_id: mx.ravi.example

                """
        for text in [before, before.replacing("\n", with: "\r\n")] {
            let (result, settings) = try ConfigurationDraft(file(text)).adding(mailbox)
            #expect(settings.mailboxes.map(\.name) == ["asha", "ravi"] && settings.maildirs.map(\.name) == ["local"])
            #expect(!self.text(result).contains("someone@example.com") && self.text(result).contains("# the last"))
        }
    }

    @Test(arguments: ["", "mailboxes: []\n", "mailboxes: []   # none yet\nweb: { listen: '127.0.0.1:8001' }\n"])
    func firstMailboxIsAdded(rest: String) throws {
        let (result, settings) = try ConfigurationDraft(file(head + rest)).adding(mailbox)
        #expect(settings.mailboxes.map(\.name) == ["asha"], "\(text(result))")
    }

    @Test func listInFlowStyleIsLeftToAPerson() throws {
        let flow = head + "mailboxes: [{ name: ravi, host: h.example, user: r, password_file: p, authserv_id: i }]\n"
        #expect {
            _ = try ConfigurationDraft(file(flow)).adding(mailbox)
        } throws: { "\($0)".contains("Add it by hand") && "\($0)".contains("- name: ") }
    }

    @Test func duplicateNameIsRefused() {
        var mailbox = mailbox
        mailbox.name = "ravi"
        #expect(throws: (any Error).self) { try ConfigurationDraft(file(head + other)).adding(mailbox) }
    }

    @Test func oauthAndTrustDeliveryAreWritten() throws {
        var mailbox = mailbox
        mailbox.login = .oauth(
            OAuthDraft(
                server: .known("gmail"), clientID: "1234-ab.apps.example", clientSecretFile: "asha-client-secret",
                refreshTokenFile: "/var/lib/spendwise-ingest/asha"))
        mailbox.authentication = .trustDelivery
        let added = try #require(try ConfigurationDraft(file(head)).adding(mailbox).settings.mailboxes.first)
        guard case .oauth(let oauth) = added.login else {
            Issue.record("no OAuth")
            return
        }
        #expect(oauth.clientID == "1234-ab.apps.example")
        #expect(oauth.refreshToken.configured.path == "/var/lib/spendwise-ingest/asha")
        #expect(added.authentication == .trustDelivery)
    }

    /// A value with a line break or with signs of YAML stays one text.
    @Test(arguments: ["a\n    user: other", "- x", "{a: b}", "# x", "'", "\"", "no", "123456", "a: b"])
    func hostileValuesStayTexts(value: String) throws {
        var mailbox = mailbox
        (mailbox.user, mailbox.folder) = (value, value)
        let added = try #require(try ConfigurationDraft(file(head)).adding(mailbox).settings.mailboxes.first)
        #expect(added.user == value && added.folders == [value])
    }

    @Test func namesFitIntoFileNames() {
        for name in ["personal", "a.b-c_1", "9"] { #expect(MailboxDraft.isName(name)) }
        for name in ["", ".", "../x", "a/b", "-a", "ä", "a b", String(repeating: "a", count: 65)] {
            #expect(!MailboxDraft.isName(name))
        }
        #expect(MailboxDraft.name(ofAddress: "asha.rao+bank@example.com") == "asha.rao-bank")
        #expect(MailboxDraft.name(ofAddress: "@example.com") == nil)
    }

    @Test func missingAnswerNamesItsOption() {
        let prompt = UnattendedPrompt(saysYes: false, isQuiet: true)
        #expect {
            _ = try prompt.text(SetupQuestion(text: "IMAP server", option: "--host"))
        } throws: { "\($0)".contains("--host is missing") }
        #expect { _ = try prompt.agrees("Replace it?") } throws: { "\($0)".contains("--yes") }
        #expect(throws: Never.self) {
            try prompt.text(SetupQuestion(text: "Folder", option: "--folder", usual: "INBOX"))
        }
    }
}
