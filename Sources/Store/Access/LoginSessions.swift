public import Chronology
internal import GRDB

/// A stored login. Instants in seconds since 1970-01-01 UTC.
public struct LoginSession: Hashable, Sendable {
    /// Public part of the cookie.
    public var id: String
    /// SHA-256 of the cookie, in hexadecimal.
    public var digest: String
    /// Who logged in.
    public var user: Int64
    public var started: UnixTime
    public var lastSeen: UnixTime

    public init(id: String, digest: String, user: Int64, started: UnixTime) {
        self.id = id
        self.user = user
        self.digest = digest
        self.started = started
        lastSeen = started
    }

    /// Deletes expired sessions and adds this one.
    func insert(_ db: Database, longest: Int64) throws {
        try db.execute(sql: "DELETE FROM login_sessions WHERE started_at < ?", arguments: [started - longest])
        try db.execute(
            sql: "INSERT INTO login_sessions (id, digest, started_at, last_seen_at, user_id) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, digest, started, lastSeen, user])
    }

    fileprivate init(_ row: Row) {
        self.init(id: row["id"], digest: row["digest"], user: row["user_id"], started: row["started_at"])
        lastSeen = row["last_seen_at"]
    }
}

extension AccessRepository {
    /// Slow hash of the passphrase of an enabled user; `nil` if none is set.
    public func loginSecret(of user: Int64) throws(StoreError) -> String? {
        try read { try Self.secret(of: user, $0) }
    }

    /// True if an enabled user has a passphrase, so that somebody can log in.
    public func hasLoginSecret() throws(StoreError) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM login_secrets s JOIN users u ON u.id = s.user_id
                      WHERE u.disabled_at IS NULL)
                    """) ?? false
        }
    }

    /// Sets or removes the passphrase of a user. Ends every login of the user, removes every passkey, and resets the
    /// counts of failed attempts, so that access gained with the former passphrase ends.
    public func setLoginSecret(_ hash: String?, of user: Int64, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        try write { try Self.replaceSecret(hash, of: user, $0, at: now) }
    }

    /// Sets the passphrase as ``setLoginSecret(_:of:at:)`` does, and begins the only login of the user of `session`, in
    /// one transaction.
    ///
    /// - Parameters:
    ///   - former: the hash that the present passphrase was checked against; `nil` for the first passphrase.
    ///   - longest: seconds after which a session ends in any case.
    /// - Returns: false if the stored hash is another one; then nothing is changed.
    public func setLoginSecret(
        _ hash: String, replacing former: String?, beginning session: LoginSession, longest: Int64
    ) throws(StoreError) -> Bool where Scope: WriteScope {
        try write { db in
            guard try UserRow.find(session.user, db)?.isEnabled == true,
                try Self.secret(of: session.user, db) == former
            else { return false }
            try Self.replaceSecret(hash, of: session.user, db, at: session.started)
            try session.insert(db, longest: longest)
            return true
        }
    }

    /// The stored hash of an enabled user.
    static func secret(of user: Int64, _ db: Database) throws -> String? {
        try String.fetchOne(
            db,
            sql: """
                SELECT s.hash FROM login_secrets s JOIN users u ON u.id = s.user_id
                WHERE u.id = ? AND u.disabled_at IS NULL
                """, arguments: [user])
    }

    private static func replaceSecret(_ hash: String?, of user: Int64, _ db: Database, at now: UnixTime) throws {
        try db.execute(sql: "DELETE FROM login_secrets WHERE user_id = ?", arguments: [user])
        if let hash {
            try db.execute(
                sql: "INSERT INTO login_secrets (user_id, hash, changed_at) VALUES (?, ?, ?)",
                arguments: [user, hash, now])
        }
        try db.execute(sql: "DELETE FROM login_sessions WHERE user_id = ?", arguments: [user])
        try db.execute(sql: "DELETE FROM passkeys WHERE user_id = ?", arguments: [user])
        // The counts of other users stay: a passphrase of one's own does not help to guess theirs.
        try db.execute(sql: "DELETE FROM login_tries WHERE user_id IS NULL OR user_id = ?", arguments: [user])
    }

    /// Begins a session and deletes expired ones.
    ///
    /// - Parameters:
    ///   - secret: the hash that the passphrase was checked against; no session begins if it has changed since.
    ///   - longest: seconds after which a session ends in any case.
    /// - Returns: true if the session has begun.
    public func begin(_ session: LoginSession, under secret: String, longest: Int64) throws(StoreError) -> Bool
    where Scope: WriteScope {
        try write { db in
            guard try Self.secret(of: session.user, db) == secret else { return false }
            try session.insert(db, longest: longest)
            return true
        }
    }

    public func session(id: String) throws(StoreError) -> LoginSession? {
        try read { db in
            try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM login_sessions WHERE id = ?"), arguments: [id]).map(
                LoginSession.init)
        }
    }

    /// Sessions that were not ended, the last seen first; some may have expired.
    public func sessions() throws(StoreError) -> [LoginSession] {
        try read {
            try Row.fetchAll($0, sql: "SELECT * FROM login_sessions ORDER BY last_seen_at DESC, id").map(
                LoginSession.init)
        }
    }

    public func endSession(id: String) throws(StoreError) where Scope: WriteScope {
        try write { try $0.execute(sql: "DELETE FROM login_sessions WHERE id = ?", arguments: [id]) }
    }
}
