public import Chronology
internal import GRDB
public import Ledger

/// The balance of an account before its first movement.
public struct OpeningBalance: Hashable, Sendable {
    /// The day at whose beginning the account has the balance.
    public var day: CalendarDate
    public var balance: Money
}

extension UserAccountRepository {
    /// The opening balance of an account, computed back from its first known balance: the initial balance if a person
    /// entered it, or else the first printed balance.
    ///
    /// - Returns: `nil` if no balance is known, or a movement before it is in another currency.
    /// - Throws: `notFound`.
    public func opening(_ id: Int64) throws(StoreError) -> OpeningBalance? {
        try read { db in
            let account = try UserAccountRow.existing(db, id)
            guard let first = try AccountLine.firstDay(of: account, printed: false, db) else {
                guard account.initialBalance.minorUnits != 0 else { return nil }
                let day = account.initialDate ?? access.store.zone.day(of: account.createdAt)
                return OpeningBalance(day: day, balance: account.initialBalance)
            }
            let isEntered = account.initialDate != nil || account.initialBalance.minorUnits != 0
            if isEntered { return try opening(of: account, entered: account.initialDate ?? first, first, db) }
            guard let day = try AccountLine.firstDay(of: account, printed: true, db) else { return nil }
            let lines = try AccountLine.booked(of: account, since: nil, until: day, in: access.store.zone, db)
            guard let index = lines.firstIndex(where: { $0.balance != nil }), let printed = lines[index].balance,
                let moved = Self.sum(lines[...index])
            else { return nil }
            return OpeningBalance(
                day: first, balance: Money(minorUnits: printed &- moved, currency: account.currency))
        }
    }

    /// The initial balance holds at the beginning of its day: movements before it are part of it.
    private func opening(
        of account: UserAccountRow, entered day: CalendarDate, _ first: CalendarDate, _ db: Database
    ) throws -> OpeningBalance? {
        guard day > first else { return OpeningBalance(day: day, balance: account.initialBalance) }
        let lines = try AccountLine.booked(of: account, since: nil, until: day, in: access.store.zone, db)
        let before = lines.filter { $0.day < day }
        guard let moved = Self.sum(before[...]) else { return nil }
        let balance = account.initialBalance.minorUnits &- moved
        return OpeningBalance(day: first, balance: Money(minorUnits: balance, currency: account.currency))
    }

    /// The sum of the movements; `nil` if one is in another currency.
    private static func sum(_ lines: ArraySlice<AccountLine>) -> Int64? {
        lines.reduce(Int64?(0)) { sum, line in
            guard let sum, let change = line.change else { return nil }
            return sum &+ change
        }
    }
}

extension AccountLine {
    /// The day of the first confirmed movement of an account, or of the first one that printed a balance.
    fileprivate static func firstDay(
        of account: UserAccountRow, printed: Bool, _ db: Database
    ) throws -> CalendarDate? {
        try CalendarDate.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT min(parsed_date) FROM transactions WHERE user_account_id = ?1 AND status = 'confirmed' AND deleted_at IS NULL
                      AND (NOT ?2 OR balance_minor IS NOT NULL AND balance_currency = ?3
                        OR ?4 AND limit_minor IS NOT NULL AND limit_currency = ?3)
                    """),
            arguments: [
                account.id, printed, account.currency.code, account.type == .card && account.creditLimit != nil,
            ])
    }
}
