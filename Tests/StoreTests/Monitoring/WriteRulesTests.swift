import Access
import Chronology
import GRDB
import Ledger
import Testing

@testable import Store

/// What SQLite refuses to the web role. The suites of WebTests run with the same rules, so they show that its routes
/// still work.
@Suite struct WriteRulesTests {
    /// Tables that the web role only reads. A new table belongs here or into the rules.
    static let onlyRead: Set<String> = [
        "audit_anchor", "downloads", "due_notifications", "exported_transactions", "exports",
        "file_marks", "grdb_migrations", "imports", "mailbox_alarms", "mailbox_cursors",
        "mailbox_health", "mailbox_keys", "maildir_files", "notification_events", "notification_messages",
        "numbering_marks", "raw_dictionaries", "rescan_requests",
    ]

    /// A second handle of the fixture's ledger, as the web role has it.
    static func web(_ f: Fixture) throws -> Store {
        let store = try Store(path: f.store.path, readOnly: false, now: f.store.now)
        try store.restrictWrites(to: .web)
        return store
    }

    static func error(_ store: Store, _ sql: String) -> String? {
        do {
            try store.writeDatabase { try $0.execute(sql: sql) }
            return nil
        } catch { return "\(error)" }
    }

    @Test func everyTableIsNamed() throws {
        let f = try Fixture()
        let tables = try f.store.readDatabase {
            try Set(
                String.fetchAll(
                    $0,
                    sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
                ))
        }
        let rules = WriteRules.web
        #expect(rules.written.union(rules.emptied).union(Self.onlyRead) == tables)
        #expect(rules.written.isDisjoint(with: Self.onlyRead))
    }

    @Test(arguments: onlyRead.sorted() + ["budget_notifications"]) func aTableThatIsOnlyRead(table: String) throws {
        let web = try Self.web(try Fixture())
        let refused = Self.error(web, "INSERT INTO \(table) DEFAULT VALUES")
        #expect(refused?.contains("the web role does not write \(table)") == true, "\(refused ?? "written")")
    }

    private static let digest = String(repeating: "a", count: 64)
    private static let activation =
        "INSERT INTO template_activations (template, yaml, digest, mail_id, asked_at, asked_by"
    private static let times = "'2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'"

