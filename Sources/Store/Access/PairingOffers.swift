public import Access
public import Chronology
internal import GRDB

/// An offer to a device: the first client that sends its code in time gets a token.
public struct PairingOffer: Hashable, Sendable {
    public enum State: String, Sendable { case waiting, redeemed, expired, exhausted }

    public var id: Int64
    /// Name of the device's token.
    public var name: String
    public var state: State
    public var triesLeft: Int
    /// Seconds since 1970-01-01 UTC.
    public var expires: UnixTime
}

extension AccessRepository {
    /// - Parameter user: whom the device's token belongs to.
    /// - Returns: the number of the offer.
    public func offerPairing(
        _ code: PairingCode, name: String, scopes: Scopes, user: Int64, at now: UnixTime
    ) throws(StoreError) -> Int64 where Scope: WriteScope {
        try write { db in
            // Expired offers are useless.
            try db.execute(
                sql: "DELETE FROM pairing_offers WHERE expires_at < ?", arguments: [now - 86_400])
            let salt = PairingCode.randomSalt()
            try db.execute(
                sql:
                    "INSERT INTO pairing_offers (name, scopes, salt, digest, offered_at, expires_at, tries_left, user_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    name, scopes.description, salt, code.digest(salt: salt), now,
                    now + PairingCode.lifetime, PairingCode.tries, user,
                ])
            return db.lastInsertedRowID
        }
    }

    public func pairingOffer(_ id: Int64, at now: UnixTime) throws(StoreError) -> PairingOffer {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM pairing_offers WHERE id = ?", arguments: [id])
            else { throw StoreError.notFound("pairing offer \(id)") }
            let expires: UnixTime = row["expires_at"]
            let triesLeft: Int = row["tries_left"]
            let state: PairingOffer.State =
                row["redeemed_at"] as String? != nil
                ? .redeemed : triesLeft <= 0 ? .exhausted : expires <= now ? .expired : .waiting
            return PairingOffer(id: id, name: row["name"], state: state, triesLeft: triesLeft, expires: expires)
        }
    }

    public func withdrawPairing(_ id: Int64) throws(StoreError) where Scope: WriteScope {
        try write {
            try $0.execute(sql: "DELETE FROM pairing_offers WHERE id = ? AND redeemed_at IS NULL", arguments: [id])
        }
    }

    /// Redeems an offer: deletes the code and creates the token in one transaction. A wrong code costs every open offer
    /// one attempt.
    ///
    /// - Parameter token: for the device; its name and scopes are replaced by those of the offer.
    /// - Returns: the stored token; `nil` if no open offer has this code.
    public func redeemPairing(
        _ code: PairingCode, _ token: Credential, at now: UnixTime
    ) throws(StoreError) -> AccessToken? where Scope: WriteScope {
        try write { db in
            let open = try Row.fetchAll(
                db,
                sql:
                    "SELECT * FROM pairing_offers WHERE redeemed_at IS NULL AND tries_left > 0 AND expires_at > ? ORDER BY id",
                arguments: [now])
            // Constant time: every offer is compared.
            let right = open.filter { code.matches(digest: $0["digest"], salt: $0["salt"]) }
            guard let offer = right.first else {
                try db.execute(
                    sql:
                        "UPDATE pairing_offers SET tries_left = tries_left - 1 WHERE redeemed_at IS NULL AND tries_left > 0 AND expires_at > ?",
                    arguments: [now])
                return nil
            }
            let made = AccessToken(
                id: token.id, name: try Self.freeName(offer["name"], db), user: offer["user_id"],
                digest: token.digest, scopes: offer["scopes"], created: now
            ) {
                $0.kind = .device
            }
            try made.insert(db)
            try db.execute(
                sql: "UPDATE pairing_offers SET redeemed_at = ?, token_id = ? WHERE id = ?",
                arguments: [now, token.id, offer["id"] as Int64])
            return made
        }
    }

    /// A free name for a token: a device that is paired again gets a number after its name.
    private static func freeName(_ name: String, _ db: Database) throws -> String {
        let taken = try Set(String.fetchAll(db, sql: "SELECT name FROM access_tokens WHERE revoked_at IS NULL"))
        return ([name] + (2...(taken.count + 2)).map { "\(name) \($0)" }).first { !taken.contains($0) } ?? name
    }
}
