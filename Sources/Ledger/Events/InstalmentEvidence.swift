import Chronology

/// What a bank's mail states about a purchase that is paid in instalments.
public struct InstalmentPlan: Hashable, Sendable {
    /// The price of the purchase.
    public var amount: Money
    /// One instalment, without taxes; `nil` if the mail does not print it.
    public var instalment: Money?
    /// The merchant of the purchase as printed.
    public var merchant: String?

    public init(amount: Money, instalment: Money? = nil, merchant: String? = nil) {
        (self.amount, self.instalment, self.merchant) = (amount, instalment, merchant)
    }
}

/// The evidence that a payment is an instalment of an earlier purchase, strongest first.
public enum InstalmentEvidence: String, Hashable, Sendable, CaseIterable {
    /// The bank's mail about the conversion has the amounts of both.
    case plan
    /// The same account and payee, and a part of the amount.
    case payee

    /// Maximum number of days from a purchase to an instalment: cards convert a purchase to at most 36 of them.
    public static let days = 36 * 31

    /// Confidence of a link, in 0...1. The weights order proposals; they are not measured frequencies.
    ///
    /// - Parameter candidates: the number of purchases with evidence, between which the weight is divided.
    public func confidence(among candidates: Int) -> Double {
        let weight =
            switch self {
            case .plan: 0.9
            case .payee: 0.6
            }
        return weight / Double(max(1, candidates))
    }

    /// The reason for the link, for display.
    public var sentence: String {
        switch self {
        case .plan: "the bank's mail about the instalments has the amounts of both"
        case .payee: "the same account and payee, and a part of the amount"
        }
    }

    private static let words = ["emi", "instalment", "instalments", "installment"].map { Array($0.utf8) }

    /// True if one of the parts is one of ``words``. Bytes, because each booked mail is asked.
    private static func hasWord(_ bytes: some Collection<UInt8>, separator: UInt8) -> Bool {
        bytes.split(separator: separator).contains { part in words.contains { part.elementsEqual($0) } }
    }

    /// True if a template for instalments read the report, by the words of its file's name: `sbi/emi`,
    /// `_india/instalment-paid`. The text of a mail is not consulted.
    public static func isInstalment(form: String) -> Bool {
        guard let file = form.utf8.split(separator: UInt8(ascii: "/")).last else { return false }
        return hasWord(file, separator: UInt8(ascii: "-"))
    }

    /// True if the printed name of a payment names an instalment, as a line of a statement does: `CROMA EMI 02/12`.
    public static func isInstalment(name: String?) -> Bool {
        guard let name else { return false }
        return hasWord(CategoryRules.normalizedBytes(name), separator: UInt8(ascii: " "))
    }

    /// `nil` if the second cannot be an instalment of the first.
    ///
    /// - Parameter plans: those of the account from which the instalment was paid.
    public static func between(
        _ purchase: EventReport, _ instalment: EventReport, plans: [InstalmentPlan] = []
    ) -> InstalmentEvidence? {
        let isNamed = isInstalment(form: instalment.form)
        guard isNamed || isInstalment(name: instalment.merchant), !isInstalment(form: purchase.form),
            !isInstalment(name: purchase.merchant), purchase.type == .expense, instalment.type == .expense,
            purchase.amount.currency == instalment.amount.currency, instalment.amount.minorUnits > 0,
            instalment.amount.minorUnits <= purchase.amount.minorUnits / 2,
            (1...days).contains(instalment.date.daysSince1970 - purchase.date.daysSince1970),
            purchase.isSameAccount(as: instalment)
        else { return nil }
        let isPlanned = plans.contains { plan in
            plan.amount == purchase.amount && plan.instalment == instalment.amount
                && plan.merchant.map { PayeeText.isSame($0, purchase.name) } != false
        }
        if isPlanned { return .plan }
        return isNamed && purchase.isSamePayee(as: instalment) ? .payee : nil
    }
}
