internal import GRDB

/// What a role may write to the ledger. SQLite itself refuses the rest on the role's connection, by temporary triggers.
///
/// An authorizer (`sqlite3_set_authorizer`) would fit as well, but a connection has one, and GRDB uses it. The triggers
/// stop a fault of the program, and SQL that someone smuggles in. They do not stop foreign code in the process: it can
/// drop them, or open the file anew.
public struct WriteRules: Sendable {
    /// A write that is refused although its table is written.
    struct Refusal: Sendable {
        let table: String
        /// `INSERT`, `DELETE`, `UPDATE`, or `UPDATE OF` some columns.
        let event: String
        /// The condition of the refusal; `nil` for every row.
        var condition: String?
        let reason: String
    }

    /// The name of the role in errors.
    let role: String
    /// All other tables are only read.
    let written: Set<String>
    /// Tables whose rows end with a row of another table, but are neither made nor changed.
    let emptied: Set<String>
    let refusals: [Refusal]

    /// The web role. Mailboxes, imports, notifications on their way and tokens with all rights belong to the mail
    /// reader and to `parserctl`.
    public static let web = WriteRules(
        role: "web", written: webTables, emptied: ["budget_notifications"], refusals: webRefusals)

    private static let webTables: Set<String> = [
        // Access: sessions, tries, the use of tokens, the log.
        "access_tokens", "api_answers", "audit_log", "devices", "login_secrets", "login_sessions", "login_tries",
        "passkeys", "pairing_offers", "web_server",
        // Users who are no owners.
        "users",
        // Requests of test messages, of mailboxes and receivers, and to use a template.
        "added_mailboxes", "added_sinks", "mailbox_setups", "notification_sinks", "template_activations",
        // Decisions of a person, and mails that are decided again or come from a phone.
        "changes", "date_order_counts", "learned_forms", "mail_counts", "notices", "processed_emails", "raw_messages",
        "template_days", "trusted_senders", "unclaimed_shapes",
        // Signs of a change that are not to be shown.
        "drift_alarms",
        // The books.
        "account_checks", "account_findings", "account_generation", "accounts", "budgets", "categories",
        "column_mappings", "deleted_accounts", "due_links", "exchange_rates", "payee_aliases", "payees",
        "recurring_items", "refused_aliases", "refused_offers", "saved_searches", "settled_dues",
        "split_transactions",
        "statement_files", "statement_lines", "statement_omissions", "statements", "subcategories", "tags",
        "transaction_counts", "transaction_links", "transaction_splits", "transactions", "transfers",
        "user_account_numbers", "user_accounts", "vendor_mappings",
    ]

