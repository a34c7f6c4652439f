import Access
import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Users: names, the last owner, what ends with a user, and the migration of the single login.
@Suite struct UserRowsTests {
    private static func kind(_ body: () throws -> Void) -> StoreError.Kind? {
        do {
            try body()
            return nil
        } catch let error as StoreError { return error.kind } catch { return .other }
    }

    @Test func aNewLedgerHasOneOwner() throws {
        let f = try Fixture()
        let users = try f.store.access.users()
        #expect(users.map(\.id) == [1] && users[0].role == .owner && users[0].name == "person")
        #expect(!users[0].hasPassphrase && users[0].isEnabled && users[0].created == nil)
        #expect(try f.store.access.firstOwner() == users[0] && !f.store.access.hasLoginSecret())
    }

    static let names: [(String, StoreError.Kind?)] = [
        ("Asha", nil), (" Asha ", nil), ("अशा", nil), (String(repeating: "x", count: 64), nil),
        ("PERSON", .conflict), (" person", .conflict), ("", .invalid), ("  ", .invalid), ("a\nb", .invalid),
        (String(repeating: "x", count: 65), .invalid),
    ]

    @Test(arguments: names) func aNameIsUniqueAndPrintable(name: String, refusal: StoreError.Kind?) throws {
        let f = try Fixture()
        #expect(Self.kind { _ = try f.store.access.addUser(named: name, .reader, at: f.store.now()) } == refusal)
        #expect(try f.store.access.users().count == (refusal == nil ? 2 : 1))
        guard refusal == nil else { return }
        #expect(
            Self.kind { _ = try f.store.access.addUser(named: name.uppercased(), .reader, at: f.store.now()) }
                == .conflict)
        #expect(try f.store.access.user(named: name.lowercased())?.id == 2)
        #expect(try f.store.access.renameUser(2, to: "Meera").name == "Meera")
    }

    /// Through the repository, and by SQL as a fault of the program would.
    @Test func theLastOwnerStays() throws {
        let f = try Fixture()
        let (access, now): (AccessRepository<Store>, UnixTime) = (f.store.access, f.store.now())
        _ = try access.addUser(named: "Asha", .editor, at: now)
        let attempts: [() throws -> Void] = [
            { _ = try access.setRole(.reader, ofUser: 1) }, { _ = try access.disableUser(1, at: now) },
            { _ = try access.removeUser(1) },
        ]
        for attempt in attempts { #expect(Self.kind(attempt) == .conflict) }
        for sql in [
            "UPDATE users SET role = 'reader'", "UPDATE users SET disabled_at = '2026-01-05T08:00:00Z' WHERE id = 1",
            "DELETE FROM users WHERE id = 1", "DELETE FROM users",
        ] {
            #expect(WriteRulesTests.error(f.store, sql)?.contains("last owner") == true, "\(sql)")
        }
        _ = try access.setRole(.owner, ofUser: 2)
        _ = try access.setRole(.editor, ofUser: 1)
        #expect(Self.kind { _ = try access.disableUser(2, at: now) } == .conflict)
        _ = try access.setRole(.owner, ofUser: 1)
        _ = try access.disableUser(2, at: now)
        #expect(
            Self.kind { _ = try access.setRole(.editor, ofUser: 1) } == .conflict, "a disabled owner does not count")
        _ = try access.removeUser(2)
        #expect(Self.kind { _ = try access.removeUser(2) } == .notFound)
        #expect(try access.addUser(named: "Meera", .reader, at: now).id == 3, "a number is not used again")
    }

    @Test func accessEndsWithItsUser() throws {
        let f = try Fixture()
        let (access, now): (AccessRepository<Store>, UnixTime) = (f.store.access, f.store.now())
        for name in ["Asha", "Ravi"] {
            let user = try access.addUser(named: name, .editor, at: now)
            try access.setLoginSecret("secret \(name)", of: user.id, at: now)
            let digest = String(repeating: "a", count: 64)
            let session = LoginSession(id: name, digest: digest, user: user.id, started: now)
            #expect(try access.begin(session, under: "secret \(name)", longest: 1000))
            #expect(try !access.begin(session, under: "secret of another", longest: 1000))
            try access.add(
                Passkey(
                    credential: name, relyingParty: "localhost", user: user.id, userHandle: name, publicKey: "k",
                    name: name, signCount: 0), under: "secret \(name)", at: now)
            try access.add(
                AccessToken(id: name, name: name, user: user.id, digest: digest, scopes: "read", created: now))
            _ = try access.offerPairing(.random(), name: name, scopes: .daily, user: user.id, at: now)
            _ = try access.reserveAttempt(of: "192.0.2.1", as: user.id, at: now)
        }
        _ = try access.disableUser(2, at: now)
        #expect(try access.sessions().map(\.id) == ["Ravi"] && access.passkeys().map(\.name) == ["Ravi"])
        #expect(try access.tokens().filter { $0.revoked == nil }.map(\.id) == ["Ravi"])
        #expect(try f.count("pairing_offers") == 1 && f.count("login_tries", where: "user_id IS NOT NULL") == 1)
        #expect(try access.loginSecret(of: 2) == nil, "a disabled user cannot log in")
        _ = try access.enableUser(2)
        #expect(try access.loginSecret(of: 2) == "secret Asha" && access.tokens().count { $0.revoked == nil } == 1)
        _ = try access.removeUser(3)
        for table in ["login_sessions", "passkeys", "pairing_offers"] { #expect(try f.count(table) == 0, "\(table)") }
        #expect(try access.tokens().map(\.id) == ["Asha"])
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func theJournalFollowsARename() throws {
        let f = try Fixture()
        let user = try f.store.access.addUser(named: "Asha", .editor, at: f.store.now())
        let id = try #require(try f.store.recording.record([mail(1, decision())]).first?.transactionID)
        var edit = TransactionEdit()
        edit.notes = .set("tea")
        _ = try f.store.transactions.change(id, edit, by: Actor(.page, "Asha", user: user.id))
        edit.notes = .set("coffee")
        _ = try f.store.transactions.change(id, edit, by: Actor(.client, "phone", user: user.id))
        _ = try f.store.access.renameUser(user.id, to: "Meera")
        func authors() throws -> [String] { try f.store.journal.changes(ofTransaction: id).map(\.actor.name) }
        #expect(try authors() == ["phone", "Meera"])
        #expect(try f.store.journal.authors() == ["Meera", "phone"])
        #expect(try f.store.journal.groups(author: "Meera", limit: 9).groups.count == 1)
        #expect(try f.store.journal.groups(author: "Asha", limit: 9).groups.isEmpty)
        _ = try f.store.access.removeUser(user.id)
        #expect(try authors() == ["phone", "Meera"])
    }

    /// Accepting a mail of an unlisted sender unchanged trusts the sender: an owner's decision.
    @Test(arguments: Role.allCases) func onlyAnOwnersAcceptanceTrustsASender(role: Role) throws {
        let f = try Fixture()
        let user = try f.store.access.addUser(named: "Asha", role, at: f.store.now())
        let id = try TrustedSenderTests.waiting(f)
        try f.store.review.accept(.transaction(id), by: Actor(.page, "Asha", user: user.id))
        #expect(try f.store.trustedSenders.all().count == (role == .owner ? 1 : 0))
    }

    /// A ledger from before users keeps its login: the same passphrase, session, passkey, token and history.
    @Test func theSingleLoginBecomesTheFirstOwner() throws {
        let folder = Folder()
        let digest = String(repeating: "a", count: 64)
        do {
            let old = try DatabaseQueue(path: folder.database)
            try old.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                let before = Schema.migrations.prefix { $0.name != "users" }.map(\.name)
                try db.inTransaction {
                    try Schema.migrate(db, with: Set(before))
                    return .commit
                }
                let time = "'2026-01-05T08:00:00Z'"
                try db.execute(
                    sql: """
                        INSERT INTO login_secret VALUES (1, 'hash', \(time));
                        INSERT INTO login_sessions VALUES ('s', '\(digest)', \(time), \(time));
                        INSERT INTO passkeys VALUES (4, 'c', 'localhost', 'u', 'k', 'phone', 0, \(time), NULL);
                        INSERT INTO access_tokens VALUES ('t', 'reports', 'token', '\(digest)', 'read', \(time), NULL, NULL, NULL);
                        INSERT INTO pairing_offers VALUES (2, 'tablet', 'read', 's', '\(digest)', \(time), \(time), 5, NULL, NULL);
                        INSERT INTO changes (at, actor_kind, actor_name, done, before, after, group_id)
                          VALUES (\(time), 'page', 'person', 'changed', '{}', '{}', 'g'), (\(time), 'client', 'person', 'changed', '{}', '{}', 'h');
                        """)
            }
        }
        let store = try Store(path: folder.database)
        #expect(try store.access.users().map(\.name) == ["person"] && store.access.firstOwner().hasPassphrase)
        #expect(try store.access.loginSecret(of: 1) == "hash" && store.access.session(id: "s")?.user == 1)
        #expect(try store.access.passkeys().map(\.user) == [1] && store.access.tokens().map(\.user) == [1])
        #expect(
            try store.access.token(id: "t")?.scopes == "read" && store.access.pairingOffer(2, at: 0).name == "tablet")
        _ = try store.access.renameUser(1, to: "Asha")
        #expect(try store.journal.changes().map(\.actor.name) == ["person", "Asha"])
        #expect(try store.integrityDefects() == [])
    }
}
