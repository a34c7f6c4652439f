public import Chronology
internal import GRDB
public import Ledger

/// An account of the user: a row of `user_accounts` with the numbers by which alerts name it.
public struct UserAccountRow: Hashable, Sendable {
    /// Digits that a bank prints for the account: those of the account itself, of its debit card, of a card that was
    /// replaced.
    public struct Number: Hashable, Sendable {
        /// The bank's key, such as `hdfc`.
        public var profile: String
        /// The last digits as printed.
        public var digits: String
        /// The days of the first and the last movement.
        public var firstSeen: CalendarDate?
        public var lastSeen: CalendarDate?
    }

    public var id: Int64
    public var name: String
    public var type: UserAccountType
    public var institution: String?
    public var lastFour: String?
    public var currency: Currency
    /// The balance at the beginning of ``initialDate``, or before all movements.
    public var initialBalance: Money
    public var initialDate: CalendarDate?
    public var creditLimit: Money?
    public var isActive: Bool
    /// `#RRGGBB`.
    public var color: String?
    public var icon: String?
    /// `accounts.id` of a template made through the API or the page.
    public var linkedParserID: String?
    /// The account that took over its numbers.
    public var mergedInto: Int64?
    /// True until a person confirmed an account that an alert made.
    public var isNew: Bool
    /// The only user who sees the account; `nil` for an account that all see.
    public var owner: Int64?
    public var createdAt: UnixTime
    public var updatedAt: UnixTime
    /// Sorted by bank and digits.
    public var numbers: [Number]

    init(_ row: Row, numbers: [Number]) {
        id = row["id"]
        name = row["name"]
        // CHECK constraints hold these to their forms.
        type = UserAccountType(rawValue: row["type"]) ?? .bank
        institution = row["institution"]
        lastFour = row["account_number_last4"]
        let currency = Currency(code: row["currency"] as String) ?? .inr
        self.currency = currency
        initialBalance = Money(minorUnits: row["initial_balance_minor"], currency: currency)
        initialDate = row["initial_balance_date"]
        creditLimit = (row["credit_limit_minor"] as Int64?).map { Money(minorUnits: $0, currency: currency) }
        isActive = row["is_active"]
        color = row["color"]
        icon = row["icon"]
        linkedParserID = row["linked_parser_id"]
        mergedInto = row["merged_into"]
        isNew = (row["confirmed_at"] as String?) == nil
        owner = row["owner_user_id"]
        createdAt = row["created_at"]
        updatedAt = row["updated_at"]
        self.numbers = numbers
    }
}

/// An edit of an account by a person or client. Values that are not set stay.
public struct UserAccountEdit: Hashable, Sendable {
    public var name: String?
    public var type: UserAccountType?
    public var institution: Change<String> = .keep
    public var lastFour: Change<String> = .keep
    /// With another currency and no other amounts, the amounts keep their minor units.
    public var currency: Currency?
    /// In minor units of the account's currency; negative for a debt.
    public var initialBalance: Int64?
    public var initialDate: Change<CalendarDate> = .keep
    public var creditLimit: Change<Int64> = .keep
    public var isActive: Bool?
    public var color: Change<String> = .keep
    public var icon: Change<String> = .keep
    public var linkedParserID: Change<String> = .keep
    /// True to remove the mark of a new account.
    public var isConfirmed: Bool?

    public init() {}

    /// The values that are not valid, by column; empty if all are.
    public var problems: [FieldProblem] {
        var check = FieldCheck()
        check.text("name", name, atMost: TextLimit.name)
        check.text("institution", institution.new, atMost: TextLimit.name)
        check.digits("account_number_last4", lastFour.new)
        check.currency("currency", currency)
        check.century("initial_balance_date", initialDate.new)
        check.balance("initial_balance", initialBalance)
        check.balance("credit_limit", creditLimit.new)
        if let limit = creditLimit.new, limit < 0 { check.refuse("credit_limit", "must not be negative") }
        check.color("color", color.new)
        check.text("icon", icon.new, atMost: TextLimit.name)
        return check.problems
    }
}

extension FieldCheck {
    fileprivate mutating func balance(_ field: String, _ minorUnits: Int64?) {
        guard let minorUnits, minorUnits.magnitude > UInt64(Money.maximumMinorUnits) else { return }
        refuse(field, "is too large")
    }
}
