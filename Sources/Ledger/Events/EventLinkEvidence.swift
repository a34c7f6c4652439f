/// The evidence for a link between two transactions of one event. The kind of the link decides which evidence it has.
public enum EventLinkEvidence: Hashable, Sendable {
    /// Of a refund or a reversal.
    case refund(RefundEvidence)
    case finalAmount(FinalAmountEvidence)
    case sameEvent(SameEventEvidence)
    case instalment(InstalmentEvidence)
    /// A person made the link.
    case person

    private static let personWord = "person"

    /// Reads the word of a link in the database.
    /// - Returns: `nil` if links of the kind have no such evidence.
    public init?(_ word: String, of kind: EventLinkKind) {
        guard word != Self.personWord else {
            self = .person
            return
        }
        let evidence: EventLinkEvidence? =
            switch kind {
            case .refund, .reversal: RefundEvidence(rawValue: word).map { .refund($0) }
            case .settles: FinalAmountEvidence(rawValue: word).map { .finalAmount($0) }
            case .sameEvent: SameEventEvidence(rawValue: word).map { .sameEvent($0) }
            case .instalment: InstalmentEvidence(rawValue: word).map { .instalment($0) }
            }
        guard let evidence else { return nil }
        self = evidence
    }

    /// The spelling in the database and in JSON. It is unique only within a kind: several kinds have a `reference`.
    public var word: String {
        switch self {
        case .refund(let evidence): evidence.rawValue
        case .finalAmount(let evidence): evidence.rawValue
        case .sameEvent(let evidence): evidence.rawValue
        case .instalment(let evidence): evidence.rawValue
        case .person: Self.personWord
        }
    }
}
