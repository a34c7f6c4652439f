public import Chronology
import GRDB
import Glibc
public import Ledger

/// Data of health, metrics and `parserctl status`.
public struct MonitoringSnapshot: Sendable {
    public struct MailCount: Hashable, Sendable {
        /// Key of the bank; empty for mail of an unknown one.
        public var bank: String
        public var outcome: Outcome
        public var mails: Int

        public init(bank: String, outcome: Outcome, mails: Int) {
            self.bank = bank
            self.outcome = outcome
            self.mails = mails
        }
    }

    public var at: UnixTime
    public var status: StatusSummary
    public var drift: Drift
    /// By bank and outcome.
    public var mails: [MailCount]
    /// The sinks of notifications and their states.
    public var sinks: [SinkState]
    /// The continuity checks of the accounts in use.
    public var accounts: [AccountCheck]
    /// The activated templates whose files do not load.
    public var faultyTemplates: [TemplateActivation]
    /// The last check of the file, and the newest backup.
    public var check: CheckRecord
    public var backup: BackupState
    /// Size of the database file and its write-ahead log.
    public var databaseBytes: Int64
}

extension MonitoringRepository {
    /// Reads counts, not mails: takes milliseconds with a million mails.
    public func snapshot() throws(StoreError) -> MonitoringSnapshot {
        do {
            return try access.snapshot { access in
                let snapshot = Snapshot(access: access)
                return MonitoringSnapshot(
                    at: now(), status: try snapshot.monitoring.status(), drift: try snapshot.monitoring.drift(),
                    mails: try access.read(MonitoringSnapshot.MailCount.all), sinks: try snapshot.outbox.sinkStates(),
                    accounts: try snapshot.userAccounts.checks(),
                    faultyTemplates: try snapshot.templateActivations.active().filter { $0.fault != nil },
                    check: access.store.lastCheck,
                    backup: access.store.backupState,
                    databaseBytes: Self.size(path) + Self.size(path + "-wal"))
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}

extension MonitoringSnapshot.MailCount {
    fileprivate static func all(_ db: Database) throws -> [Self] {
        try Row.fetchAll(
            db,
            sql: "SELECT profile, status, sum(mails) FROM mail_counts GROUP BY 1, 2 HAVING sum(mails) > 0 ORDER BY 1, 2"
        ).map { Self(bank: $0[0], outcome: Outcome(rawValue: $0[1]) ?? .failed, mails: $0[2]) }
    }
}
