import Chronology

/// The evidence that two reports are about one payment, strongest first. Examples are a UPI payment by credit card,
/// which the card's bank and the app report, and a payment that a bank and a merchant's wallet report.
public enum SameEventEvidence: String, Hashable, Sendable, CaseIterable {
    /// Both print the same reference: of the payment network, or any one in a mail and an SMS of one bank.
    case reference
    /// A mail and an SMS of one bank print the same account and time, of which one may lack the seconds.
    case moment
    /// The same amount within minutes, or on one day if a time is missing, and the same payee.
    case payee
    /// The same amount within ``closeSeconds``, and payees that differ or are not printed, or a mail and an SMS of one
    /// bank about one account.
    case time

    /// Maximum number of days between two reports with one reference: a bank may report after the settlement.
    public static let days = 3
    /// Maximum number of seconds between the printed times of two reports of one payee.
    public static let seconds: Int64 = 10 * 60
    /// Maximum number of seconds between the clocks of two senders that report one payment.
    public static let closeSeconds: Int64 = 3 * 60

    /// Confidence of a link, in 0...1. The weights order proposals; they are not measured frequencies.
    ///
    /// - Parameter candidates: the number of events with evidence, between which the weight is divided.
    public func confidence(among candidates: Int) -> Double {
        let weight =
            switch self {
            case .reference: 0.98
            case .moment: 0.9
            case .payee: 0.8
            case .time: 0.5
            }
        return weight / Double(max(1, candidates))
    }

    /// The reason for the link, for display.
    public var sentence: String {
        switch self {
        case .reference: "both reports print the same reference"
        case .moment: "a mail and an SMS of one bank print the same account and time"
        case .payee: "the same amount and payee within minutes"
        case .time: "the same amount within minutes"
        }
    }

    /// The strongest evidence; `nil` if the two cannot be about one payment, or there is none.
    public static func between(_ a: EventReport, _ b: EventReport) -> SameEventEvidence? { all(a, b).first }

    /// All evidence, the strongest first; empty if something speaks against one payment.
    static func all(_ a: EventReport, _ b: EventReport) -> [SameEventEvidence] {
        guard a.id != b.id, a.isCredit == b.isCredit, a.amount == b.amount, a.amount.minorUnits > 0, !areTwo(a, b)
        else { return [] }
        let apart = a.days(from: b)
        if shareReference(a, b) {
            // A card and the account behind it have different digits.
            return apart <= days && (a.bank == b.bank || a.mayBeOneAccount(with: b)) ? [.reference] : []
        }
        let isSamePayee = a.isSamePayee(as: b) && a.mayBeOneAccount(with: b)
        guard let seconds = a.seconds(from: b) else { return apart == 0 && isSamePayee ? [.payee] : [] }
        let payee: [SameEventEvidence] = isSamePayee && seconds <= Self.seconds ? [.payee] : []
        if areOfTwoMedia(a, b) {
            guard a.printsAccount(of: b) else { return payee }
            let isMoment = seconds == 0 || a.isInMinute(of: b)
            return (isMoment ? [.moment] : []) + payee + (seconds <= closeSeconds ? [.time] : [])
        }
        guard !isSamePayee, a.mayBeOneAccount(with: b), seconds <= closeSeconds else { return payee }
        // One bank spells a payee in one way.
        return a.bank == b.bank && !a.name.isEmpty && !b.name.isEmpty ? [] : [.time]
    }

    /// True if the reports are about two payments, even if everything else agrees: they print two references of the
    /// payment network, or share no reference and are reports of one form about one account.
    public static func areTwo(_ a: EventReport, _ b: EventReport) -> Bool {
        if shareReference(a, b) { return false }
        if let one = networkReference(a.reference), let other = networkReference(b.reference), one != other {
            return true
        }
        if areOfTwoMedia(a, b) { return !a.printedReference.isEmpty && !b.printedReference.isEmpty }
        return a.bank == b.bank && a.medium == b.medium && a.form == b.form
            && (a.account == b.account || a.isSameAccount(as: b))
    }

    /// True for a mail and an SMS of one bank, which sends both for each payment.
    static func areOfTwoMedia(_ a: EventReport, _ b: EventReport) -> Bool {
        guard let medium = a.medium, let other = b.medium, !a.bank.isEmpty else { return false }
        return a.bank == b.bank && medium != other
    }

    private static func shareReference(_ a: EventReport, _ b: EventReport) -> Bool {
        if let one = TransferEvidence.strong(a.reference), one == TransferEvidence.strong(b.reference) { return true }
        if areOfTwoMedia(a, b), !a.printedReference.isEmpty, a.printedReference == b.printedReference { return true }
        guard let one = networkReference(a.reference) else { return false }
        return one == networkReference(b.reference)
    }

    /// The retrieval reference number in a printed reference such as `UPI/607812345999/PAY`: its only run of twelve
    /// digits.
    private static func networkReference(_ reference: String?) -> String? {
        let runs = (reference ?? "").utf8.split { !(0x30...0x39).contains($0) }.filter { $0.count == 12 }
        return runs.count == 1 ? String(decoding: runs[0], as: UTF8.self) : nil
    }
}
