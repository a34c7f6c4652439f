/// The relation of two transactions of one event, as `transaction_links` names it. A link leads from the transaction
/// that counts to the one that it changes.
public enum EventLinkKind: String, Hashable, Sendable, CaseIterable {
    /// From a purchase to the money that the merchant returned.
    case refund
    /// From a payment to the money of it that the bank returned.
    case reversal
    /// From the final amount to the authorisation that it replaces.
    case settles
    /// From the report that counts to another report of the same payment.
    case sameEvent = "same_event"
    /// From a purchase to a payment of it in parts.
    case instalment

    public init(_ kind: ReturnKind) { self = kind == .refund ? .refund : .reversal }

    /// True if the transaction at the end of the link counts nowhere: another one replaces it.
    public var isReplacement: Bool { self == .settles || self == .sameEvent }

    /// True for a return of money.
    public var isReturn: Bool { self == .refund || self == .reversal }

    /// For sentences.
    public var words: String {
        switch self {
        case .refund: "refund"
        case .reversal: "reversal"
        case .settles: "final amount"
        case .sameEvent: "same payment"
        case .instalment: "instalment"
        }
    }
}
