public import Chronology
internal import GRDB

/// An app on a phone that registered for push messages.
public struct PushDevice: Hashable, Sendable {
    public var id: String
    /// Apple's device token, hexadecimal.
    public var token: String
    /// True for a development build, which uses Apple's sandbox server.
    public var isSandbox: Bool
    /// Seconds since 1970-01-01 UTC of the last registration.
    public var updatedAt: UnixTime

    public init(id: String, token: String, isSandbox: Bool, updatedAt: UnixTime) {
        self.id = id
        self.token = token
        self.isSandbox = isSandbox
        self.updatedAt = updatedAt
    }
}

extension DeviceRepository {
    /// The phones that get pushes: not those of disabled users, and not those of users who see only a part of the
    /// ledger, because a push may be about the rest.
    public func activePushDevices() throws(StoreError) -> [PushDevice] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, device_token, environment, updated_at FROM devices d
                    WHERE is_active = 1 AND (user_id IS NULL OR user_id IN (SELECT id FROM users WHERE disabled_at IS NULL)
                      AND NOT EXISTS (SELECT 1 FROM user_accounts a WHERE a.owner_user_id IS NOT NULL AND a.owner_user_id <> d.user_id))
                    ORDER BY created_at, id
                    """
            ).map {
                PushDevice(
                    id: $0[0], token: $0[1],
                    isSandbox: ["sandbox", "development"].contains(($0[2] as String).lowercased()),
                    updatedAt: $0[3])
            }
        }
    }

    /// Deactivates a device that Apple rejects, unless it has registered again with another token or at a later time.
    public func deactivate(_ device: PushDevice) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try db.execute(
                sql:
                    "UPDATE devices SET is_active = 0, updated_at = ? WHERE id = ? AND device_token = ? AND updated_at <= ?",
                arguments: [time, device.id, device.token, device.updatedAt])
        }
    }
}
