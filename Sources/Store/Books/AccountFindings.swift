public import Chronology
internal import GRDB
import Ledger

/// The state of the continuity check of one account, as it was recorded last.
public struct AccountCheck: Hashable, Sendable {
    public var account: Int64
    public var name: String
    /// The number of unexplained windows.
    public var findings: Int
    /// The number of compared windows.
    public var windows: Int
    public var isDrifting: Bool
    /// The check that first had this result.
    public var checkedAt: UnixTime
}

extension UserAccountRepository {
    /// Number of past days that the continuity check covers.
    public static var checkedDays: Int { 400 }

    /// Seconds between a finding and its notification: mail that arrives late or out of order closes most of them.
    static var findingGrace: Int64 { 3600 }

    /// Checks the printed balances of every account in use and records the findings. Each is new once, also across
    /// restarts; one that later mail explains disappears.
    ///
    /// - Returns: the accounts whose number of findings changed.
    @discardableResult
    public func recordFindings() throws(StoreError) -> [AccountCheck] where Scope: WriteScope {
        let time = now()
        let since = CalendarDate(daysSince1970: today.daysSince1970 - Self.checkedDays)
        // Reads outside of the write transaction: no recording waits for it.
        var checks: [(account: UserAccountRow, check: ContinuityCheck)] = []
        for account in try all() where account.isActive {
            checks.append((account, try continuity(account.id, since: since)))
        }
        let announcing = notificationPolicy
        let result: (changed: [AccountCheck], notified: Int) = try write { db in
            var changed: [AccountCheck] = []
            var writer = try announcing.map { try NotificationWriter(db, $0, now: time) }
            for (account, check) in checks {
                let record = FindingRecord(db: db, account: account, time: time)
                if try record.replace(check) {
                    changed.append(
                        AccountCheck(
                            account: account.id, name: account.name, findings: check.findings.count,
                            windows: check.windows, isDrifting: check.isDrifting, checkedAt: time))
                }
                if let announcing, writer != nil { try record.notify(check, maxAge: announcing.maxAge, &writer) }
            }
            return (changed, writer?.count ?? 0)
        }
        if result.notified > 0 { access.afterCommit { announcing?.changed() } }
        return result.changed
    }

    /// The recorded checks, by account.
    public func checks() throws(StoreError) -> [AccountCheck] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT a.id, a.name, (SELECT count(*) FROM account_findings f WHERE f.user_account_id = a.id), c.windows, c.is_drifting, c.checked_at
                        FROM account_checks c JOIN user_accounts a ON a.id = c.user_account_id WHERE a.is_active AND a.merged_into IS NULL ORDER BY a.id
                        """)
            ).map {
                AccountCheck(
                    account: $0[0], name: $0[1], findings: $0[2], windows: $0[3], isDrifting: $0[4], checkedAt: $0[5])
            }
        }
    }
}

/// The recorded findings of one account.
fileprivate struct FindingRecord {
    let db: Database
    let account: UserAccountRow
    let time: UnixTime

    /// - Returns: true if the number of findings changed.
    func replace(_ check: ContinuityCheck) throws -> Bool {
        let before = try Row.fetchAll(
            db, sql: "SELECT from_id, to_id FROM account_findings WHERE user_account_id = ?", arguments: [account.id])
        let held = Set(check.findings.map { [$0.from, $0.to] })
        for row in before where !held.contains([row[0], row[1]]) {
            try db.execute(
                sql: "DELETE FROM main.account_findings WHERE user_account_id = ? AND from_id = ? AND to_id = ?",
                arguments: [account.id, row[0] as Int64, row[1] as Int64])
        }
        for finding in check.findings {
            try db.execute(
                sql: """
                    INSERT INTO main.account_findings (user_account_id, from_id, to_id, gap_minor, found_at) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET gap_minor = excluded.gap_minor WHERE gap_minor <> excluded.gap_minor
                    """, arguments: [account.id, finding.from, finding.to, finding.gap, time])
        }
        try db.execute(
            sql: """
                INSERT INTO main.account_checks VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET windows = excluded.windows, is_drifting = excluded.is_drifting, checked_at = excluded.checked_at
                  WHERE (windows, is_drifting) IS NOT (excluded.windows, excluded.is_drifting)
                """, arguments: [account.id, check.windows, check.isDrifting, time])
        return before.count != check.findings.count
    }

    /// Writes one event for the findings that are new and recent, and one when the last reported one is explained.
    func notify(_ check: ContinuityCheck, maxAge: Int64, _ writer: inout NotificationWriter?) throws {
        let ready = try Row.fetchAll(
            db,
            sql: """
                SELECT from_id, to_id FROM account_findings WHERE user_account_id = ? AND told_at IS NULL AND found_at <= ?
                """, arguments: [account.id, time - UserAccountRepository<Store>.findingGrace])
        let keys = Set(ready.map { [$0[0] as Int64, $0[1]] })
        let fresh = check.findings.filter { keys.contains([$0.from, $0.to]) && $0.end >= time - maxAge }
        // Findings in older mail are not news, as the mail itself is not.
        try db.execute(
            sql: """
                UPDATE main.account_findings SET told_at = ?1 WHERE user_account_id = ?2 AND told_at IS NULL AND found_at <= ?3
                """, arguments: [time, account.id, time - UserAccountRepository<Store>.findingGrace])
        guard !fresh.isEmpty else { return }
        try writer?.write(
            .balance, subject: account.name,
            details: ContinuityFinding.sentence(count: fresh.count, account: account.name))
    }
}
