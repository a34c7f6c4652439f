public import Chronology
import Codecs
internal import GRDB
import OAuth

/// Requests of the page for new mailboxes, and their answers. ``WriteRules/web`` names who writes what.
extension MailboxSetupRepository {
    /// The key that passwords are sealed to; `nil` if the mail reader takes no mailboxes from the page.
    public func sealingKey() throws(StoreError) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT sealing_key FROM mailbox_keys") }
    }

    /// Written by the mail reader at its start.
    public func setSealingKey(_ key: String?, at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { db in
            guard let key else { return try db.execute(sql: "DELETE FROM mailbox_keys") }
            try db.execute(
                sql: """
                    INSERT INTO mailbox_keys (id, sealing_key, made_at) VALUES (1, ?1, ?2)
                    ON CONFLICT DO UPDATE SET sealing_key = ?1, made_at = ?2 WHERE sealing_key <> ?1
                    """, arguments: [key, now])
        }
    }

    /// Asks for a test of a mailbox.
    ///
    /// - Returns: its number.
    /// - Throws: `conflict` above ``MailboxSetup/maximum``.
    public func ask(_ setup: MailboxSetup, at now: UnixTime) throws(StoreError) -> Int64 where Scope: WriteScope {
        try write { db in
            try Self.expire(db, at: now)
            let open = try Int.fetchOne(db, sql: "SELECT count(*) FROM mailbox_setups") ?? 0
            guard open < MailboxSetup.maximum else {
                throw StoreError.conflict("too many mailboxes were tested within an hour")
            }
            let server = setup.server
            try db.execute(
                sql: """
                    INSERT INTO mailbox_setups (name, address, host, port, tls, user, authority, folder, since_days, sealed_to, sealed,
                      asked_at, state, oauth, client_secret, renews)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'asked', ?, ?, ?)
                    """,
                arguments: [
                    server.name, setup.address, server.host, server.port, server.tls.rawValue, server.user,
                    server.authority, setup.folder, setup.sinceDays, setup.sealedTo, setup.sealed, now,
                    server.registration?.json.text, setup.clientSecret, setup.renews,
                ])
            return db.lastInsertedRowID
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> MailboxSetup? {
        try read {
            try Row.fetchOne($0, sql: "SELECT * FROM mailbox_setups WHERE id = ?", arguments: [id]).map(
                MailboxSetup.init)
        }
    }

    /// Oldest first.
    public func all() throws(StoreError) -> [MailboxSetup] {
        try read { try Row.fetchAll($0, sql: "SELECT * FROM mailbox_setups ORDER BY id").map(MailboxSetup.init) }
    }

    /// Stores the choice of the person, after which the mail reader takes the mailbox into use.
    ///
    /// - Parameter authservID: `nil` only if signatures are verified.
    /// - Throws: `conflict` unless it was tested and is not older than ``MailboxSetup/lifetime``.
    public func accept(
        _ id: Int64, folder: String, authservID: String?, verifies: Bool, at now: UnixTime
    ) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try Self.expire(db, at: now)
            try db.execute(
                sql: """
                    UPDATE mailbox_setups SET state = 'accepted', folder = ?, authserv_id = ?, verifies = ?
                    WHERE id = ? AND state = 'tested'
                    """, arguments: [folder, authservID, verifies, id])
            guard db.changesCount == 1 else { throw StoreError.conflict("the test of this mailbox is over") }
        }
    }

    /// Deletes a setup that was not accepted, with its password.
    public func withdraw(_ id: Int64) throws(StoreError) where Scope: WriteScope {
        try write {
            try $0.execute(sql: "DELETE FROM mailbox_setups WHERE id = ? AND state <> 'accepted'", arguments: [id])
        }
    }
}

/// What the mail reader writes.
extension MailboxSetupRepository {
    /// True if there is something to do. Cheap, to be called every second.
    public func hasWork(at now: UnixTime) throws(StoreError) -> Bool {
        try read {
            try Bool.fetchOne(
                $0.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM mailbox_setups
                            WHERE state IN ('asked', 'accepted') OR asked_at < ?1)
                          OR EXISTS (SELECT 1 FROM added_mailboxes WHERE removal_requested_at IS NOT NULL)
                        """), arguments: [now - MailboxSetup.lifetime]) ?? false
        }
    }

    public func tested(_ id: Int64, _ finding: MailboxFinding) throws(StoreError) where Scope: WriteScope {
        try write {
            try $0.execute(
                sql: "UPDATE mailbox_setups SET state = 'tested', finding = ? WHERE id = ? AND state = 'asked'",
                arguments: [finding.json.text, id])
        }
    }

    /// Replaces a code that was redeemed, so that a crash does not lose the refresh token.
    ///
    /// - Parameter sealed: the refresh token, sealed to the present key.
    public func setSealed(_ id: Int64, _ sealed: String) throws(StoreError) where Scope: WriteScope {
        try write {
            try $0.execute(
                sql: "UPDATE mailbox_setups SET sealed = ? WHERE id = ? AND state = 'asked'", arguments: [sealed, id])
        }
    }

    /// Ends a new consent that is in use.
    public func finishRenewal(_ id: Int64) throws(StoreError) where Scope: WriteScope {
        try write {
            try $0.execute(
                sql:
                    "UPDATE mailbox_setups SET state = 'used', sealed = NULL WHERE id = ? AND renews AND state = 'asked'",
                arguments: [id])
        }
    }

    /// - Parameter reason: without secrets.
    public func refuse(
        _ id: Int64, _ fault: MailboxSetup.Fault, _ reason: String
    ) throws(StoreError) where Scope: WriteScope {
        try write {
            try $0.execute(
                sql: """
                    UPDATE mailbox_setups SET state = 'refused', sealed = NULL, fault = ?1, reason = ?2,
                      client_secret = CASE WHEN ?1 IN ('client', 'sealed') THEN NULL ELSE client_secret END
                    WHERE id = ?3 AND state IN ('asked', 'accepted')
                    """, arguments: [fault.rawValue, reason, id])
        }
    }

    /// Ends an accepted setup whose mailbox is in use, and adds the mailbox's row.
    public func finish(_ id: Int64, _ mailbox: AddedMailbox) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE mailbox_setups SET state = 'used', sealed = NULL, client_secret = NULL
                    WHERE id = ? AND state = 'accepted'
                    """, arguments: [id])
            try mailbox.write(db)
        }
    }

    /// Deletes setups older than ``MailboxSetup/lifetime``, but for accepted ones.
    public func expire(at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { try Self.expire($0, at: now) }
    }

    private static func expire(_ db: Database, at now: UnixTime) throws {
        // A time in the future was written with a wrong clock.
        try db.execute(
            sql: "DELETE FROM mailbox_setups WHERE state <> 'accepted' AND (asked_at < ? OR asked_at > ?)",
            arguments: [now - MailboxSetup.lifetime, now + MailboxSetup.lifetime])
    }
}
