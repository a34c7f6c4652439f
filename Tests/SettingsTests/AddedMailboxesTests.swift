import Foundation
import OAuth
import Testing
import YAMLSource

@testable import Settings

/// The mailboxes in the mail reader's own file, beside those of the configuration.
@Suite final class AddedMailboxesTests {
    private let place = AddedMailboxes(folder: NSTemporaryDirectory() + "added-" + UUID().uuidString)

    deinit { try? FileManager.default.removeItem(atPath: place.folder) }

    private func draft(_ name: String, user: String = "asha@example.com", authority: Bool = false) -> MailboxDraft {
        MailboxDraft(
            name: name, host: "imap.example.com", port: 993, tls: .implicit,
            caFile: authority ? AddedMailboxes.authority(of: name) : nil, user: user,
            login: .password(file: AddedMailboxes.password(of: name)), folder: "Bank",
            authentication: .authservID("mx.example.com"), since: "30d")
    }

    private func settings(_ mailboxes: String = "") throws -> Settings {
        let text = "database: ledger.db\nparsers: parsers\n\(mailboxes)"
        return try Settings(YAMLFile(path: "/etc/spendwise.yaml", bytes: Array(text.utf8)))
    }

    private static let configured = """
        mailboxes:
          - { name: personal, host: imap.example.org, user: ravi, password_file: personal, authserv_id: mx.example.org }
        """

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func nothingWasAddedYet() throws {
        let (mailboxes, problems) = try place.read(beside: try settings())
        #expect(mailboxes.isEmpty && problems.isEmpty)
    }

    @Test func anAddedMailboxIsReadWithItsPassword() throws {
        try place.add(draft("one", authority: true), .password(Array("first".utf8)), authority: "PEM\n")
        try place.add(draft("two"), .password(Array("second".utf8)), authority: nil)
        let (mailboxes, problems) = try place.read(beside: try settings(Self.configured))
        #expect(mailboxes.map(\.name) == ["one", "two"] && problems.isEmpty)
        #expect(mailboxes[0].folders == ["Bank"] && mailboxes[0].sinceDays == 30)
        #expect(mailboxes[0].authentication == .authservID("mx.example.com"))
        #expect(mailboxes[0].caFile == place.folder + "/authorities/one" && mailboxes[1].caFile == nil)
        for (mailbox, password) in zip(mailboxes, ["first", "second"]) {
            guard case .password(let source) = mailbox.login else { throw Missing() }
            #expect(try source.read() == Array(password.utf8))
        }
        #expect(try mode(place.folder) == 0o700 && mode(place.folder + "/mailboxes") == 0o700)
        for name in ["mailboxes/one", "authorities/one", "mailboxes.yaml"] {
            #expect(try mode(place.folder + "/" + name) == 0o600)
        }
        let text = try String(contentsOfFile: place.path, encoding: .utf8)
        #expect(!text.contains("first") && !text.contains("second"))
    }

    private struct Missing: Error {}

    private func oauthDraft(_ name: String, hasSecret: Bool = true) -> MailboxDraft {
        var draft = draft(name)
        draft.login = .oauth(
            OAuthDraft(
                server: .known("gmail"), clientID: "1234.apps", clientSecretFile: hasSecret ? "clients/" + name : nil,
                refreshTokenFile: AddedMailboxes.refreshToken(of: name)))
        return draft
    }

