import Chronology

/// The evidence that a later payment is the final amount of an authorisation: fuel, a hotel, a tip, a price in another
/// currency.
public enum FinalAmountEvidence: String, Hashable, Sendable, CaseIterable {
    /// Both print the same reference.
    case reference
    /// A line of a statement, and a report of the same payee that no line of a statement confirms.
    case statement

    /// Maximum number of days from an authorisation to its final amount: card schemes hold a hotel's for up to 30 days.
    public static let days = 30
    /// Maximum difference of a statement's line in percent of the authorisation: a tip, or the price of another day.
    /// Beyond it, two payments at one shop are likelier.
    static let percent: Int64 = 30

    /// Confidence of a link, in 0...1. The weights order proposals; they are not measured frequencies.
    public var confidence: Double {
        switch self {
        case .reference: 0.95
        case .statement: 0.5
        }
    }

    /// The reason for the link, for display.
    public var sentence: String {
        switch self {
        case .reference: "both reports print the same reference"
        case .statement: "the statement has another amount of this payee, and not this one"
        }
    }

    /// `nil` if the second cannot be the final amount of the first, or there is no evidence.
    ///
    /// - Parameter isUnproven: true if the final amount is a line of a statement, and no statement confirms the first.
    public static func between(
        _ authorisation: EventReport, _ settlement: EventReport, isUnproven: Bool = false
    ) -> FinalAmountEvidence? {
        let (held, charged) = (authorisation.amount, settlement.amount)
        guard authorisation.id != settlement.id, authorisation.type == .expense, settlement.type == .expense,
            held.currency == charged.currency, held != charged, held.minorUnits > 0, charged.minorUnits > 0,
            (0...days).contains(settlement.date.daysSince1970 - authorisation.date.daysSince1970),
            authorisation.isSameAccount(as: settlement), authorisation.isSamePayee(as: settlement)
        else { return nil }
        if authorisation.channel == .card, settlement.channel == .card, authorisation.bank == settlement.bank,
            let reference = TransferEvidence.strong(authorisation.reference),
            reference == TransferEvidence.strong(settlement.reference)
        {
            return .reference
        }
        let (difference, limit) = (abs(charged.minorUnits - held.minorUnits), held.minorUnits / 100 * percent)
        return isUnproven && difference <= limit ? .statement : nil
    }
}
