import Chronology

/// The evidence that a payment is an instalment of an earlier purchase.
public enum InstalmentEvidence: String, Hashable, Sendable, CaseIterable {
    /// The same account and payee, and a part of the amount.
    case payee

    /// Maximum number of days from a purchase to an instalment: cards convert a purchase to at most 36 of them.
    public static let days = 36 * 31

    /// Confidence of a link, in 0...1. It orders proposals; it is not a measured frequency.
    public static let confidence = 0.6

    /// The reason for the link, for display.
    public var sentence: String {
        switch self {
        case .payee: "the same account and payee, and a part of the amount"
        }
    }

    /// True if a template for instalments read the report, by the words of its file's name: `sbi/emi`,
    /// `_india/instalment-paid`. The text of a mail is not consulted.
    public static func isInstalment(form: String) -> Bool {
        let words = (form.split(separator: "/").last ?? "").split(separator: "-")
        return words.contains { ["emi", "instalment", "instalments"].contains($0) }
    }

    /// `nil` if the second cannot be an instalment of the first.
    public static func between(_ purchase: EventReport, _ instalment: EventReport) -> InstalmentEvidence? {
        guard isInstalment(form: instalment.form), !isInstalment(form: purchase.form),
            purchase.type == .expense, instalment.type == .expense,
            purchase.amount.currency == instalment.amount.currency, instalment.amount.minorUnits > 0,
            instalment.amount.minorUnits <= purchase.amount.minorUnits / 2,
            (1...days).contains(instalment.date.daysSince1970 - purchase.date.daysSince1970),
            purchase.isSameAccount(as: instalment), purchase.isSamePayee(as: instalment)
        else { return nil }
        return .payee
    }
}
