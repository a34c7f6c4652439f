internal import GRDB

extension Store {
    /// A bearer token, as far as it is kept. Instants in seconds since 1970-01-01 UTC.
    public struct AccessToken: Hashable, Sendable {
        public enum Kind: String, Sendable { case token, device }

        /// The token's public part.
        public var id: String
        /// Of tokens that are not revoked, unique.
        public var name: String
        public var kind: Kind
        /// SHA-256 of the token, in hexadecimal.
        public var digest: String
        /// Names with commas.
        public var scopes: String
        public var created: Int64
        public var expires: Int64?
        public var lastUsed: Int64?
        public var revoked: Int64?

        public init(
            id: String, name: String, kind: Kind = .token, digest: String, scopes: String, created: Int64,
            expires: Int64? = nil
        ) {
            self.id = id
            self.name = name
            self.kind = kind
            self.digest = digest
            self.scopes = scopes
            self.created = created
            self.expires = expires
        }

        public func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }
    }

    /// - Throws: kind `conflict` where a good token has that name.
    public func add(_ token: AccessToken) throws(StoreError) { try write { try Self.insert(token, $0, path) } }

    static func insert(_ token: AccessToken, _ db: Database, _ path: String) throws {
        guard
            try Int.fetchOne(
                db, sql: "SELECT 1 FROM access_tokens WHERE name = ? AND revoked_at IS NULL", arguments: [token.name])
                == nil
        else {
            throw StoreError(
                kind: .conflict, path: path,
                message: "there is a token named '\(token.name)' already: choose another name, or revoke that one first"
            )
        }
        try db.execute(
            sql:
                "INSERT INTO access_tokens (id, name, kind, digest, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                token.id, token.name, token.kind.rawValue, token.digest, token.scopes, Instant.text(token.created),
                token.expires.map(Instant.text),
            ])
    }

    /// The token of that public part, revoked and expired ones too.
    public func accessToken(id: String) throws(StoreError) -> AccessToken? {
        try read { db in
            try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM access_tokens WHERE id = ?"), arguments: [id]).map(
                Self.accessToken)
        }
    }

    /// Oldest first.
    public func accessTokens() throws(StoreError) -> [AccessToken] {
        try read {
            try Row.fetchAll($0, sql: "SELECT * FROM access_tokens ORDER BY created_at, name").map(Self.accessToken)
        }
    }

    /// - Parameter named: a name, or an id.
    /// - Throws: `notFound`.
    public func revokeToken(named name: String, at now: Int64) throws(StoreError) -> AccessToken {
        try write { db in
            let row = try Row.fetchOne(
                db,
                sql:
                    "UPDATE access_tokens SET revoked_at = ? WHERE revoked_at IS NULL AND (name = ? OR id = ?) RETURNING *",
                arguments: [Instant.text(now), name, name])
            guard let row else { throw notFound("good token named '\(name)'; 'parserctl token list' shows all") }
            return Self.accessToken(row)
        }
    }

    /// Notes when tokens were last used and sessions last seen, in one transaction with the rows of the audit log.
    public func note(
        usesOfTokens tokens: [String: Int64], seenSessions sessions: [String: Int64], _ events: [AuditEvent]
    ) throws(StoreError) {
        try write { db in
            for (id, instant) in tokens {
                try db.cachedStatement(
                    sql: "UPDATE access_tokens SET last_used_at = max(coalesce(last_used_at, ''), ?) WHERE id = ?"
                ).execute(arguments: [Instant.text(instant), id])
            }
            for (id, instant) in sessions {
                try db.cachedStatement(
                    sql: "UPDATE login_sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?"
                ).execute(arguments: [Instant.text(instant), id])
            }
            for event in events { try Self.insert(event, db) }
        }
    }

    private static func accessToken(_ row: Row) -> AccessToken {
        var token = AccessToken(
            id: row["id"], name: row["name"], kind: AccessToken.Kind(rawValue: row["kind"]) ?? .token,
            digest: row["digest"], scopes: row["scopes"],
            created: Instant.seconds(row["created_at"]) ?? 0,
            expires: (row["expires_at"] as String?).flatMap(Instant.seconds))
        token.lastUsed = (row["last_used_at"] as String?).flatMap(Instant.seconds)
        token.revoked = (row["revoked_at"] as String?).flatMap(Instant.seconds)
        return token
    }
}
