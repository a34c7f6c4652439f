import Chronology
import GRDB

/// Finds the user's account by the bank and the digits that an alert prints. One for each batch.
final class AccountNumbers {
    private struct Number: Hashable {
        var profile: String
        var digits: String
    }

    private struct Known {
        var account: Int64
        /// The first and the last day of this batch.
        var days: ClosedRange<CalendarDate>?
    }

    private let db: Database
    private let select: PreparedStatement
    private var known: [Number: Known] = [:]

    init(_ db: Database) throws {
        self.db = db
        select = try PreparedStatement(
            db, "SELECT user_account_id FROM user_account_numbers WHERE profile = ? AND account_digits = ?")
    }

    /// - Parameter seen: the day of a confirmed movement.
    /// - Returns: `nil` if the digits are new.
    func account(_ profile: String, _ digits: String, seen day: CalendarDate?) throws -> Int64? {
        let number = Number(profile: profile, digits: digits)
        if known[number] == nil {
            let account = try select.first {
                $0.bind(profile)
                $0.bind(digits)
            } _: {
                $0.int(0)
            }
            guard let account = try account ?? accountOfNotices(profile, digits, seen: day) else { return nil }
            known[number] = Known(account: account)
        }
        guard let index = known.index(forKey: number) else { return nil }
        if let day {
            let days = known.values[index].days
            known.values[index].days = min(days?.lowerBound ?? day, day)...max(days?.upperBound ?? day, day)
        }
        return known.values[index].account
    }

    /// Gives a new number to the account that a notice made under other digits with the same last four, and that has no
    /// transaction yet.
    private func accountOfNotices(_ profile: String, _ digits: String, seen day: CalendarDate?) throws -> Int64? {
        guard let day else { return nil }
        let found = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT u.user_account_id FROM user_account_numbers u JOIN user_accounts a ON a.id = u.user_account_id
                    WHERE u.profile = ?1 AND substr(u.account_digits, -4) = substr(?2, -4) AND a.confirmed_at IS NULL
                      AND NOT EXISTS (SELECT 1 FROM transactions WHERE user_account_id = a.id)
                    """), arguments: [profile, digits])
        guard found.count == 1, let account = found.first else { return nil }
        try db.cachedStatement(
            sql: """
                INSERT INTO main.user_account_numbers (profile, account_digits, user_account_id, first_seen, last_seen)
                VALUES (?1, ?2, ?3, ?4, ?4)
                """
        ).execute(arguments: [profile, digits, account, day])
        return account
    }

    func finish() throws {
        for (number, found) in known {
            guard let days = found.days else { continue }
            try db.cachedStatement(
                sql: """
                    UPDATE main.user_account_numbers SET first_seen = min(first_seen, ?1), last_seen = max(last_seen, ?2)
                    WHERE profile = ?3 AND account_digits = ?4 AND (first_seen > ?1 OR last_seen < ?2)
                    """
            ).execute(arguments: [days.lowerBound, days.upperBound, number.profile, number.digits])
            try db.cachedStatement(sql: UnconfirmedAccount.follow).execute(arguments: [found.account])
            try db.cachedStatement(sql: UnconfirmedAccount.followType).execute(arguments: [found.account])
        }
    }
}

/// The currency and type of an unconfirmed account, which later rows correct. The currency is that of most of its rows,
/// because the first payment of a card may be one abroad.
enum UnconfirmedAccount {
    /// Limit of the rows that are counted: a busy account is not counted with each batch.
    private static let learningRows = 50

    /// An SQL expression for a row of `user_accounts`. Balance and limit come first, because the amount of a payment
    /// abroad is in another currency than the account's.
    static let usual = """
        (SELECT coalesce(balance_currency, limit_currency, currency) FROM transactions WHERE user_account_id = user_accounts.id
          GROUP BY 1 ORDER BY count(*) DESC, min(id) LIMIT 1)
        """

    static let follow = """
        UPDATE main.user_accounts SET currency = \(usual) WHERE id = ? AND confirmed_at IS NULL
          AND (SELECT count(*) FROM (SELECT 1 FROM transactions WHERE user_account_id = user_accounts.id LIMIT \(learningRows + 1)))
            BETWEEN 1 AND \(learningRows) AND currency <> \(usual)
        """

    /// The same for the type: the first alert of a credit card may be one of a mandate, which looks like one of an
    /// account.
    static let followType = """
        UPDATE main.user_accounts SET type = 'card' WHERE id = ? AND confirmed_at IS NULL AND type = 'bank' AND iif(
          (SELECT count(*) FROM (SELECT 1 FROM transactions WHERE user_account_id = user_accounts.id LIMIT \(learningRows + 1)))
            BETWEEN 1 AND \(learningRows),
          (SELECT max(channel = 'card') AND max(balance_minor IS NOT NULL) = 0 FROM transactions
            WHERE user_account_id = user_accounts.id AND status = 'confirmed'), false)
        """
}
