public import Chronology
public import Ledger

/// Booked transactions that other profiles would read differently. The program that has the configuration makes it.
public struct ReplayPreview: Sendable {
    public struct Change: Sendable {
        public var field: Field
        public var before: String?
        public var after: String?

        public init(field: Field, before: String?, after: String?) {
            (self.field, self.before, self.after) = (field, before, after)
        }
    }

    public struct Row: Sendable {
        public var transaction: Int64
        public var date: CalendarDate
        public var amount: Money
        public var merchant: String?
        /// The outcome of its mail under the other profiles.
        public var outcome: Outcome
        public var changes: [Change]

        public init(
            transaction: Int64, date: CalendarDate, amount: Money, merchant: String?, outcome: Outcome,
            changes: [Change]
        ) {
            (self.transaction, self.date, self.amount) = (transaction, date, amount)
            (self.merchant, self.outcome, self.changes) = (merchant, outcome, changes)
        }
    }

    /// Booked mails that were decided again.
    public var mails: Int
    public var rows: [Row]
    /// Transactions that would differ, but that a person edited or a reconciled statement has: they stay.
    public var settled: Int
    /// False if the time was over before all mails were decided.
    public var isComplete: Bool

    public init(mails: Int, rows: [Row], settled: Int, isComplete: Bool) {
        (self.mails, self.rows, self.settled, self.isComplete) = (mails, rows, settled, isComplete)
    }
}
