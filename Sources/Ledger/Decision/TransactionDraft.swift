public import Chronology

/// The direction of the money: out, in, or between the user's own accounts.
public enum TransactionType: String, Hashable, Sendable, CaseIterable { case expense, income, transfer }

/// The payment channel that the alert names.
public enum Channel: String, Hashable, Sendable, CaseIterable {
    case upi, card, neft, imps, rtgs, atm, mandate, cheque, wallet, other
}

/// A value that a pattern can read from an alert. The raw values are the names of a pattern's groups and of the JSON
/// keys.
public enum Field: String, Hashable, Sendable, CaseIterable {
    case amount, currency, type, channel, date, time, merchant, account, reference, balance, limit, vpa, mcc, foreign

    /// Fields that every transaction needs, in the order in which a person is asked for them.
    public static let needed: [Field] = [.amount, .type, .date]

    /// Hashes the position among the cases, which is faster than the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }

    private var place: UInt8 {
        switch self {
        case .amount: 0
        case .currency: 1
        case .type: 2
        case .channel: 3
        case .date: 4
        case .time: 5
        case .merchant: 6
        case .account: 7
        case .reference: 8
        case .balance: 9
        case .limit: 10
        case .vpa: 11
        case .mcc: 12
        case .foreign: 13
        }
    }
}

/// The pattern of a template that set a field.
public enum FieldPattern: Hashable, Sendable {
    /// A body pattern: its index from 0, and the number of body patterns.
    case body(Int, of: Int)
    /// The pattern for one field, which may set others beside it.
    case field(Field)
    /// The pattern that the subject had to match: the field has no span in the text.
    case subject

    /// Name of the pattern in the template's file.
    public var name: String {
        switch self {
        case .body(_, 1): "body_pattern"
        case .body(let index, let count): "body_pattern \(index + 1) of \(count)"
        case .field(let field): "\(field.rawValue)_regex"
        case .subject: "subject_pattern"
        }
    }
}

/// Values of one movement of money as read from one alert, before it is booked.
public struct TransactionDraft: Hashable, Sendable {
    public var amount: Money
    /// `nil` if no word of the mail gives the direction: then a person must.
    public var type: TransactionType?
    public var channel: Channel
    /// The day in the bank's time zone: as printed, otherwise the day of arrival.
    public var date: CalendarDate
    /// As printed, converted to 24 hours; `nil` if no time is printed.
    public var time: TimeOfDay?
    /// The printed instant, or noon of `date` if no time is printed.
    public var occurredAt: UnixTime
    /// The counterparty as printed, blanks collapsed.
    public var merchant: String?
    /// A UPI address as printed.
    public var vpa: String?
    /// The digits printed after the mask, usually four.
    public var account: String?
    public var reference: String?
    public var balance: Money?
    public var limit: Money?
    /// Four digits of a merchant category code (ISO 18245), if one is printed.
    public var mcc: String?
    /// The amount in the currency of the payee, if the alert of a payment abroad states both.
    public var foreign: Money?
    /// The byte range of each field in the mail's canonical text.
    public var spans: [Field: Range<Int>] = [:]
    /// The pattern that set each field; empty if no template did.
    public var patterns: [Field: FieldPattern] = [:]

    public init(amount: Money, type: TransactionType?, channel: Channel, date: CalendarDate, occurredAt: UnixTime) {
        self.amount = amount
        self.type = type
        self.channel = channel
        self.date = date
        self.occurredAt = occurredAt
    }
}
