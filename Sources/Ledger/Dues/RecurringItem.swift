public import Chronology

/// A payment that comes again by a rule.
public struct RecurringItem: Hashable, Sendable {
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// A mail will book it; a missing one is reported.
        case expected
        /// No mail reports it: the program books it when it is due.
        case posted
    }

    /// Years before and after today in which an item can begin: a posted one is booked from its first day on.
    private static let years = 10

    /// The payee or payer.
    public var name: String
    /// `user_accounts.id`.
    public var account: Int64?
    public var isIncome: Bool
    public var amount: Money
    /// Deviation of the amount that counts as equal, in percent.
    public var band: Int64 = 0
    public var rule: RecurrenceRule
    /// `DTSTART` of the rule.
    public var start: CalendarDate
    public var mode: Mode = .expected
    /// False for an item that is suspended, and for a detected one that a person refused.
    public var isActive = true
    /// The category of what is posted; `nil` uses the category rules.
    public var category: String?
    public var subcategory: String?

    public init(
        name: String, isIncome: Bool = false, amount: Money, rule: RecurrenceRule, start: CalendarDate
    ) {
        self.name = name
        self.isIncome = isIncome
        self.amount = amount
        self.rule = rule
        self.start = start
    }

    /// The item that a detected payment becomes: expected on, and counted from, the day of its last payment.
    public init(_ candidate: RecurringCandidate) {
        self.init(
            name: candidate.payee, isIncome: candidate.isIncome, amount: candidate.amount, rule: candidate.rule,
            start: candidate.payments.last?.day ?? candidate.next)
        account = candidate.account
        band = candidate.band
    }

    public var type: TransactionType { isIncome ? .income : .expense }

    /// Days around an occurrence in which a mail can book it: a sixth of the interval, up to a week.
    public var slack: Int { min(max(rule.typicalDays / 6, 1), 7) }

    /// The key of the transaction that an occurrence posts.
    public static func key(_ id: Int64, _ day: CalendarDate) -> String { "\(keyPrefix)\(id):\(day)" }
    public static let keyPrefix = "recurring:"

    /// Faults of the values, by field.
    /// - Parameter today: the current day.
    public func problems(on today: CalendarDate) -> [FieldProblem] {
        var check = FieldCheck()
        check.text("name", name, atMost: TextLimit.merchant)
        if !(1...Money.maximumMinorUnits).contains(amount.minorUnits) {
            check.refuse("amount", .amountRange)
        }
        check.currency("currency", amount.currency)
        if !(0...100).contains(band) { check.refuse("band_percent", .percent) }
        if abs(start.year - today.year) > Self.years {
            check.refuse("starts_on", .years(Self.years))
        } else if rule.next(from: start, onOrAfter: start) == nil {
            check.refuse("rule", .noDay)
        }
        check.text("category_name", category, atMost: TextLimit.name)
        check.text("subcategory", subcategory, atMost: TextLimit.name)
        return check.problems
    }

    /// True if a detected payment is this item, so that it is not proposed again.
    public func covers(_ candidate: RecurringCandidate) -> Bool {
        let (a, b) = (amount.minorUnits, candidate.amount.minorUnits)
        return isIncome == candidate.isIncome && amount.currency == candidate.amount.currency
            && (account == nil || candidate.account == nil || account == candidate.account)
            && PayeeText.isSame(name, candidate.payee) && a / 2 <= b && b / 2 <= a
    }
}
