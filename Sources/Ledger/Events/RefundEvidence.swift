import Chronology

/// The evidence that an income returns a purchase, strongest first.
public enum RefundEvidence: String, Hashable, Sendable, CaseIterable {
    /// Both alerts print the same reference.
    case reference
    /// The same account, the same merchant, and the whole amount.
    case whole
    /// The same account and merchant, and a part of the amount.
    case partial

    /// Maximum number of days from a purchase to its refund: card schemes accept a dispute for up to 120 days, and
    /// shops take returns back for less.
    public static let days = 120

    /// Confidence of a link, in 0...1. The weights order proposals; they are not measured frequencies.
    ///
    /// - Parameter candidates: the number of purchases with evidence, between which the weight is divided.
    public func confidence(among candidates: Int) -> Double {
        let weight =
            switch self {
            case .reference: 0.95
            case .whole: 0.9
            case .partial: 0.6
            }
        return weight / Double(max(1, candidates))
    }

    /// `nil` if the income cannot return the purchase, or there is no evidence.
    public static func between(_ purchase: RefundSide, _ refund: RefundSide) -> RefundEvidence? {
        guard purchase.id != refund.id, purchase.amount.currency == refund.amount.currency,
            refund.amount.minorUnits > 0, refund.amount.minorUnits <= purchase.remaining,
            (0...days).contains(refund.date.daysSince1970 - purchase.date.daysSince1970)
        else { return nil }
        if let reference = TransferEvidence.strong(refund.reference),
            reference == TransferEvidence.strong(purchase.reference)
        {
            return .reference
        }
        guard purchase.bank == refund.bank, !purchase.account.isEmpty, !refund.account.isEmpty,
            MappingConditions.sameAccount(purchase.account, refund.account), purchase.isSamePayee(as: refund)
        else { return nil }
        return refund.amount == purchase.amount ? .whole : .partial
    }
}

/// The action for an income that a template read as a refund.
public enum RefundVerdict: Hashable, Sendable {
    public struct Partner: Hashable, Sendable {
        /// The purchase.
        public var id: Int64
        public var evidence: RefundEvidence
        public var confidence: Double

        public init(_ id: Int64, _ evidence: RefundEvidence, confidence: Double) {
            self.id = id
            self.evidence = evidence
            self.confidence = confidence
        }
    }

    case none
    /// The purchase is certain.
    case link(Partner)
    /// Propose each to a person.
    case ask([Partner])

    /// Links only if exactly one purchase has the reference of the refund, or if refund and purchase are each other's
    /// only candidates with the same merchant and the whole amount. A partial amount without a reference, and a refund
    /// with several candidates, are proposed.
    /// - Parameters:
    ///   - purchases: those of ``RefundEvidence/days`` before the refund.
    ///   - rivals: the other refunds that are not linked and may return one of the purchases.
    public init(_ refund: RefundSide, among purchases: [RefundSide], rivals: [RefundSide]) {
        let found = purchases.compactMap { purchase in
            RefundEvidence.between(purchase, refund).map { (purchase, $0) }
        }
        let contesting = rivals.filter { rival in
            rival.id != refund.id && found.contains { RefundEvidence.between($0.0, rival) != nil }
        }
        let joined = found.filter { $0.1 == .reference }
        let isCertain = found.count == 1 && contesting.isEmpty && found.first?.1 == .whole
        if let (purchase, evidence) = joined.count == 1 ? joined.first : isCertain ? found.first : nil {
            self = .link(Partner(purchase.id, evidence, confidence: evidence.confidence(among: 1)))
            return
        }
        let order = RefundEvidence.allCases
        let sorted = found.sorted { a, b in
            func key(_ side: RefundSide, _ evidence: RefundEvidence) -> (Int, Int, Int64) {
                (order.firstIndex(of: evidence) ?? 0, -side.date.daysSince1970, side.id)
            }
            return key(a.0, a.1) < key(b.0, b.1)
        }
        let asked = sorted.prefix(TransferVerdict.most).map { purchase, evidence in
            Partner(purchase.id, evidence, confidence: evidence.confidence(among: found.count + contesting.count))
        }
        self = asked.isEmpty ? .none : .ask(asked)
    }
}
