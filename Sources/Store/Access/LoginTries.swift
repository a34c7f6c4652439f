public import Access
internal import GRDB

extension Store {
    /// Counts a try to log in or to pair, before it is checked: so many at once are counted, too, and a crash forgets none.
    ///
    /// - Parameter client: its address.
    /// - Returns: 0, or the seconds to wait; then nothing was counted and the try must not be checked.
    public func reserveTry(of client: String, at now: Int64) throws(StoreError) -> Int64 {
        try write { db in
            let oldest = Instant.text(now - max(Throttle.Rules.client.forgets, Throttle.Rules.everybody.forgets))
            try db.execute(sql: "DELETE FROM login_tries WHERE last_at <= ?", arguments: [oldest])
            var both: [(String, Throttle)] = []
            var wait: Int64 = 0
            for (key, rules) in [(Self.key(client), Throttle.Rules.client), (Self.everybody, .everybody)] {
                var throttle = try Self.throttle(key, db)
                wait = max(wait, throttle.wait(at: now, rules))
                throttle.count(at: now, rules)
                both.append((key, throttle))
            }
            guard wait == 0 else { return wait }
            for (key, throttle) in both { try Self.put(throttle, key, db) }
            return 0
        }
    }

    /// The try that was counted turned out right: the client begins anew.
    public func tryWasRight(of client: String) throws(StoreError) {
        try write { db in
            try db.execute(sql: "DELETE FROM login_tries WHERE client = ?", arguments: [Self.key(client)])
            var all = try Self.throttle(Self.everybody, db)
            all.takeBack()
            try Self.put(all, Self.everybody, db)
        }
    }

    private static let everybody = ""
    /// Whatever the address is, even none, it is not everybody.
    private static func key(_ client: String) -> String { "from " + client }

    private static func throttle(_ key: String, _ db: Database) throws -> Throttle {
        try Row.fetchOne(db, sql: "SELECT tries, last_at FROM login_tries WHERE client = ?", arguments: [key]).map {
            Throttle(tries: $0["tries"], last: Instant.seconds($0["last_at"]) ?? 0)
        } ?? Throttle()
    }

    private static func put(_ throttle: Throttle, _ key: String, _ db: Database) throws {
        try db.execute(
            sql:
                "INSERT INTO login_tries (client, tries, last_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET tries = excluded.tries, last_at = excluded.last_at",
            arguments: [key, throttle.tries, Instant.text(throttle.last)])
    }
}
