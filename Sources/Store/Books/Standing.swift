import Chronology
import Ledger

/// The books as of today, in short: what is due, the budgets to watch, and the balances.
public struct Standing: Sendable {
    public struct Balance: Hashable, Sendable {
        public var account: UserAccountRow
        public var position: AccountPosition
    }

    /// Days of ``dues`` before and after today.
    public static var days: Int { 31 }
    private static var dueLimit: Int { 4 }
    private static var budgetLimit: Int { 4 }
    /// Number of budgets that are shown even if they are far from their limits.
    private static var largestBudgets: Int { 3 }

    /// Those that need attention, the newest of them, then the next ones that are to be paid, by day.
    public var dues: [DueRow] = []
    /// The number of dues that `dues` is a part of.
    public var allDues = 0
    /// Those at or near their limits first; if these are few, the largest others.
    public var budgets: [BudgetReport] = []
    /// Of the accounts in use whose balance is known.
    public var balances: [Balance] = []
    /// As the net worth of ``UserAccountRepository/netWorth(of:)``; `nil` if no balance is known.
    public var worth: NetWorth?
    /// The recorded checks of accounts whose balances do not follow from what is booked.
    public var gaps: [AccountCheck] = []

    fileprivate mutating func choose(dues rows: [DueRow], on today: CalendarDate) {
        let days = -Self.days...Self.days
        let near = rows.filter { days.contains($0.item.due.day.daysSince1970 - today.daysSince1970) }
        let late = near.filter(\.item.state.isAlarming)
        let open = near.filter { $0.item.state.isOpen && !$0.item.state.isAlarming && !$0.item.due.isIncome }
        let newest = late.suffix(open.isEmpty ? Self.dueLimit : Self.dueLimit / 2)
        dues = Array(newest) + open.prefix(Self.dueLimit - newest.count)
        allDues = late.count + open.count
    }

    fileprivate mutating func choose(budgets reports: [BudgetReport]) {
        let begun = reports.filter { $0.status.state != .pending }
        let (near, others) = (begun.filter(\.isNearLimit), begun.filter { !$0.isNearLimit })
        let largest = others.sorted { $0.status.available.minorUnits > $1.status.available.minorUnits }
        let urgent = near.sorted { ($0.status.percent ?? .max) > ($1.status.percent ?? .max) }
        budgets = Array(urgent.prefix(Self.budgetLimit)) + largest.prefix(max(Self.largestBudgets - near.count, 0))
    }
}

extension BudgetReport {
    /// True if the limit is reached, is near, or will be reached at the present pace.
    fileprivate var isNearLimit: Bool {
        status.state == .warning || status.state == .exceeded || status.expected == .exceeded
    }
}

extension UserAccountRepository {
    /// Reads the movements of each account and the dues once. Payments that come again are not detected: that reads
    /// every movement.
    public func standing() throws(StoreError) -> Standing {
        var standing = Standing()
        var positions = try AccountPositions(self)
        let budgets = BudgetRepository<Scope>(access: access)
        let rows = try budgets.all()
        let ahead = max(Standing.days, budgets.daysAhead(of: rows))
        let dues = try DueRepository<Scope>(access: access).list(
            DueRange(back: Standing.days, ahead: ahead), &positions)
        standing.choose(dues: dues, on: today)
        standing.choose(budgets: try budgets.reports(rows, dues: dues))
        for account in positions.accounts where account.mergedInto == nil && account.isActive {
            guard let position = try positions.knownPosition(account) else { continue }
            standing.balances.append(Standing.Balance(account: account, position: position))
        }
        if !standing.balances.isEmpty {
            standing.worth = try positions.netWorth(of: DaySpan(days: 1, through: today)).last
        }
        standing.gaps = try checks().filter { $0.findings > 0 || $0.isDrifting }
        return standing
    }
}
