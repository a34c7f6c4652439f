public import Chronology
internal import GRDB

/// A public key that logs in beside the passphrase.
public struct Passkey: Hashable, Sendable {
    public var id: Int64
    /// The credential ID in base64url.
    public var credential: String
    /// The host name that it is for.
    public var relyingParty: String
    /// Who logs in with it.
    public var user: Int64
    /// Random, in base64url, and the same for all passkeys of a user.
    public var userHandle: String
    /// A COSE_Key, in base64url.
    public var publicKey: String
    public var name: String
    public var signCount: UInt32
    public var created: UnixTime
    public var lastUsed: UnixTime?

    /// A new passkey. The ledger chooses its number.
    public init(
        credential: String, relyingParty: String, user: Int64, userHandle: String, publicKey: String, name: String,
        signCount: UInt32
    ) {
        id = 0
        self.credential = credential
        self.relyingParty = relyingParty
        self.user = user
        self.userHandle = userHandle
        self.publicKey = publicKey
        self.name = name
        self.signCount = signCount
        created = .epoch
    }

    /// Limit: every login page names them to the browser of the person who is registering another.
    public static let maximum = 50

    fileprivate init(_ row: Row) {
        self.init(
            credential: row["credential"], relyingParty: row["relying_party"], user: row["user_id"],
            userHandle: row["user_handle"],
            publicKey: row["public_key"], name: row["name"], signCount: row["sign_count"])
        id = row["id"]
        created = row["created_at"]
        lastUsed = row["last_used_at"]
    }
}

extension AccessRepository {
    /// All passkeys, oldest first.
    ///
    /// - Parameter user: only those of this user; `nil` for all.
    public func passkeys(of user: Int64? = nil) throws(StoreError) -> [Passkey] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM passkeys WHERE ?1 IS NULL OR user_id = ?1 ORDER BY id", arguments: [user]
            ).map(Passkey.init)
        }
    }

    public func passkey(credential: String) throws(StoreError) -> Passkey? {
        try read {
            try Row.fetchOne($0, sql: "SELECT * FROM passkeys WHERE credential = ?", arguments: [credential]).map(
                Passkey.init)
        }
    }

    /// - Parameter secret: the hash that the passphrase was checked against before.
    /// - Throws: `conflict` if the passphrase has changed since, if the credential is known, or at the limit.
    public func add(_ passkey: Passkey, under secret: String, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        try write { db in
            guard try Self.secret(of: passkey.user, db) == secret else {
                throw StoreError.conflict("the passphrase was changed meanwhile")
            }
            guard
                try Int.fetchOne(db, sql: "SELECT count(*) FROM passkeys WHERE user_id = ?", arguments: [passkey.user])
                    ?? 0
                    < Passkey.maximum
            else {
                throw StoreError.conflict("there are \(Passkey.maximum) passkeys: remove one first")
            }
            try db.execute(
                sql: """
                    INSERT INTO passkeys (credential, relying_party, user_handle, public_key, name, sign_count, created_at, user_id)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """,
                arguments: [
                    passkey.credential, passkey.relyingParty, passkey.userHandle, passkey.publicKey, passkey.name,
                    passkey.signCount, now, passkey.user,
                ])
            guard db.changesCount == 1 else { throw StoreError.conflict("this passkey is known already") }
        }
    }

    /// - Returns: the removed passkey; `nil` if the user has none with that number.
    public func removePasskey(_ id: Int64, of user: Int64) throws(StoreError) -> Passkey? where Scope: WriteScope {
        try write { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM passkeys WHERE id = ? AND user_id = ?", arguments: [id, user])
            try db.execute(sql: "DELETE FROM passkeys WHERE id = ? AND user_id = ?", arguments: [id, user])
            return row.map(Passkey.init)
        }
    }

    /// Begins a session, deletes expired ones, and stores the use of the passkey.
    ///
    /// - Parameters:
    ///   - passkey: as it was read before its signature was checked.
    ///   - signCount: the counter that the authenticator signed; it must grow, unless the authenticator does not count
    ///     (Web Authentication Level 2, section 7.2).
    /// - Returns: false if the counter does not grow, or if the passkey was removed meanwhile; then nothing is stored.
    public func begin(
        _ session: LoginSession, with passkey: Passkey, signCount: UInt32, longest: Int64
    ) throws(StoreError) -> Bool where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE passkeys SET sign_count = ?1, last_used_at = ?2
                    WHERE id = ?3 AND credential = ?4 AND (sign_count < ?1 OR sign_count = 0 AND ?1 = 0)
                      AND user_id = ?5 AND user_id IN (SELECT id FROM users WHERE disabled_at IS NULL)
                    """,
                arguments: [signCount, session.started, passkey.id, passkey.credential, session.user])
            guard db.changesCount == 1 else { return false }
            try session.insert(db, longest: longest)
            return true
        }
    }
}
