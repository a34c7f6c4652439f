public import Chronology
internal import GRDB

/// A stored bearer token. Instants in seconds since 1970-01-01 UTC.
public struct AccessToken: Hashable, Sendable {
    public enum Kind: String, Sendable { case token, device }

    /// Public part of the token.
    public var id: String
    /// Unique among the tokens that are not revoked.
    public var name: String
    public var kind: Kind = .token
    /// Whose token it is: it can do no more than the user.
    public var user: Int64
    /// SHA-256 of the token, in hexadecimal.
    public var digest: String
    /// Comma-separated names.
    public var scopes: String
    public var created: UnixTime
    public var expires: UnixTime?
    public var lastUsed: UnixTime?
    public var revoked: UnixTime?

    public init(id: String, name: String, user: Int64, digest: String, scopes: String, created: UnixTime) {
        self.id = id
        self.name = name
        self.user = user
        self.digest = digest
        self.scopes = scopes
        self.created = created
    }

    /// - Parameter fill: sets further values.
    public init(
        id: String, name: String, user: Int64, digest: String, scopes: String, created: UnixTime,
        fill: (inout AccessToken) throws -> Void
    ) rethrows {
        self.init(id: id, name: name, user: user, digest: digest, scopes: scopes, created: created)
        try fill(&self)
    }

    public func isExpired(at now: UnixTime) -> Bool { expires.map { $0 <= now } ?? false }

    /// True if it is neither revoked nor expired.
    public func isValid(at now: UnixTime) -> Bool { revoked == nil && !isExpired(at: now) }
}

extension AccessRepository {
    /// - Throws: `conflict` if a valid token has that name.
    public func add(_ token: AccessToken) throws(StoreError) where Scope: WriteScope {
        try write { try token.insert($0) }
    }

    /// Finds the token with that public part, even if it is revoked or expired.
    public func token(id: String) throws(StoreError) -> AccessToken? {
        try read { db in
            try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM access_tokens WHERE id = ?"), arguments: [id]).map(
                AccessToken.init)
        }
    }

    /// All tokens, oldest first.
    public func tokens() throws(StoreError) -> [AccessToken] {
        try read {
            try Row.fetchAll($0, sql: "SELECT * FROM access_tokens ORDER BY created_at, name").map(AccessToken.init)
        }
    }

    /// - Parameters:
    ///   - named: a name or an id.
    ///   - user: only a token of this user; `nil` for any.
    /// - Throws: `notFound`.
    public func revokeToken(
        named name: String, of user: Int64? = nil, at now: UnixTime
    ) throws(StoreError) -> AccessToken where Scope: WriteScope {
        try write { db in
            let row = try Row.fetchOne(
                db,
                sql:
                    "UPDATE access_tokens SET revoked_at = ?1 WHERE revoked_at IS NULL AND (name = ?2 OR id = ?2) AND (?3 IS NULL OR user_id = ?3) RETURNING *",
                arguments: [now, name, user])
            guard let row else {
                throw StoreError.notFound("good token named '\(name)'; 'parserctl token list' shows all")
            }
            return AccessToken(row)
        }
    }

    /// Records the last use of tokens and sessions, in one transaction with the rows of the audit log.
    public func recordUse(
        usesOfTokens tokens: [String: UnixTime], seenSessions sessions: [String: UnixTime], _ events: [AuditEvent]
    ) throws(StoreError) where Scope: WriteScope {
        try write { db in
            for (id, instant) in tokens {
                try db.cachedStatement(
                    sql: "UPDATE access_tokens SET last_used_at = max(coalesce(last_used_at, ''), ?) WHERE id = ?"
                ).execute(arguments: [instant, id])
            }
            for (id, instant) in sessions {
                try db.cachedStatement(
                    sql: "UPDATE login_sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?"
                ).execute(arguments: [instant, id])
            }
            for event in events { try event.insert(db) }
        }
    }
}

extension AccessToken {
    init(_ row: Row) {
        self.init(
            id: row["id"], name: row["name"], user: row["user_id"], digest: row["digest"], scopes: row["scopes"],
            created: row["created_at"])
        kind = Kind(rawValue: row["kind"]) ?? .token
        expires = row["expires_at"] as UnixTime?
        lastUsed = row["last_used_at"] as UnixTime?
        revoked = row["revoked_at"] as UnixTime?
    }

    /// - Throws: kind `conflict` if a valid token has that name.
    func insert(_ db: Database) throws {
        guard
            try Int.fetchOne(
                db, sql: "SELECT 1 FROM access_tokens WHERE name = ? AND revoked_at IS NULL", arguments: [name])
                == nil
        else {
            throw StoreError.conflict(
                "there is a token named '\(name)' already: choose another name, or revoke that one first"
            )
        }
        try db.execute(
            sql:
                "INSERT INTO access_tokens (id, name, kind, digest, scopes, created_at, expires_at, user_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, name, kind.rawValue, digest, scopes, created,
                expires, user,
            ])
    }
}
