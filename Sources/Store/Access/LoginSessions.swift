public import Chronology
internal import GRDB

/// A stored login. Instants in seconds since 1970-01-01 UTC.
public struct LoginSession: Hashable, Sendable {
    /// Public part of the cookie.
    public var id: String
    /// SHA-256 of the cookie, in hexadecimal.
    public var digest: String
    public var started: UnixTime
    public var lastSeen: UnixTime

    public init(id: String, digest: String, started: UnixTime) {
        self.id = id
        self.digest = digest
        self.started = started
        lastSeen = started
    }

    /// Deletes expired sessions and adds this one.
    func insert(_ db: Database, longest: Int64) throws {
        try db.execute(sql: "DELETE FROM login_sessions WHERE started_at < ?", arguments: [started - longest])
        try db.execute(
            sql: "INSERT INTO login_sessions (id, digest, started_at, last_seen_at) VALUES (?, ?, ?, ?)",
            arguments: [id, digest, started, lastSeen])
    }
}

extension AccessRepository {
    /// Slow hash of the passphrase; `nil` if none is set.
    public func loginSecret() throws(StoreError) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT hash FROM login_secret") }
    }

    /// Sets or removes the passphrase. Ends every login, removes every passkey, and resets the counts of failed
    /// attempts, so that access gained with the former passphrase ends.
    public func setLoginSecret(_ hash: String?, at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { try Self.replaceSecret(hash, $0, at: now) }
    }

    /// Sets the passphrase as ``setLoginSecret(_:at:)`` does, and begins the only login, in one transaction.
    ///
    /// - Parameter former: the hash that the present passphrase was checked against; `nil` for the first passphrase.
    /// - Returns: false if the stored hash is another one; then nothing is changed.
    public func setLoginSecret(
        _ hash: String, replacing former: String?, beginning session: LoginSession
    ) throws(StoreError) -> Bool where Scope: WriteScope {
        try write { db in
            guard try String.fetchOne(db, sql: "SELECT hash FROM login_secret") == former else { return false }
            try Self.replaceSecret(hash, db, at: session.started)
            try session.insert(db, longest: 0)
            return true
        }
    }

    private static func replaceSecret(_ hash: String?, _ db: Database, at now: UnixTime) throws {
        try db.execute(sql: "DELETE FROM login_secret")
        if let hash {
            try db.execute(
                sql: "INSERT INTO login_secret (id, hash, changed_at) VALUES (1, ?, ?)", arguments: [hash, now])
        }
        try db.execute(sql: "DELETE FROM login_sessions")
        try db.execute(sql: "DELETE FROM passkeys")
        try db.execute(sql: "DELETE FROM login_tries")
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
            guard try String.fetchOne(db, sql: "SELECT hash FROM login_secret") == secret else { return false }
            try session.insert(db, longest: longest)
            return true
        }
    }

    public func session(id: String) throws(StoreError) -> LoginSession? {
        try read { db in
            try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM login_sessions WHERE id = ?"), arguments: [id]).map
            { row in
                var session = LoginSession(
                    id: row["id"], digest: row["digest"], started: row["started_at"])
                session.lastSeen = row["last_seen_at"]
                return session
            }
        }
    }

    /// Sessions that were not ended, the last seen first; some may have expired.
    public func sessions() throws(StoreError) -> [LoginSession] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM login_sessions ORDER BY last_seen_at DESC, id").map { row in
                var session = LoginSession(
                    id: row["id"], digest: row["digest"], started: row["started_at"])
                session.lastSeen = row["last_seen_at"]
                return session
            }
        }
    }

    public func endSession(id: String) throws(StoreError) where Scope: WriteScope {
        try write { try $0.execute(sql: "DELETE FROM login_sessions WHERE id = ?", arguments: [id]) }
    }
}
