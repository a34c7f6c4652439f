public import Chronology
import Codecs
internal import GRDB
internal import Ledger
import Synchronization

/// The newest backup of a ledger that was proved after it was written, in `LEDGER.backup`.
public struct BackupRecord: Hashable, Sendable {
    public let madeAt: UnixTime
    public let file: String

    public init(madeAt: UnixTime, file: String) {
        self.madeAt = madeAt
        self.file = file
    }

    /// - Parameter ledger: path of the database file.
    public init?(of ledger: String) {
        guard let content = SideFile(ledger, suffix: "backup").read(),
            let madeAt = content["made_at"]?.textValue.flatMap({ UnixTime(iso: $0) })
        else { return nil }
        self.init(madeAt: madeAt, file: content["file"]?.textValue ?? "")
    }

    public func write(of ledger: String) throws(StoreError) {
        try SideFile(ledger, suffix: "backup").write(
            .object([("made_at", JSON(describing: madeAt)), ("file", .string(file))]))
    }
}

/// The newest backup compared with the configuration.
public struct BackupState: Hashable, Sendable {
    public let newest: BackupRecord?
    /// Days after which a backup is outdated; 0 if its age does not matter.
    public let days: Int
    /// True if the newest backup is older than ``days``, or there is none although the configuration asks for one.
    public let isOutdated: Bool

    /// Days without a configuration: the timer makes a backup every day, and a machine may be off for some.
    public static let usualDays = 7

    /// - Parameter configured: `backup_due` of the configuration. Without it, a ledger that was never backed up is not
    ///   reported.
    init(_ newest: BackupRecord?, configured: Int?, at now: UnixTime) {
        self.newest = newest
        days = configured ?? Self.usualDays
        guard days > 0 else {
            isOutdated = false
            return
        }
        let limit = Int64(days) * 86_400
        isOutdated = newest.map { now - $0.madeAt > limit } ?? (configured != nil)
    }

    /// - Parameter ledger: path of the database file.
    public init(of ledger: String, configured: Int?) {
        self.init(BackupRecord(of: ledger), configured: configured, at: .now)
    }
}

extension Store {
    /// Sets the days after which a backup is outdated: `backup_due` of the configuration.
    public func expectBackups(within days: Int?) { backupDays.withLock { $0 = days } }

    public var backupState: BackupState {
        BackupState(BackupRecord(of: path), configured: backupDays.withLock { $0 }, at: now())
    }

    /// Writes the notification of an outdated backup, once for each newest backup.
    ///
    /// - Parameter details: the text of the notification.
    /// - Returns: the state if the notification was written now.
    public func remindOfBackup(details: (BackupState) -> String) throws(StoreError) -> BackupState? {
        let state = backupState
        guard state.isOutdated else { return nil }
        var record = lastCheck
        let subject = state.newest?.madeAt ?? UnixTime(seconds: 0)
        guard record.remindedOf != subject else { return nil }
        if let policy = notificationPolicy {
            let time = now()
            let count = try writeDatabase { db in
                var writer = try NotificationWriter(db, policy, now: time)
                try writer.write(.database, subject: "backup", details: details(state))
                return writer.count
            }
            if count > 0 { policy.changed() }
        }
        record.remindedOf = subject
        try record.write(of: path)
        return state
    }
}
