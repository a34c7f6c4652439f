public import Chronology

/// Values that a bank announces in a mail without a movement of money: it books nothing.
public struct BankNotice: Hashable, Sendable {
    /// The raw value is the template's `notice:` and that of `notices.kind`.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A card's or loan's dues.
        case bill
        /// A debit to come under a mandate.
        case mandate
        /// The balance of an account.
        case balance
        case depositMaturity = "deposit-maturity"
        /// The limit that a card has left.
        case limit
        /// The conversion of a purchase by card into instalments.
        case instalments

        /// The reason that is recorded for the mail, which is not a transaction.
        public var ignoreReason: IgnoreReason {
            switch self {
            case .bill: .statement
            case .mandate: .mandate
            case .balance: .balance
            case .depositMaturity, .limit, .instalments: .service
            }
        }

        /// The required fields.
        public var needed: [Field] {
            switch self {
            case .bill: [.amount]
            case .mandate: [.amount, .date]
            case .balance, .limit, .instalments: [.amount, .account]
            case .depositMaturity: [.date]
            }
        }
    }

    /// A value that a pattern can read. The raw values are the names of a pattern's groups and of the JSON keys.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        /// Total due, amount of the debit, balance, sum of the deposit, limit, or price of what is paid in instalments.
        case amount
        case currency
        /// Minimum due of a bill, or one instalment.
        case minimum
        /// Digits of the account or card.
        case account
        case merchant
        /// Due day, day of the debit, of the balance, of maturity or of the conversion.
        case date
        case time
        /// First day of a bill's period.
        case from
        /// Last day of a bill's period.
        case to
        /// Reference of the mandate or deposit.
        case reference
    }

    public var kind: Kind
    public var amount: Money?
    /// In the currency of `amount`.
    public var minimum: Money?
    /// The digits printed after the mask.
    public var account: String?
    public var merchant: String?
    public var date: CalendarDate?
    public var time: TimeOfDay?
    public var from: CalendarDate?
    public var to: CalendarDate?
    public var reference: String?

    public init(_ kind: Kind) { self.kind = kind }

    /// The value as in JSON: amounts as decimals, days as `yyyy-mm-dd`.
    public func text(of field: Field) -> String? {
        switch field {
        case .amount: amount?.decimal
        case .currency: amount?.currency.code
        case .minimum: minimum?.decimal
        case .account: account
        case .merchant: merchant
        case .date: date?.description
        case .time: time?.description
        case .from: from?.description
        case .to: to?.description
        case .reference: reference
        }
    }

    /// True if every needed field is set, and the values do not contradict each other.
    public var isComplete: Bool {
        kind.needed.allSatisfy { text(of: $0) != nil }
            && (minimum.map { $0.minorUnits <= amount?.minorUnits ?? 0 } ?? true)
    }
}
