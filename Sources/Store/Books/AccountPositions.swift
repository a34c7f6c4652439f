public import Chronology
internal import GRDB
import Ledger

/// All accounts with their positions and net worth, for one page or command. The movements of each account are read
/// once: a pass over all of its rows, if no alert prints its balance.
///
/// Valid as long as the scope that it reads from, and only while nothing is written there.
public struct AccountPositions<Scope: ReadScope> {
    /// Those that were merged into others, too.
    public let accounts: [UserAccountRow]
    private let repository: UserAccountRepository<Scope>
    private var movements: [Int64: DailyMovements?] = [:]
    private var positions: [Int64: AccountPosition] = [:]

    init(_ repository: UserAccountRepository<Scope>) throws(StoreError) {
        self.repository = repository
        accounts = try repository.all(merged: true)
    }

    /// As ``UserAccountRepository/position(_:on:)`` of everything that is booked.
    public mutating func position(_ account: UserAccountRow) throws(StoreError) -> AccountPosition {
        if let known = positions[account.id] { return known }
        let position = try repository.access.read { db in
            try repository.position(of: account, try movements(of: account, db), db)
        }
        positions[account.id] = position
        return position
    }

    /// `nil` if only movements of the account are known: nothing prints its balance, and the initial one has no day.
    mutating func knownPosition(_ account: UserAccountRow) throws(StoreError) -> AccountPosition? {
        if account.initialDate == nil {
            let zone = repository.access.store.zone
            let prints = try repository.access.read { db in
                try AccountLine.printsFigures(account, since: nil, in: zone, db)
            }
            guard prints else { return nil }
        }
        let position = try position(account)
        return position.isKnown(of: account) ? position : nil
    }

    /// As ``UserAccountRepository/netWorth(of:)``.
    public mutating func netWorth(of span: DaySpan) throws(StoreError) -> [NetWorth] {
        var known = self
        defer { self = known }
        return try repository.netWorth(of: span) { account, db in try known.movements(of: account, db) }
    }

    private mutating func movements(of account: UserAccountRow, _ db: Database) throws -> DailyMovements? {
        if let known = movements[account.id] { return known }
        let read = try DailyMovements(of: account, until: nil, in: repository.access.store.zone, db)
        movements.updateValue(read, forKey: account.id)
        return read
    }
}

extension UserAccountRepository {
    /// All accounts, to read the positions of several of them.
    public func positions() throws(StoreError) -> AccountPositions<Scope> { try AccountPositions(self) }
}