    private static let webRefusals = [
        Refusal(
            table: "access_tokens", event: "INSERT",
            condition: """
                NEW.scopes LIKE '%admin%' AND NOT EXISTS (SELECT 1 FROM pairing_offers WHERE redeemed_at IS NULL
                  AND tries_left > 0 AND scopes = NEW.scopes AND expires_at > NEW.created_at)
                """,
            reason: "makes a token with all rights for an open offer only"),
        Refusal(
            table: "access_tokens", event: "UPDATE OF id, name, kind, digest, scopes, created_at, expires_at, user_id",
            reason: "changes no right of a token"),
        Refusal(
            table: "access_tokens", event: "UPDATE OF revoked_at", condition: "OLD.revoked_at IS NOT NULL",
            reason: "does not renew a revoked token"),
        Refusal(table: "access_tokens", event: "DELETE", reason: "removes no token"),
        Refusal(
            table: "pairing_offers", event: "INSERT", condition: "NEW.scopes LIKE '%admin%'",
            reason: "offers no pairing with all rights"),
        Refusal(
            table: "pairing_offers", event: "UPDATE OF id, name, scopes, salt, digest, offered_at, expires_at, user_id",
            reason: "changes no offer of a pairing"),
        Refusal(
            table: "pairing_offers", event: "UPDATE OF tries_left, redeemed_at",
            condition: "NEW.tries_left > OLD.tries_left OR OLD.redeemed_at IS NOT NULL",
            reason: "does not renew an offer of a pairing"),
        Refusal(
            table: "passkeys",
            event: "UPDATE OF id, credential, relying_party, user_handle, public_key, created_at, user_id",
            reason: "changes no passkey"),
        Refusal(
            table: "login_sessions", event: "UPDATE OF id, digest, started_at, user_id", reason: "changes no login"),
        Refusal(table: "users", event: "INSERT", condition: "NEW.role = 'owner'", reason: "makes no owner"),
        Refusal(
            table: "users", event: "UPDATE OF id, role, created_at, disabled_at",
            condition: "OLD.role = 'owner' OR NEW.role = 'owner' OR NEW.id <> OLD.id",
            reason: "changes no owner and makes none"),
        Refusal(table: "users", event: "DELETE", reason: "removes no user"),
        Refusal(
            table: "user_accounts", event: "UPDATE OF owner_user_id",
            condition:
                "OLD.owner_user_id IS NOT NULL AND NEW.owner_user_id IS NOT NULL AND NEW.owner_user_id <> OLD.owner_user_id",
            reason: "gives no private account to another user"),
        Refusal(table: "notification_sinks", event: "INSERT", reason: "adds no receiver"),
        Refusal(
            table: "notification_sinks",
            event: "UPDATE OF name, last_event, failures, blocked_until, reason, last_sent_at, trial_at, trial_problem",
            reason: "requests test messages only"),
        Refusal(table: "notification_sinks", event: "DELETE", reason: "removes no receiver"),
        Refusal(
            table: "added_sinks", event: "INSERT",
            condition: """
                NEW.asked_at IS NULL OR NEW.sealed IS NULL OR NEW.fault IS NOT NULL
                  OR (SELECT count(*) FROM added_sinks) >= \(AddedSink.maximum)
                """,
            reason: "only asks for receivers"),
        Refusal(table: "added_sinks", event: "UPDATE OF name, kind, fault", reason: "changes no kind of a receiver"),
        Refusal(
            table: "added_sinks", event: "UPDATE OF host, events, quiet_from, quiet_to",
            condition: "NEW.asked_at IS NULL OR NEW.host <> OLD.host AND NEW.sealed IS OLD.sealed",
            reason: "only asks for changes of a receiver"),
        Refusal(
            table: "added_sinks", event: "UPDATE OF removal_requested_at",
            condition: "NEW.removal_requested_at IS NULL", reason: "does not take back a removal"),
        Refusal(table: "added_sinks", event: "DELETE", reason: "deletes no receiver"),
        Refusal(
            table: "mailbox_setups", event: "INSERT",
            condition: """
                NEW.state <> 'asked' OR NEW.finding IS NOT NULL OR NEW.authserv_id IS NOT NULL OR NEW.verifies
                """,
            reason: "only asks for mailboxes"),
        Refusal(
            table: "mailbox_setups",
            event: """
                UPDATE OF id, name, address, host, port, tls, user, authority, since_days, sealed_to, sealed, asked_at,
                  finding, fault, reason, oauth, client_secret, renews
                """,
            reason: "changes no setup of a mailbox"),
        Refusal(
            table: "mailbox_setups", event: "UPDATE OF state, folder, authserv_id, verifies",
            condition: "OLD.state <> 'tested' OR NEW.state <> 'accepted'",
            reason: "accepts tested mailboxes only"),
        Refusal(
            table: "mailbox_setups", event: "DELETE", condition: "OLD.state = 'accepted'",
            reason: "withdraws no accepted mailbox"),
        Refusal(table: "added_mailboxes", event: "INSERT", reason: "adds no mailbox"),
        Refusal(
            table: "added_mailboxes",
            event:
                "UPDATE OF name, host, user, folders, since_days, authserv_id, verifies, problem, port, tls, oauth",
            reason: "requests removals only"),
        Refusal(table: "added_mailboxes", event: "DELETE", reason: "removes no mailbox"),
        Refusal(
            table: "template_activations", event: "INSERT",
            condition: """
                NEW.state <> 'asked' OR NEW.withdraw_asked_at IS NOT NULL OR NEW.seen_at IS NOT NULL
                  OR EXISTS (SELECT 1 FROM template_activations WHERE id = NEW.id)
                  OR (SELECT count(*) FROM template_activations WHERE state = 'asked') >= \(TemplateActivation.maximumAsked)
                """,
            reason: "asks for few templates at a time, and activates none"),
        Refusal(
            table: "template_activations",
            event:
                "UPDATE OF id, template, yaml, digest, mail_id, expected, asked_at, asked_by, state, reason, decided_at, fault",
            reason: "changes no request of a template"),
        Refusal(
            table: "template_activations", event: "UPDATE OF withdraw_asked_at",
            condition: "OLD.withdraw_asked_at IS NOT NULL AND NEW.withdraw_asked_at IS NOT OLD.withdraw_asked_at",
            reason: "does not take back a withdrawal"),
        Refusal(table: "template_activations", event: "DELETE", reason: "removes no request of a template"),
        Refusal(table: "drift_alarms", event: "INSERT", reason: "reports no sign of a change"),
        Refusal(
            table: "drift_alarms", event: "UPDATE OF kind, profile, subject, since",
            reason: "changes no sign of a change"),
        Refusal(table: "drift_alarms", event: "DELETE", reason: "ends no sign of a change"),
        // The change itself is in the audit log.
        Refusal(
            table: "trusted_senders", event: "INSERT",
            condition: """
                NOT EXISTS (SELECT 1 FROM changes c JOIN transactions t ON t.id = c.transaction_id
                  JOIN processed_emails m ON m.id = t.source_email_id
                  WHERE c.transaction_id = NEW.transaction_id AND lower(m.from_address) = NEW.address)
                """,
            reason: "trusts the sender of a decided mail only"),
        Refusal(table: "trusted_senders", event: "UPDATE", reason: "changes no trusted sender"),
        Refusal(
            table: "processed_emails", event: "UPDATE OF from_address",
            condition: "NEW.from_address IS NOT OLD.from_address", reason: "changes no sender of a mail"),
        Refusal(
            table: "audit_log", event: "UPDATE OF id, at, event, request_id, who, method, route, status",
            reason: "changes no event of the audit log"),
        Refusal(table: "audit_log", event: "DELETE", reason: "removes no event of the audit log"),
        Refusal(
            table: "changes",
            event: "UPDATE OF id, at, actor_kind, actor_name, done, transaction_id, mail_id, before, after, user_id",
            reason: "changes no decision"),
        Refusal(table: "changes", event: "DELETE", reason: "removes no decision"),
    ]
}

