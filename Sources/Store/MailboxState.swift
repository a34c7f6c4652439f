internal import GRDB

/// How a mailbox of the configuration is doing, as the daemon last said.
public struct MailboxState: Hashable, Sendable {
    public var mailbox: String
    /// One word, such as `idle`, `syncing`, `waiting` or `refused`.
    public var state: String
    /// Why, and how to mend it; without secrets and mail text.
    public var reason: String?
    /// ISO 8601 UTC: since when it is in this state.
    public var changedAt: String
    /// ISO 8601 UTC: when the server last answered.
    public var lastProbeAt: String?
}

extension Store {
    /// - Parameter probedAt: seconds since 1970-01-01 UTC; `nil` leaves the last one.
    public func setMailboxState(_ mailbox: String, state: String, reason: String? = nil, probedAt: Int64? = nil) throws(StoreError) {
        let time = Instant.text(now())
        try write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO mailbox_states (mailbox, state, reason, changed_at, last_probe_at) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET changed_at = iif(state = excluded.state, changed_at, excluded.changed_at),
                      state = excluded.state, reason = excluded.reason, last_probe_at = coalesce(excluded.last_probe_at, last_probe_at)
                    """
            ).execute(arguments: [mailbox, state, reason, time, probedAt.map(Instant.text)])
        }
    }

    /// By name.
    public func mailboxStates() throws(StoreError) -> [MailboxState] { try read(Self.mailboxStates) }

    static func mailboxStates(_ db: Database) throws -> [MailboxState] {
        try Row.fetchAll(db, sql: "SELECT mailbox, state, reason, changed_at, last_probe_at FROM mailbox_states ORDER BY mailbox").map {
            MailboxState(mailbox: $0[0], state: $0[1], reason: $0[2], changedAt: $0[3], lastProbeAt: $0[4])
        }
    }
}