    /// The state before comes from the other roles.
    static let refused: [(before: String, sql: String, reason: String)] = [
        (
            "", "INSERT INTO access_tokens VALUES ('i', 'n', 'token', '\(digest)', 'admin', \(times), NULL, NULL, 1)",
            "with all rights for an open offer only"
        ),
        (
            "INSERT INTO access_tokens VALUES ('i', 'n', 'token', '\(digest)', 'read', \(times), NULL, NULL, 1)",
            "UPDATE access_tokens SET scopes = 'admin'", "changes no right"
        ),
        (
            "INSERT INTO access_tokens VALUES ('i', 'n', 'token', '\(digest)', 'read', \(times), NULL, 'x', 1)",
            "UPDATE access_tokens SET revoked_at = NULL", "does not renew"
        ),
        (
            "INSERT INTO access_tokens VALUES ('i', 'n', 'token', '\(digest)', 'read', \(times), NULL, NULL, 1)",
            "DELETE FROM access_tokens", "removes no token"
        ),
        (
            "", "INSERT INTO pairing_offers VALUES (1, 'n', 'admin', 's', '\(digest)', \(times), 5, NULL, NULL, 1)",
            "offers no pairing with all rights"
        ),
        (
            "INSERT INTO pairing_offers VALUES (1, 'n', 'read', 's', '\(digest)', \(times), 5, NULL, NULL, 1)",
            "UPDATE pairing_offers SET scopes = 'admin'", "changes no offer"
        ),
        (
            "INSERT INTO pairing_offers VALUES (1, 'n', 'read', 's', '\(digest)', \(times), 5, NULL, NULL, 1)",
            "UPDATE pairing_offers SET tries_left = 6", "does not renew an offer"
        ),
        (
            "", "INSERT INTO trusted_senders VALUES ('a@b.example', 'hdfc', NULL, 'person', '', '2026')",
            "of a decided mail only"
        ),
        (
            "", "INSERT OR REPLACE INTO trusted_senders VALUES ('a@b.example', 'hdfc', 1, 'person', '', '2026')",
            "of a decided mail only"
        ),
        (
            "INSERT INTO audit_log (at, event, who) VALUES ('2026', 'x', 'me')", "UPDATE audit_log SET who = 'you'",
            "changes no event"
        ),
        (
            "INSERT INTO audit_log (at, event, who) VALUES ('2026', 'x', 'me')", "DELETE FROM audit_log",
            "removes no event"
        ),
        (
            "INSERT INTO audit_log (at, event, who) VALUES ('2026', 'x', 'me')",
            "INSERT OR REPLACE INTO audit_log (id, at, event, who) SELECT id, at, 'y', who FROM audit_log",
            "removes no event"
        ),
        (
            "INSERT INTO audit_log (at, event, who) VALUES ('2026', 'x', 'me'), ('2026', 'y', 'me')",
            "UPDATE OR REPLACE audit_log SET id = 1", "event"
        ),
        (
            "INSERT INTO users (name, role) VALUES ('me', 'owner')",
            "INSERT OR REPLACE INTO users (id, name, role) SELECT id, name, 'reader' FROM users", "removes no user"
        ),
        (
            "INSERT INTO access_tokens VALUES ('i', 'n', 'token', '\(digest)', 'read', \(times), NULL, 'x', 1)",
            "INSERT OR REPLACE INTO access_tokens VALUES ('i', 'n', 'token', '\(digest)', 'read', \(times), NULL, NULL, 1)",
            "removes no token"
        ),
        (added, "INSERT OR REPLACE INTO added_mailboxes SELECT * FROM added_mailboxes", "mailbox"),
        ("", "INSERT INTO notification_sinks (name, last_event) VALUES ('x', 1)", "adds no receiver"),
        (
            "INSERT INTO notification_sinks (name, last_event) VALUES ('x', 1)",
            "UPDATE notification_sinks SET last_event = 5, trial_requested_at = '2026'", "requests test messages only"
        ),
        (
            "INSERT INTO notification_sinks (name, last_event) VALUES ('x', 1)", "DELETE FROM notification_sinks",
            "removes no receiver"
        ),
        (
            "",
            "\(activation), state, decided_at) VALUES ('a/b', 'x', '\(digest)', 'm', '2026', 'me', 'active', '2026')",
            "activates none"
        ),
        (
            "\(activation)) VALUES ('a/b', 'x', '\(digest)', 'm', '2026', 'me')",
            "INSERT OR REPLACE INTO template_activations (id, template, yaml, digest, mail_id, asked_at, asked_by) VALUES (1, 'a/b', 'y', '\(digest)', 'm', '2026', 'me')",
            "activates none"
        ),
        (
            "\(activation)) VALUES ('a/b', 'x', '\(digest)', 'm', '2026', 'me')",
            "UPDATE template_activations SET state = 'active', decided_at = '2026'", "changes no request"
        ),
        (
            "\(activation)) VALUES ('a/b', 'x', '\(digest)', 'm', '2026', 'me')",
            "UPDATE template_activations SET yaml = 'y'", "changes no request"
        ),
        (
            "\(activation), withdraw_asked_at) VALUES ('a/b', 'x', '\(digest)', 'm', '2026', 'me', '2026')",
            "UPDATE template_activations SET withdraw_asked_at = NULL", "does not take back"
        ),
        (
            "\(activation)) VALUES ('a/b', 'x', '\(digest)', 'm', '2026', 'me')", "DELETE FROM template_activations",
            "removes no request"
        ),
        (
            "INSERT INTO passkeys VALUES (1, 'c', 'localhost', 'u', 'k', 'n', 0, '2026', NULL, 1)",
            "UPDATE passkeys SET public_key = 'z'", "changes no passkey"
        ),
        (
            "INSERT INTO access_tokens VALUES ('i', 'n', 'token', '\(digest)', 'read', \(times), NULL, NULL, 1)",
            "UPDATE access_tokens SET user_id = 2", "changes no right"
        ),
        (
            "INSERT INTO login_sessions VALUES ('s', '\(digest)', \(times), 1)",
            "UPDATE login_sessions SET user_id = 2", "changes no login"
        ),
        ("", "INSERT INTO users (name, role) VALUES ('me', 'owner')", "makes no owner"),
        (
            """
            INSERT INTO users (name, role) VALUES ('me', 'owner');
            INSERT INTO user_accounts (name, type, currency, created_at, updated_at, owner_user_id)
              VALUES ('x', 'bank', 'INR', '2026', '2026', 1)
            """, "UPDATE user_accounts SET owner_user_id = 2", "gives no private account"
        ),
        (
            "INSERT INTO users (name, role) VALUES ('me', 'editor')",
            "UPDATE users SET role = 'owner' WHERE name = 'me'", "changes no owner"
        ),
        (
            "INSERT INTO users (name, role) VALUES ('me', 'owner')",
            "UPDATE users SET role = 'reader' WHERE name = 'me'",
            "changes no owner"
        ),
        (
            "INSERT INTO users (name, role) VALUES ('me', 'owner')",
            "UPDATE users SET disabled_at = '2026' WHERE name = 'me'", "changes no owner"
        ),
        (
            "INSERT INTO users (name, role, disabled_at) VALUES ('me', 'owner', '2026')",
            "UPDATE users SET disabled_at = NULL WHERE name = 'me'", "changes no owner"
        ),
        (
            "INSERT INTO users (name, role) VALUES ('me', 'reader')", "DELETE FROM users WHERE name = 'me'",
            "removes no user"
        ),
        (setup(), "INSERT INTO mailbox_keys VALUES (1, '\(digest.prefix(44))', '2026')", "does not write mailbox_keys"),
        (
            "INSERT INTO mailbox_keys VALUES (1, '\(digest.prefix(44))', '2026')",
            "UPDATE mailbox_keys SET sealing_key = 'y' || substr(sealing_key, 2)", "does not write mailbox_keys"
        ),
        ("", setup("tested", finding: "'{}'"), "only asks for mailboxes"),
        ("", setup("accepted", finding: "'{}'"), "only asks for mailboxes"),
        ("", setup("asked", finding: "'{}'"), "only asks for mailboxes"),
        (setup(), "UPDATE mailbox_setups SET state = 'accepted', finding = '{}'", "mailbox"),
        (setup(), "UPDATE mailbox_setups SET state = 'tested'", "accepts tested mailboxes only"),
        (setup(), "UPDATE mailbox_setups SET host = 'imap.evil.example'", "changes no setup"),
        (setup("tested", finding: "'{}'"), "UPDATE mailbox_setups SET sealed = 'y'", "changes no setup"),
        (setup(), "UPDATE mailbox_setups SET oauth = '{}'", "changes no setup"),
        (setup(), "UPDATE mailbox_setups SET oauth = '{}', client_secret = 'y'", "changes no setup"),
        (setup(), "UPDATE mailbox_setups SET oauth = '{}', renews = 1", "changes no setup"),
        (setup("tested", finding: "'{}'"), "UPDATE mailbox_setups SET finding = '[]'", "changes no setup"),
        (
            setup("accepted", finding: "'{}'"), "UPDATE mailbox_setups SET authserv_id = 'mx.evil.example'",
            "accepts tested mailboxes only"
        ),
        (setup("accepted", finding: "'{}'"), "DELETE FROM mailbox_setups", "withdraws no accepted mailbox"),
        ("", added, "adds no mailbox"),
        (added, "UPDATE added_mailboxes SET authserv_id = 'mx.evil.example'", "requests removals only"),
        (added, "UPDATE added_mailboxes SET oauth = '{}'", "requests removals only"),
        (added, "UPDATE added_mailboxes SET port = 143", "requests removals only"),
        (added, "DELETE FROM added_mailboxes", "removes no mailbox"),
        ("", receiver("NULL", sealed: "NULL"), "only asks for receivers"),
        (receiver(), receiver("'2026'", name: "m", fault: "'name'"), "only asks for receivers"),
        (receiver(), "UPDATE added_sinks SET kind = 'email'", "changes no kind of a receiver"),
        (receiver(), "UPDATE added_sinks SET fault = 'name'", "changes no kind of a receiver"),
        (receiver(), "UPDATE added_sinks SET host = 'evil.example'", "only asks for changes"),
        (receiver("NULL", sealed: "NULL"), "UPDATE added_sinks SET events = '[]'", "only asks for changes"),
        (receiver(), "DELETE FROM added_sinks", "deletes no receiver"),
        (receiver(), "INSERT OR REPLACE INTO added_sinks SELECT * FROM added_sinks", "deletes no receiver"),
        ("", sign, "reports no sign of a change"),
        (sign, "UPDATE drift_alarms SET since = '2027'", "changes no sign of a change"),
        (sign, "DELETE FROM drift_alarms", "ends no sign of a change"),
    ]