extension WriteRules {
    /// Sets the rules for a connection, until it is closed. A table that the rules do not name is only read.
    fileprivate func apply(to db: Database) throws {
        // Otherwise REPLACE removes rows without the triggers of their removal (sqlite.org/lang_conflict.html).
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        let tables = try String.fetchAll(
            db,
            sql: "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
        for table in tables where !written.contains(table) {
            for event in emptied.contains(table) ? ["INSERT", "UPDATE"] : ["INSERT", "UPDATE", "DELETE"] {
                try refuse(Refusal(table: table, event: event, reason: "does not write \(table)"), db)
            }
        }
        for refusal in refusals { try refuse(refusal, db) }
    }

    private func refuse(_ refusal: Refusal, _ db: Database) throws {
        let name = "\(role) \(refusal.reason): \(refusal.event)"
        let condition = refusal.condition.map { " WHEN \($0)" } ?? ""
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER "\(name)" BEFORE \(refusal.event) ON main."\(refusal.table)"\(condition)
                BEGIN SELECT RAISE(ABORT, 'the \(role) role \(refusal.reason)'); END
                """)
    }
}

extension Store {
    /// Makes SQLite refuse what the rules do not allow, until this handle ends. Call it once, after the ledger was
    /// opened and seeded.
    public func restrictWrites(to rules: WriteRules) throws(StoreError) {
        try withoutTransaction { db in
            try db.inTransaction {
                try rules.apply(to: db)
                return .commit
            }
        }
    }
}