    /// Its files are those that a login reads, and they go with it.
    @Test func aMailboxWithOAuthIsReadWithItsToken() throws {
        let (token, secret) = (try #require(Token("1//refresh")), try #require(Token("blue-kettle")))
        try place.add(oauthDraft("one"), .oauth(refreshToken: token, clientSecret: secret), authority: nil)
        try place.add(
            oauthDraft("two", hasSecret: false), .oauth(refreshToken: token, clientSecret: nil), authority: nil)
        let mailboxes = try place.read(beside: try settings()).mailboxes
        #expect(mailboxes.map(\.name) == ["one", "two"])
        for mailbox in mailboxes {
            guard case .oauth(let oauth) = mailbox.login else { throw Missing() }
            #expect(oauth.server == .gmail && oauth.registration.clientID == "1234.apps")
            #expect(try oauth.refreshToken.read() == token)
            #expect(try oauth.client().secret == (mailbox.name == "one" ? secret : nil))
        }
        for file in ["tokens/one", "clients/one"] { #expect(try mode(place.folder + "/" + file) == 0o600) }
        try place.write("spare", to: place.folder + "/refresh-token-one")
        try place.remove("one")
        for file in ["tokens/one", "clients/one", "refresh-token-one"] {
            #expect(!FileManager.default.fileExists(atPath: place.folder + "/" + file), "\(file)")
        }
        #expect(FileManager.default.fileExists(atPath: place.folder + "/tokens/two"))
        #expect(try !String(contentsOfFile: place.path, encoding: .utf8).contains("1//refresh"))
    }

    @Test func aRemovedMailboxLeavesTheOthers() throws {
        for name in ["one", "two", "three"] {
            try place.add(draft(name, authority: name == "two"), .password([1]), authority: name == "two" ? "PEM" : nil)
        }
        try place.remove("two")
        #expect(try place.read(beside: try settings()).mailboxes.map(\.name) == ["one", "three"])
        for name in ["mailboxes/two", "authorities/two"] {
            #expect(!FileManager.default.fileExists(atPath: place.folder + "/" + name))
        }
        try place.remove("two")
        try place.remove("three")
        try place.remove("one")
        #expect(try place.read(beside: try settings()).mailboxes.isEmpty)
        try place.add(draft("four"), .password([1]), authority: nil)
        #expect(try place.read(beside: try settings()).mailboxes.map(\.name) == ["four"])
    }

    /// The error names both places, and the other mailboxes are read.
    @Test func aNameThatTheConfigurationHas() throws {
        try place.add(draft("one"), .password([1]), authority: nil)
        try place.add(draft("personal"), .password([1]), authority: nil)
        try place.add(draft("two"), .password([1]), authority: nil)
        let (mailboxes, problems) = try place.read(beside: try settings(Self.configured))
        #expect(mailboxes.map(\.name) == ["one", "two"])
        #expect(problems.map(\.name) == ["personal"])
        let words = problems.map { "\($0.error)" }.joined()
        #expect(words.contains(place.path) && words.contains("/etc/spendwise.yaml:4"), "\(words)")
        #expect(words.contains("two mailboxes are named 'personal'"))
    }

    @Test func anEntryThatIsNoMailboxStopsNoOther() throws {
        try place.add(draft("one"), .password([1]), authority: nil)
        let text = try String(contentsOfFile: place.path, encoding: .utf8)
        try
            (text
            + "  - { name: broken, host: imap.example.com, tls: none, user: a, password_file: x, authserv_id: y }\n")
            .write(toFile: place.path, atomically: true, encoding: .utf8)
        try place.add(draft("two"), .password([1]), authority: nil)
        let (mailboxes, problems) = try place.read(beside: try settings())
        #expect(mailboxes.map(\.name) == ["one", "two"] && problems.map(\.name) == ["broken"])
    }

    @Test func aFileThatIsNoYAMLIsNotReplaced() throws {
        try place.add(draft("one"), .password([1]), authority: nil)
        try "mailboxes: [".write(toFile: place.path, atomically: true, encoding: .utf8)
        #expect(throws: SourceError.self) { try self.place.add(self.draft("two"), .password([1]), authority: nil) }
        #expect(throws: SourceError.self) { try self.place.read(beside: try self.settings()) }
        #expect(try String(contentsOfFile: place.path, encoding: .utf8) == "mailboxes: [")
    }

    @Test func aNameThatWouldBeAPathIsNone() {
        for name in ["../x", "a/b", ".x", "", "a b", String(repeating: "a", count: 65)] {
            #expect(!MailboxDraft.isName(name), "\(name)")
        }
    }
}

@Suite struct ServerProposalTests {
    @Test(
        arguments: [
            ("asha@gmail.com", "imap.gmail.com", "gmail", 993, "asha@gmail.com"),
            ("asha@own.example", "imap.gmail.com", "gmail", 993, "asha@own.example"),
            ("asha@own.example", "mail.own.example", nil, 993, "asha@own.example"),
        ] as [(String, String, String?, Int, String)])
    func theRestFollowsFromTheProvider(
        address: String, host: String, provider: String?, port: Int, user: String
    ) throws {
        let server = ServerProposal(address: address, host: host, among: try .shipped())
        #expect(server.provider?.key == provider && server.port == port && server.user == user)
        #expect(server.tls == .implicit)
    }

    @Test func whatIsGivenStays() throws {
        let server = ServerProposal(
            address: "asha@gmail.com", host: "mail.own.example", port: 143, user: "asha", among: try .shipped())
        #expect(server.provider == nil && server.tls == .starttls && server.port == 143 && server.user == "asha")
    }
}
