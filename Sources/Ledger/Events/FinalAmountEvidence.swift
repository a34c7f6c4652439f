import Chronology

/// The evidence that a later payment is the final amount of an authorisation: fuel, a hotel, a tip, a price in another
/// currency.
public enum FinalAmountEvidence: String, Hashable, Sendable, CaseIterable {
    /// Both print the same reference.
    case reference
    /// A line of a statement, and a report of the same payee that no line of a statement confirms.
    case statement
    /// The same for an authorisation in another currency, by the rate of the day.
    case rate

    /// Maximum number of days from an authorisation to its final amount: card schemes hold a hotel's for up to 30 days.
    public static let days = 30
    /// Maximum difference of a statement's line in percent of the authorisation: a tip, or the price of another day.
    /// Beyond it, two payments at one shop are likelier.
    static let percent: Int64 = 30
    /// The same for a price in another currency: the bank's charge for the conversion with its tax, and the change of
    /// the rate until the day of posting.
    static let percentAbroad: Int64 = 10

    /// Confidence of a link, in 0...1. The weights order proposals; they are not measured frequencies.
    public var confidence: Double {
        switch self {
        case .reference: 0.95
        case .statement, .rate: 0.5
        }
    }

    /// The reason for the link, for display.
    public var sentence: String {
        switch self {
        case .reference: "both reports print the same reference"
        case .statement: "the statement has another amount of this payee, and not this one"
        case .rate: "the statement has about this price in the account's currency, and not this one"
        }
    }

    /// `nil` if the second cannot be the final amount of the first, or there is no evidence.
    ///
    /// - Parameters:
    ///   - isUnproven: true if the final amount is a line of a statement, and no statement confirms the first.
    ///   - price: the amount of the authorisation in the currency of the final amount, by the rate of the day, if the
    ///     two differ and a rate is known.
    public static func between(
        _ authorisation: EventReport, _ settlement: EventReport, isUnproven: Bool = false, price: Money? = nil
    ) -> FinalAmountEvidence? {
        let (held, charged) = (authorisation.amount, settlement.amount)
        guard authorisation.id != settlement.id, authorisation.type == .expense, settlement.type == .expense,
            held != charged, held.minorUnits > 0, charged.minorUnits > 0,
            (0...days).contains(settlement.date.daysSince1970 - authorisation.date.daysSince1970),
            authorisation.isSameAccount(as: settlement), authorisation.isSamePayee(as: settlement)
        else { return nil }
        if authorisation.channel == .card, settlement.channel == .card, authorisation.bank == settlement.bank,
            let reference = TransferEvidence.strong(authorisation.reference),
            reference == TransferEvidence.strong(settlement.reference)
        {
            return .reference
        }
        guard isUnproven else { return nil }
        if held.currency == charged.currency { return isNear(held, charged, percent) ? .statement : nil }
        guard let price, price.currency == charged.currency else { return nil }
        return isNear(price, charged, percentAbroad) ? .rate : nil
    }

    private static func isNear(_ held: Money, _ charged: Money, _ percent: Int64) -> Bool {
        abs(charged.minorUnits - held.minorUnits) <= held.minorUnits / 100 * percent
    }
}
