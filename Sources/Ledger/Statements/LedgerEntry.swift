public import Chronology

/// A transaction as the reconciliation of a statement sees it.
public struct LedgerEntry: Hashable, Sendable {
    /// `transactions.id`.
    public var id: Int64
    public var day: CalendarDate
    /// Minor units of the account's currency: negative if money left the account.
    public var change: Int64
    /// The merchant or the other party; empty if the alert named none.
    public var payee: String
    public var reference: String?
    /// True if it belongs to no account or to another one than the statement. It needs more than its amount to match.
    public var isElsewhere = false

    public init(id: Int64, day: CalendarDate, change: Int64, payee: String = "", reference: String? = nil) {
        self.id = id
        self.day = day
        self.change = change
        self.payee = payee
        self.reference = reference
    }
}
