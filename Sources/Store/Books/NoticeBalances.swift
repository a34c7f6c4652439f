import Chronology
internal import GRDB
public import Ledger

/// The balances and limits that notices of an account print, as observations beside those of alerts.
///
/// The instant of a notice depends on what it prints. With a time, it is that instant. With only a day, it is the
/// instant of the mail if that was sent on the day, otherwise the end of the day.
enum NoticeBalances {
    /// The account of the user that a row `n` of `notices` is about: that of the printed digits, or else the only one
    /// of the bank with the same last four. Banks print four digits in one mail and six in another.
    static let account = """
        (SELECT coalesce(max(iif(u.account_digits = n.account_digits, u.user_account_id, NULL)),
            iif(count(DISTINCT u.user_account_id) = 1, max(u.user_account_id), NULL))
          FROM user_account_numbers u
          WHERE u.profile = n.profile AND substr(u.account_digits, -4) = substr(n.account_digits, -4))
        """

    /// The account whose dues a row `n` is about: as above, and of a bill that prints no digits, the bank's only card.
    static let dueAccount = """
        coalesce(\(account), (SELECT iif(count(DISTINCT c.id) = 1, max(c.id), NULL)
          FROM user_accounts c JOIN user_account_numbers u ON u.user_account_id = c.id
          WHERE n.kind = 'bill' AND n.account_digits IS NULL AND u.profile = n.profile AND c.type = 'card'))
        """

    static func lines(
        of account: UserAccountRow, since: CalendarDate?, until end: CalendarDate?, in zone: IANATimeZone,
        _ db: Database
    ) throws -> [AccountLine] {
        // Merged accounts gave their numbers away.
        guard account.mergedInto == nil, !account.numbers.isEmpty else { return [] }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT n.id, n.kind, n.amount_minor, n.day, n.time, coalesce(p.sent_at, p.received_at, n.created_at)
                    FROM notices n JOIN processed_emails p ON p.id = n.source_email_id
                    WHERE n.profile IN (SELECT profile FROM user_account_numbers WHERE user_account_id = ?1)
                      AND n.kind IN ('balance', 'limit') AND n.currency = ?2 AND \(Self.account) = ?1
                    ORDER BY n.id
                    """), arguments: [account.id, account.currency.code])
        return rows.compactMap { row -> AccountLine? in
            let sent: UnixTime = row[5]
            let (printed, time): (CalendarDate?, String?) = (row[3], row[4])
            let sentDay = zone.day(of: sent)
            let day = printed ?? sentDay
            guard day >= since ?? day, day <= end ?? day, let kind = BankNotice.Kind(rawValue: row[1]) else {
                return nil
            }
            let instant =
                if let time = time.flatMap(TimeOfDay.init(iso:)) {
                    zone.instant(day, time)
                } else {
                    day < sentDay ? zone.instant(day, .lastSecond) : sent
                }
            return AccountLine(
                notice: row[0], instant, day, kind, Money(minorUnits: row[2], currency: account.currency))
        }
    }

    /// The day of the newest notice, up to a given day, that prints a balance of the account or a limit from which the
    /// balance follows.
    static func lastDay(
        of account: UserAccountRow, until end: CalendarDate?, in zone: IANATimeZone, _ db: Database
    ) throws -> CalendarDate? {
        let isCard = account.type == .card && account.creditLimit != nil
        return try lines(of: account, since: nil, until: end, in: zone, db).filter {
            $0.balance != nil || isCard
        }.map(\.day).max()
    }
}

extension UserAccountRepository {
    /// The mails of the notices whose balances begin or end a finding, by the number of the notice.
    public func noticeMails(of findings: [ContinuityFinding]) throws(StoreError) -> [Int64: String] {
        let ids = Set(findings.flatMap { [$0.from, $0.to] }).compactMap { id -> Int64? in
            if case .notice(let id) = AccountMovement.evidence(id) { id } else { nil }
        }
        guard !ids.isEmpty else { return [:] }
        return try read { db in
            var mails: [Int64: String] = [:]
            for id in ids {
                mails[id] = try String.fetchOne(
                    db.cachedStatement(sql: "SELECT source_email_id FROM notices WHERE id = ?"), arguments: [id])
            }
            return mails
        }
    }
}
