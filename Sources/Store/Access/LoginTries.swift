import Access
public import Chronology
internal import GRDB

extension AccessRepository {
    /// Counts an attempt to log in or to pair before it is checked, so that parallel attempts count and a crash loses
    /// none.
    ///
    /// - Parameter client: the client's address.
    /// - Returns: 0, or the seconds to wait; then nothing was counted and the attempt must not be checked.
    public func reserveAttempt(of client: String, at now: UnixTime) throws(StoreError) -> Int64
    where Scope: WriteScope {
        try write { db in
            let oldest = now - max(Throttle.Rules.client.resetAfter, Throttle.Rules.allClients.resetAfter)
            try db.execute(sql: "DELETE FROM login_tries WHERE last_at <= ?", arguments: [oldest])
            var both: [(String, Throttle)] = []
            var wait: Int64 = 0
            for (key, rules) in [
                (LoginAttempts.key(client), Throttle.Rules.client), (LoginAttempts.allClients, .allClients),
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
    public func attemptSucceeded(of client: String) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(sql: "DELETE FROM login_tries WHERE client = ?", arguments: [LoginAttempts.key(client)])
            var all = try LoginAttempts.throttle(LoginAttempts.allClients, db)
            all.uncount()
            try LoginAttempts.write(all, LoginAttempts.allClients, db)
        }
    }
}

/// Rows of `login_tries`.
fileprivate enum LoginAttempts {
    static let allClients = ""
    /// Never the key of all clients, even for an empty address.
    static func key(_ client: String) -> String { "from " + client }

    static func throttle(_ key: String, _ db: Database) throws -> Throttle {
        try Row.fetchOne(db, sql: "SELECT tries, last_at FROM login_tries WHERE client = ?", arguments: [key]).map {
            Throttle(tries: $0["tries"], last: $0["last_at"])
        } ?? Throttle()
    }

    static func write(_ throttle: Throttle, _ key: String, _ db: Database) throws {
        try db.execute(
            sql:
                "INSERT INTO login_tries (client, tries, last_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET tries = excluded.tries, last_at = excluded.last_at",
            arguments: [key, throttle.tries, throttle.last])
    }
}