    private static let sign =
        "INSERT INTO drift_alarms (kind, profile, subject, since) VALUES ('bank_silent', 'hdfc', '', '2026')"

    private static func receiver(
        _ asked: String = "'2026'", name: String = "n", sealed: String = "'s'", fault: String = "NULL"
    ) -> String {
        """
        INSERT INTO added_sinks (name, kind, host, events, asked_at, sealed_to, sealed, fault)
          VALUES ('\(name)', 'ntfy', 'h', '[]', \(asked), \(sealed), \(sealed), \(fault))
        """
    }

    private static let added = """
        INSERT INTO added_mailboxes (name, host, user, folders, since_days, verifies) VALUES ('n', 'h', 'u', '[]', 90, 1)
        """

    private static func setup(_ state: String = "asked", finding: String = "NULL") -> String {
        """
        INSERT INTO mailbox_setups (name, address, host, port, tls, user, folder, since_days, sealed_to, sealed, asked_at, state, finding)
          VALUES ('n', 'a@b.example', 'imap.b.example', 993, 'implicit', 'a', 'INBOX', 90, 'k', 's', '2026', '\(state)', \(finding))
        """
    }

    @Test(arguments: refused) func isRefused(before: String, sql: String, reason: String) throws {
        let f = try Fixture()
        // Some of these rows the schema itself would refuse from a program.
        if !before.isEmpty { _ = Self.error(f.store, before) }
        let error = Self.error(try Self.web(f), sql)
        #expect(error?.contains(reason) == true, "\(error ?? "written")")
    }

