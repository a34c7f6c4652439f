/// Reason why a mail that a template claims is not a transaction. The raw value is the template's `reason:` and the
/// stored name of the ``Reason``.
public enum IgnoreReason: String, Hashable, Sendable, CaseIterable {
    case otp, declined, reminder, statement, mandate, request, login, advert, balance, service

    /// An explanation for a person.
    public var sentence: String {
        switch self {
        case .otp: "a one-time password: nothing is paid yet"
        case .declined: "the payment was declined or failed"
        case .reminder: "a reminder of something due"
        case .statement: "a statement"
        case .mandate: "a mandate, or a payment to come"
        case .request: "a request for money"
        case .login: "a login or a registration"
        case .advert: "an offer"
        case .balance: "a balance only"
        case .service: "a notice about the account or card"
        }
    }
}
