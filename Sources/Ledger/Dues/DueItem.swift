public import Chronology

/// A payment that is expected on a day, past or to come: a bill, an announced debit of a mandate, or an occurrence of a
/// recurring item.
public struct Due: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable { case bill, mandate, recurring }

    /// `notice:12`, or `recurring:3:2026-01-05`, which is also the idempotency key of a posted transaction.
    public var id: String
    public var kind: Kind
    /// The payee as printed or entered; empty if the mail prints none.
    public var payee: String
    /// The account that is debited, or the card whose bill it is: `user_accounts.id`.
    public var account: Int64?
    /// Digits of that account as printed.
    public var digits: String?
    public var reference: String?
    /// First day on which a payment can settle it.
    public var since: CalendarDate
    /// The day on which it is due; of a bill whose mail names none, ``since``.
    public var day: CalendarDate
    /// False for a bill whose mail names no due day: it is never overdue.
    public var hasDay = true
    public var amount: Money
    /// Minimum due of a bill.
    public var minimum: Money?
    public var isIncome = false
    /// The category of its payment, if known in advance.
    public var category: String?
    public var subcategory: String?
    /// Deviation of the amount that counts as equal, in percent.
    public var band: Int64 = 0
    /// Days after ``day`` in which a payment is still expected.
    public var grace: Int
    /// True if the program books it itself.
    public var isPosted = false
    /// Transactions that a person declared to settle it, and those that do not.
    public var linked: Set<Int64> = []
    public var refused: Set<Int64> = []
    /// True if a person declared it paid by a payment that the ledger does not have.
    public var isDeclaredSettled = false

    public init(_ kind: Kind, id: String, payee: String, amount: Money, since: CalendarDate, day: CalendarDate) {
        self.kind = kind
        self.id = id
        self.payee = payee
        self.amount = amount
        self.since = since
        self.day = day
        grace = kind == .bill ? 0 : 3
    }
}

/// A booked transaction that may settle a due.
public struct DueMovement: Hashable, Sendable {
    public var id: Int64
    public var account: Int64?
    public var isIncome: Bool
    /// True for a movement between own accounts, such as a payment that a card received.
    public var isTransfer = false
    public var amount: Money
    public var day: CalendarDate
    public var payee: String
    public var reference: String?
    public var channel: Channel?
    /// The other side of a linked transfer, and its account.
    public var counterpart: Int64?
    public var counterpartAccount: Int64?
    /// The idempotency key, if it is a posted occurrence.
    public var postedKey: String?

    public init(id: Int64, account: Int64?, isIncome: Bool, amount: Money, day: CalendarDate, payee: String) {
        self.id = id
        self.account = account
        self.isIncome = isIncome
        self.amount = amount
        self.day = day
        self.payee = payee
    }
}

/// A due with the payments that settle it, and its state on a day.
public struct DueItem: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case upcoming
        /// Its day is today, or was within the days of grace; or a bill names no day.
        case due
        /// The day of a bill passed, and less than the minimum is paid.
        case overdue
        case partlySettled = "partly_settled"
        case settled
        /// A debit came that differs from its notice, or from the recurring amount.
        case differs
        /// An announced debit or a recurring payment did not come.
        case missed
        /// The rest of a bill is part of the next bill of its account.
        case carried

        /// True if it needs a person's attention.
        public var isAlarming: Bool { self == .overdue || self == .differs || self == .missed }
        /// True if money is still to be paid.
        public var isOpen: Bool { self == .upcoming || self == .due || self == .overdue || self == .partlySettled }
    }

    public struct Payment: Hashable, Sendable {
        public var transaction: Int64
        public var amount: Money
        public var day: CalendarDate
        public var byPerson: Bool
    }

    public var due: Due
    public var payments: [Payment]
    public var state: State
    /// The account that pays: that of the due; for a bill, the one that paid an earlier bill of the card.
    public var payer: Int64?
    /// False if the balance of the payer, less the earlier dues that it pays, is too low; `nil` if the balance is not
    /// known.
    public var suffices: Bool?

    /// The sum of the payments, in minor units of the currency of the due.
    public var paid: Int64 { payments.reduce(0) { $0 &+ $1.amount.minorUnits } }
    /// The unpaid rest; never negative.
    public var rest: Money {
        let rest = due.isDeclaredSettled ? 0 : max(due.amount.minorUnits &- paid, 0)
        return Money(minorUnits: rest, currency: due.amount.currency)
    }
}
