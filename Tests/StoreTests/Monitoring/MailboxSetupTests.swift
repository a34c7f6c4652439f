import Chronology
import GRDB
import OAuth
import Testing

@testable import Store

/// The rows of mailboxes that are added on the page.
@Suite struct MailboxSetupTests {
    static let finding = MailboxFinding(
        folder: "INBOX", folders: ["INBOX", "Bank"], messages: 12, bankMails: 3,
        banks: [.init(name: "HDFC Bank", mails: 3, newest: CalendarDate(daysSince1970: 20_000))],
        proposals: [.init(authservID: "mx.google.com", confirmed: 3, of: 3)], proposed: "mx.google.com")
    static let added = AddedMailbox(
        name: "personal", host: "imap.example.com", user: "asha", folders: ["Bank"], sinceDays: 90,
        authservID: "mx.google.com", verifies: false)

    static func setup(_ name: String = "personal") -> MailboxSetup {
        MailboxSetup(
            .init(
                name: name, host: "imap.example.com", port: 993, tls: .implicit, user: "asha", authority: nil),
            address: "asha@example.com", folder: "INBOX", sinceDays: 90, sealedTo: "key", sealed: "sealed")
    }

    static let registration = ClientRegistration(server: .gmail, clientID: "1234.apps")

    static func consent() -> MailboxSetup {
        var server = setup().server
        server.registration = registration
        return MailboxSetup(
            server, address: "asha@example.com", folder: "INBOX", sinceDays: 90, sealedTo: "key", sealed: "code",
            clientSecret: "secret")
    }

