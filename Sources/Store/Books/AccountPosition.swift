public import Chronology
internal import GRDB
public import Ledger

/// The balance of an account at the end of a day, and the evidence for it.
public struct AccountPosition: Hashable, Sendable {
    /// The basis of a balance.
    public enum Basis: Hashable, Sendable {
        /// The balance that this alert or notice printed, at this instant, plus the movements since.
        case printed(AccountMovement.Evidence, at: UnixTime)
        /// The initial balance of the account plus all movements since.
        case initial
    }

    /// For a card, the debt as a negative amount.
    public var balance: Money
    public var basis: Basis
    /// The number of movements after the basis.
    public var movements: Int
    /// Movements in other currencies after the basis, by currency; not part of ``balance``.
    public var foreign: [Money]
    /// For a card, the newest available limit that an alert printed.
    public var available: Money?

    /// False if only movements are known: no alert printed a balance, and the initial one has no day.
    func isKnown(of account: UserAccountRow) -> Bool { basis != .initial || account.initialDate != nil }
}

extension UserAccountRepository {
    /// The balance of an account at the end of a day.
    ///
    /// - Parameter day: as the alerts print it; `nil` for everything that is booked.
    /// - Throws: `notFound`.
    public func position(_ id: Int64, on day: CalendarDate? = nil) throws(StoreError) -> AccountPosition {
        let zone = access.store.zone
        return try read { db in
            let account = try UserAccountRow.existing(db, id)
            let movements = try DailyMovements(of: account, until: day, in: zone, db)
            return try position(of: account, movements, on: day, db)
        }
    }

    /// - Parameter movements: those of the account up to the day; `nil` if a balance is printed.
    func position(
        of account: UserAccountRow, _ movements: DailyMovements?, on day: CalendarDate? = nil, _ db: Database
    ) throws -> AccountPosition {
        let zone = access.store.zone
        var running = RunningBalance(account)
        let lines: [AccountLine]
        if let movements {
            for movement in movements.days { running.add(movement) }
            // Only the newest limit matters of the lines.
            let last = try AccountLine.lastLimitDay(of: account, until: day, in: zone, db)
            lines = try last.map { try AccountLine.booked(of: account, since: $0, until: $0, in: zone, db) } ?? []
        } else {
            let start = try AccountLine.lastPrintedDay(of: account, until: day, in: zone, db)
            lines = try AccountLine.booked(of: account, since: start, until: day, in: zone, db)
            for line in lines { running.add(line) }
        }
        running.advance(to: day ?? today)
        return AccountPosition(
            balance: Money(minorUnits: running.balance, currency: account.currency), basis: running.basis,
            movements: running.movements,
            foreign: running.foreign.amounts,
            available: lines.last { $0.limit != nil }.flatMap(\.limit).map {
                Money(minorUnits: $0, currency: account.currency)
            })
    }

    /// The result of the continuity check of an account's printed balances, or of its printed limits if it prints no
    /// balances.
    ///
    /// - Parameter since: only movements from this day on.
    /// - Throws: `notFound`.
    public func continuity(_ id: Int64, since: CalendarDate? = nil) throws(StoreError) -> ContinuityCheck {
        let zone = access.store.zone
        return try read { db in
            let account = try UserAccountRow.existing(db, id)
            // Nothing to compare; most of the time would go into reading the rows.
            guard try AccountLine.printsFigures(account, since: since, in: zone, db) else { return ContinuityCheck([]) }
            let rows = try AccountLine.all(of: account, since: since, until: nil, in: zone, db)
            let kind: AccountLine.Figure = rows.contains { $0.balance != nil } ? .balance : .limit
            return ContinuityCheck(
                rows.filter { $0.status == .confirmed }.map { $0.movement(kind) },
                drafts: rows.filter { $0.status == .needsReview }.map { $0.movement(kind) })
        }
    }
}
