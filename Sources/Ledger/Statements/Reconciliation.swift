public import Chronology

/// The comparison of a statement's lines with the transactions of its account, one to one.
public struct Reconciliation: Hashable, Sendable {
    /// Evidence of a match, weakest first.
    public enum Strength: String, Hashable, Sendable {
        /// The same amount within a few days, and no name or reference that agrees.
        case amount
        /// The same amount and name.
        case name
        /// The same reference.
        case reference
        /// The line itself booked the transaction.
        case booked
    }

    /// A value in which a line and its transaction disagree.
    public enum Difference: String, Hashable, Sendable, CaseIterable { case amount, date, account }

    /// A line and the transaction that it describes.
    public struct Match: Hashable, Sendable {
        /// Index in the statement's lines.
        public var line: Int
        /// `transactions.id`.
        public var transaction: Int64
        public var strength: Strength
        /// Days between the two.
        public var days: Int
        /// Empty if they agree.
        public var differences: Set<Difference> = []
    }

    /// A possible cause of a transaction that the statement does not contain.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The bank may enter it after the end of the statement.
        case pending
        /// A transaction of the same amount near it matched: one event was booked twice.
        case double
        /// Neither of the above: it belongs to another account, or its mail was forged.
        case wrongAccountOrForged = "wrong_account_or_forged"
    }

    /// A transaction that the statement does not contain.
    public struct Missing: Hashable, Sendable {
        public var transaction: Int64
        public var cause: Cause
    }

    /// In the order of the lines.
    public internal(set) var matches: [Match] = []
    /// Indices of the lines without a transaction, in their order.
    public internal(set) var onlyInStatement: [Int] = []
    /// By day, then number.
    public internal(set) var onlyInLedger: [Missing] = []

    /// - Parameters:
    ///   - statement: a statement that proved itself (``StatementProof``), or a list of payments.
    ///   - entries: transactions in the statement's currency from ``searched(for:)``, in any order.
    ///   - booked: the transactions that lines booked, by the index of the line.
    public init(_ statement: BankStatement, with entries: [LedgerEntry], booked: [Int: Int64] = [:]) {
        let isList = statement.list != nil
        var work = StatementMatcher(statement.lines, entries, isList: isList)
        work.match(booked: booked)
        work.matchReferences()
        work.matchAmounts()
        // Two payments to one payee within days are two, unless a balance says that there is one.
        if !isList { work.matchNames() }
        matches = work.matches.sorted { $0.line < $1.line }
        let matched = Set(matches.lazy.map(\.line))
        onlyInStatement = statement.lines.indices.filter { !matched.contains($0) }
        guard !isList, let period = Self.period(of: statement) else { return }
        onlyInLedger = work.missing(in: period)
    }

    /// The period that the statement states, or else the days of its lines; `nil` without either.
    public static func period(of statement: BankStatement) -> DaySpan? {
        if let period = statement.period { return period }
        let days = statement.lines.map(\.day)
        guard let first = days.min(), let last = days.max() else { return nil }
        return DaySpan(first, through: last)
    }

    /// The days of lines that can be the event of a transaction's day.
    public static func lineDays(of day: CalendarDate) -> (first: CalendarDate, last: CalendarDate) {
        (
            CalendarDate(daysSince1970: day.daysSince1970 - StatementMatcher.daysAfter),
            CalendarDate(daysSince1970: day.daysSince1970 + StatementMatcher.daysOfReference)
        )
    }

    /// The days whose transactions can match a line of the statement.
    public static func searched(for statement: BankStatement) -> DaySpan? {
        guard let period = period(of: statement) else { return nil }
        return DaySpan(
            CalendarDate(daysSince1970: period.first.daysSince1970 - StatementMatcher.daysBefore),
            through: CalendarDate(daysSince1970: period.last.daysSince1970 + StatementMatcher.daysAfter))
    }
}