    @Test func aConsentKeepsTheTokenUntilItIsUsed() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        let id = try setups.ask(Self.consent(), at: now)
        #expect(try setups.find(id)?.server.registration == Self.registration)
        #expect(try setups.find(id)?.server.context != Self.setup().server.context)
        try setups.setSealed(id, "token")
        try setups.tested(id, Self.finding)
        try setups.setSealed(id, "late")
        try setups.accept(id, folder: "Bank", authservID: nil, verifies: true, at: now)
        let accepted = try #require(try setups.find(id))
        #expect(accepted.sealed == "token" && accepted.clientSecret == "secret")
        var added = Self.added
        (added.registration, added.port, added.tls) = (Self.registration, 143, .starttls)
        try setups.finish(id, added)
        let used = try #require(try setups.find(id))
        #expect(used.sealed == nil && used.clientSecret == nil)
        #expect(try setups.added() == [added])
        #expect(try setups.added().first?.server.port == 143)
    }

    private static let refusals: [(MailboxSetup.Fault, String?)] = [
        (.consent, "secret"), (.login, "secret"), (.client, nil), (.sealed, nil),
    ]

    /// Another consent needs the client's secret again, unless that was at fault.
    @Test(arguments: refusals) func aRefusalKeepsTheSealedClientSecret(fault: MailboxSetup.Fault, kept: String?) throws
    {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        let id = try setups.ask(Self.consent(), at: now)
        try setups.refuse(id, fault, "why")
        let refused = try #require(try setups.find(id))
        #expect(refused.sealed == nil && refused.clientSecret == kept && refused.fault == fault)
        try setups.expire(at: now + MailboxSetup.lifetime + 1)
        #expect(try setups.all().isEmpty)
    }

    @Test func aRenewalEndsWithoutAnAcceptance() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        var added = Self.added
        added.registration = Self.registration
        try setups.setAdded([added])
        let id = try setups.ask(MailboxSetup(renewing: added, sealedTo: "key", sealed: "code"), at: now)
        let asked = try #require(try setups.find(id))
        #expect(asked.renews && asked.server == added.server)
        try setups.setSealed(id, "token")
        #expect(throws: StoreError.self) { try setups.tested(id, Self.finding) }
        try setups.finishRenewal(id)
        #expect(try setups.find(id)?.state == .used && setups.find(id)?.sealed == nil)
        let other = try setups.ask(Self.setup("other"), at: now)
        try setups.finishRenewal(other)
        #expect(try setups.find(other)?.state == .asked, "it renews nothing")
    }

    /// An accepted mailbox of the version before is taken into use after the upgrade.
    @Test func rowsOfTheFormerSchemaStay() throws {
        let folder = Folder()
        let before = Set(Schema.migrations.map(\.name)).subtracting(["mailbox-consents"])
        let queue = try DatabaseQueue(path: folder.database)
        try queue.write { db in
            try Schema.migrate(db, with: before)
            try db.execute(
                sql: """
                    INSERT INTO mailbox_setups (id, name, address, host, port, tls, user, folder, since_days, sealed_to, sealed, asked_at,
                        state, finding, verifies)
                      VALUES (7, 'n', 'a@b.example', 'imap.b.example', 993, 'implicit', 'a', 'INBOX', 90, 'k', 's',
                        '2026-11-27T08:00:00Z', 'accepted', '{"folder":"INBOX"}', 1);
                    INSERT INTO added_mailboxes (name, host, user, folders, since_days, verifies) VALUES ('o', 'h', 'u', '["x"]', 90, 1);
                    """)
        }
        try queue.close()
        let setups = try Store(path: folder.database).mailboxSetups
        let setup = try #require(try setups.find(7))
        #expect(setup.state == .accepted && setup.sealed == "s" && setup.verifies && !setup.renews)
        #expect(setup.server.registration == nil && setup.finding?.folder == "INBOX")
        #expect(try setups.added().map(\.port) == [993])
    }

    @Test func aSetupGoesFromAskedToUsed() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        #expect(try !setups.hasWork(at: now))
        let id = try setups.ask(Self.setup(), at: now)
        #expect(try setups.hasWork(at: now))
        try setups.tested(id, Self.finding)
        #expect(try !setups.hasWork(at: now), "a person decides")
        let tested = try #require(try setups.find(id))
        #expect(tested.state == .tested && tested.finding == Self.finding && tested.sealed == "sealed")
        #expect(tested.server == Self.setup().server)
        try setups.accept(id, folder: "Bank", authservID: "mx.google.com", verifies: true, at: now)
        let accepted = try #require(try setups.find(id))
        #expect(accepted.state == .accepted && accepted.folder == "Bank" && accepted.verifies)
        #expect(try setups.hasWork(at: now))
        try setups.finish(id, Self.added)
        let used = try #require(try setups.find(id))
        #expect(used.state == .used && used.sealed == nil, "the password is not kept")
        #expect(try setups.added() == [Self.added])
    }

    @Test func aRefusalKeepsNoPassword() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        let id = try setups.ask(Self.setup(), at: now)
        try setups.refuse(id, .login, "the server refused the login")
        let refused = try #require(try setups.find(id))
        #expect(refused.state == .refused && refused.fault == .login && refused.sealed == nil)
        #expect(throws: StoreError.self) {
            try setups.accept(id, folder: "INBOX", authservID: nil, verifies: true, at: now)
        }
    }

    @Test func anUnacceptedSetupExpiresWithItsPassword() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        let (asked, tested, accepted) = (
            try setups.ask(Self.setup(), at: now), try setups.ask(Self.setup("b"), at: now),
            try setups.ask(Self.setup("c"), at: now)
        )
        for id in [tested, accepted] { try setups.tested(id, Self.finding) }
        try setups.accept(accepted, folder: "INBOX", authservID: nil, verifies: true, at: now)
        try setups.expire(at: now + MailboxSetup.lifetime)
        #expect(try setups.all().map(\.id) == [asked, tested, accepted])
        let later = now + MailboxSetup.lifetime + 1
        #expect(try setups.hasWork(at: later))
        #expect(throws: StoreError.self) {
            try setups.accept(tested, folder: "INBOX", authservID: nil, verifies: true, at: later)
        }
        try setups.expire(at: later)
        #expect(try setups.all().map(\.id) == [accepted], "what a person accepted is not lost")
    }

    @Test func thereIsALimitOfTests() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        for _ in 0..<MailboxSetup.maximum { _ = try setups.ask(Self.setup(), at: now) }
        #expect(throws: StoreError.self) { try setups.ask(Self.setup(), at: now) }
        _ = try setups.ask(Self.setup(), at: now + MailboxSetup.lifetime + 1)
    }

    @Test func theRowsFollowTheFile() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        var other = Self.added
        other.name = "other"
        try setups.setAdded([Self.added, other])
        try f.store.mailboxes.setHealth(MailboxHealth(mailbox: "other", state: .watching, since: now))
        other.problem = "two mailboxes are named 'other'"
        try setups.setAdded([other])
        #expect(try setups.added() == [other])
        try setups.requestRemoval(of: "other", at: now)
        try setups.setAdded([])
        #expect(try setups.added().map(\.name) == ["other"], "its files are removed first")
        try setups.remove("other")
        #expect(try setups.added().isEmpty && f.store.mailboxes.health().isEmpty)
        #expect(throws: StoreError.self) { try setups.requestRemoval(of: "other", at: now) }
    }

    @Test func theKeyIsReplaced() throws {
        let f = try Fixture()
        let (setups, now) = (f.store.mailboxSetups, UnixTime(seconds: 1_800_000_000))
        #expect(try setups.sealingKey() == nil)
        let (first, second) = (String(repeating: "a", count: 44), String(repeating: "b", count: 44))
        try setups.setSealingKey(first, at: now)
        try setups.setSealingKey(second, at: now)
        #expect(try setups.sealingKey() == second)
        try setups.setSealingKey(nil, at: now)
        #expect(try setups.sealingKey() == nil)
    }
}
