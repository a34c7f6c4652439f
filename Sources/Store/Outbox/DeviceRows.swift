public import Chronology
internal import GRDB
import Ledger

/// A phone that receives pushes: a row of `devices`.
public struct DeviceRow: Hashable, Sendable {
    public var id: String
    /// Token that identifies the app on this phone to the push service.
    public var token: String
    /// `production` or `sandbox`.
    public var environment: String
    public var name: String?
    public var osVersion: String?
    public var isActive: Bool
    public var createdAt: UnixTime
    public var updatedAt: UnixTime
}

extension DeviceRepository {
    /// All devices in the order of registration.
    public func all(active: Bool? = nil) throws(StoreError) -> [DeviceRow] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM devices WHERE ?1 IS NULL OR is_active = ?1 ORDER BY created_at, id",
                arguments: [active]
            ).map(DeviceRow.init)
        }
    }

    /// Registers a device. A known token updates that device and activates it.
    ///
    /// - Parameter user: who registers it; the device gets no pushes while that user is disabled.
    /// - Returns: the device, and true if it is new.
    @discardableResult
    public func register(
        token: String, environment: String = "production", name: String? = nil, osVersion: String? = nil,
        user: Int64? = nil
    ) throws(StoreError) -> (row: DeviceRow, isNew: Bool) where Scope: WriteScope {
        let time = now()
        var check = FieldCheck()
        check.text("device_token", token, atMost: TextLimit.token)
        if !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }) {
            check.refuse("device_token", "must be visible ASCII characters without a slash")
        }
        if !DeviceRow.environments.contains(environment) {
            check.refuse("environment", "must be production or sandbox")
        }
        check.text("device_name", name, atMost: TextLimit.name)
        check.text("os_version", osVersion, atMost: TextLimit.name)
        guard check.problems.isEmpty else { throw invalid(check.problems) }
        return try write { db in
            let isNew =
                try Row.fetchOne(db, sql: "SELECT 1 FROM devices WHERE device_token = ?", arguments: [token]) == nil
            try db.execute(
                sql: """
                    INSERT INTO devices (id, device_token, environment, device_name, os_version, is_active, created_at, updated_at, user_id) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)
                    ON CONFLICT (device_token) DO UPDATE SET environment = excluded.environment, device_name = excluded.device_name,
                      os_version = excluded.os_version, is_active = 1, updated_at = excluded.updated_at, user_id = excluded.user_id
                    """, arguments: [MailID.make(), token, environment, name, osVersion, time, time, user])
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM devices") ?? 0 <= DeviceRow.maximum else {
                throw StoreError.conflict("there are \(DeviceRow.maximum) devices already: delete one first")
            }
            guard
                let row = try Row.fetchOne(db, sql: "SELECT * FROM devices WHERE device_token = ?", arguments: [token])
            else { throw StoreError.notFound("device") }
            return (DeviceRow(row), isNew)
        }
    }

    /// Deactivates a token that the push service no longer knows.
    public func deactivate(token: String) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            try db.execute(
                sql: "UPDATE devices SET is_active = 0, updated_at = ? WHERE device_token = ?",
                arguments: [time, token])
        }
    }

    /// - Returns: true if there was one.
    @discardableResult
    public func delete(token: String) throws(StoreError) -> Bool where Scope: WriteScope {
        try write { db in
            try db.execute(sql: "DELETE FROM devices WHERE device_token = ?", arguments: [token])
            return db.changesCount > 0
        }
    }
}

extension DeviceRow {
    public static let environments = ["production", "sandbox"]
    public static let maximum = 100

    init(_ row: Row) {
        self.init(
            id: row["id"], token: row["device_token"], environment: row["environment"], name: row["device_name"],
            osVersion: row["os_version"],
            isActive: row["is_active"], createdAt: row["created_at"], updatedAt: row["updated_at"])
    }
}
