import Access
public import Chronology
internal import GRDB

extension AccessRepository {
    /// Counts an attempt to log in or to pair before it is checked, so that parallel attempts count and a crash loses
    /// none.
    ///
    /// - Parameters:
    ///   - client: the client's address.
    ///   - user: whose passphrase is tried; `nil` if the client names nobody who exists.
    /// - Returns: 0, or the seconds to wait; then nothing was counted and the attempt must not be checked.
    public func reserveAttempt(
        of client: String, as user: Int64? = nil, at now: UnixTime
    ) throws(StoreError) -> Int64 where Scope: WriteScope {
        try write { db in
            let oldest = now - max(Throttle.Rules.client.resetAfter, Throttle.Rules.allClients.resetAfter)
            try db.execute(sql: "DELETE FROM login_tries WHERE last_at <= ?", arguments: [oldest])
            var both: [(LoginAttempts.Key, Throttle)] = []
            var wait: Int64 = 0
            for (key, rules) in [
                (LoginAttempts.Key.client(client), Throttle.Rules.client), (.allClients(user), .allClients),
            ] {
                var throttle = try LoginAttempts.throttle(key, db)
                wait = max(wait, throttle.wait(at: now, rules))
                throttle.count(at: now, rules)
                both.append((key, throttle))
            }
            guard wait == 0 else { return wait }
            for (key, throttle) in both { try LoginAttempts.write(throttle, key, db) }
            return 0
        }
    }

    /// Resets the client's count after a successful attempt.
    public func attemptSucceeded(of client: String, as user: Int64? = nil) throws(StoreError)
    where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: "DELETE FROM login_tries WHERE client = ?", arguments: [LoginAttempts.Key.client(client).text])
            var all = try LoginAttempts.throttle(.allClients(user), db)
            all.uncount()
            try LoginAttempts.write(all, .allClients(user), db)
        }
    }
}

/// Rows of `login_tries`.
fileprivate enum LoginAttempts {
    enum Key {
        case client(String)
        /// The attempts of all clients on one user; on nobody for `nil`.
        case allClients(Int64?)

        /// Never the same for a client and for all, even for an empty address.
        var text: String {
            switch self {
            case .client(let address): "from " + address
            case .allClients(let user): user.map { "user \($0)" } ?? ""
            }
        }

        var user: Int64? { if case .allClients(let user) = self { user } else { nil } }
    }

    static func throttle(_ key: Key, _ db: Database) throws -> Throttle {
        try Row.fetchOne(db, sql: "SELECT tries, last_at FROM login_tries WHERE client = ?", arguments: [key.text]).map
        {
            Throttle(tries: $0["tries"], last: $0["last_at"])
        } ?? Throttle()
    }

    static func write(_ throttle: Throttle, _ key: Key, _ db: Database) throws {
        try db.execute(
            sql:
                "INSERT INTO login_tries (client, tries, last_at, user_id) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET tries = excluded.tries, last_at = excluded.last_at",
            arguments: [key.text, throttle.tries, throttle.last, key.user])
    }
}