    @Test func whatRoutesDoIsPossible() throws {
        let f = try Fixture()
        let web = try Self.web(f)
        let id = try TrustedSenderTests.waiting(f)
        try web.review.accept(.transaction(id))
        #expect(try web.trustedSenders.all().count == 1)
        let change = try #require(try web.journal.changes(ofTransaction: id).first)
        try web.journal.undo(change: change.id)
        #expect(try web.trustedSenders.all().isEmpty)
        let code = PairingCode.random()
        _ = try f.store.access.offerPairing(code, name: "phone", scopes: .daily, user: 1, at: f.store.now())
        let token = Credential.random(.token)
        #expect(try web.access.redeemPairing(code, token, at: web.now())?.scopes == Scopes.daily.description)
        #expect(try web.audit.proof().broken == nil)
    }

    /// Also a decision and the sender of a mail, by which a sender is trusted, stay as they are.
    @Test func decisionsAndSendersStay() throws {
        let f = try Fixture()
        let web = try Self.web(f)
        try web.review.accept(.transaction(try TrustedSenderTests.waiting(f)))
        for (sql, reason) in [
            ("INSERT OR REPLACE INTO changes SELECT * FROM changes", "removes no decision"),
            ("REPLACE INTO changes SELECT * FROM changes", "removes no decision"),
            ("UPDATE processed_emails SET from_address = 'a@evil.example'", "changes no sender of a mail"),
            ("UPDATE processed_emails SET from_address = NULL", "changes no sender of a mail"),
        ] {
            let error = Self.error(web, sql)
            #expect(error?.contains(reason) == true, "\(sql): \(error ?? "written")")
        }
    }

    @Test func thePageAsksAcceptsAndRemovesMailboxes() throws {
        let f = try Fixture()
        let (web, now) = (try Self.web(f), f.store.now())
        let id = try web.mailboxSetups.ask(MailboxSetupTests.setup(), at: now)
        try f.store.mailboxSetups.tested(id, MailboxSetupTests.finding)
        try web.mailboxSetups.accept(id, folder: "Bank", authservID: nil, verifies: true, at: now)
        try f.store.mailboxSetups.finish(id, MailboxSetupTests.added)
        try web.mailboxSetups.requestRemoval(of: "personal", at: now)
        try web.mailboxSetups.withdraw(id)
        #expect(try web.mailboxSetups.all().isEmpty)
        #expect(try f.store.mailboxSetups.added().map(\.removalRequested) == [now])
    }

    @Test func thePageAsksForConsents() throws {
        let f = try Fixture()
        let (web, now) = (try Self.web(f), f.store.now())
        let id = try web.mailboxSetups.ask(MailboxSetupTests.consent(), at: now)
        #expect(throws: StoreError.self) { try web.mailboxSetups.setSealed(id, "other") }
        var added = MailboxSetupTests.added
        added.registration = MailboxSetupTests.registration
        try f.store.mailboxSetups.setAdded([added])
        let renewal = MailboxSetup(renewing: added, sealedTo: "key", sealed: "code")
        let other = try web.mailboxSetups.ask(renewal, at: now)
        #expect(throws: StoreError.self) { try web.mailboxSetups.finishRenewal(other) }
        #expect(try web.mailboxSetups.all().map(\.state) == [.asked, .asked])
    }

    /// Another connection, such as that of the mail reader, has no rules.
    @Test func theRulesBindOneHandle() throws {
        let f = try Fixture()
        _ = try Self.web(f)
        #expect(Self.error(f.store, "INSERT INTO imports DEFAULT VALUES")?.contains("web role") != true)
    }
}
