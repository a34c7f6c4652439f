/// The basis on which two transactions are one transfer.
///
/// The raw value is the spelling in the database and in JSON: that of a ``TransferEvidence``, `person` or `cash`.
public enum TransferBasis: RawRepresentable, Hashable, Sendable {
    case evidence(TransferEvidence)
    /// A person linked the two.
    case person
    /// A person declared that a withdrawal went into a cash account.
    case cash

    public init?(rawValue: String) {
        switch rawValue {
        case "person": self = .person
        case "cash": self = .cash
        default:
            guard let evidence = TransferEvidence(rawValue: rawValue) else { return nil }
            self = .evidence(evidence)
        }
    }

    public var rawValue: String {
        switch self {
        case .evidence(let evidence): evidence.rawValue
        case .person: "person"
        case .cash: "cash"
        }
    }

    /// A clause for display: `both alerts print the same reference`.
    public var clause: String {
        switch self {
        case .evidence(.reference): "both alerts print the same reference"
        case .evidence(.account): "one alert names the other account"
        case .evidence(.cardBill): "the card received what was paid for its bill"
        case .evidence(.amount): "the same amount within minutes"
        case .person: "linked by a person"
        case .cash: "cash from a machine, linked by a person"
        }
    }
}

/// The basis of a transfer and the accounts of its sides, for display.
public struct TransferReason: Hashable, Sendable {
    public var basis: TransferBasis
    /// `hdfc 4410`: bank and digits of the debited account; `nil` if no alert names it.
    public var debit: String?
    public var credit: String?

    public init(_ basis: TransferBasis, debit: String? = nil, credit: String? = nil) {
        self.basis = basis
        self.debit = debit
        self.credit = credit
    }

    public init(_ evidence: TransferEvidence, debit: TransferLeg?, credit: TransferLeg?) {
        self.init(
            .evidence(evidence), debit: debit.flatMap { Self.account(bank: $0.bank, digits: $0.account) },
            credit: credit.flatMap { Self.account(bank: $0.bank, digits: $0.account) })
    }

    /// - Returns: `nil` if neither is known.
    public static func account(bank: String?, digits: String?) -> String? {
        let known = [bank, digits].compactMap { $0 }.filter { !$0.isEmpty }
        return known.isEmpty ? nil : known.joined(separator: " ")
    }

    /// `transfer from hdfc 4410 to sbi 4417: both alerts print the same reference`.
    public var sentence: String {
        let accounts =
            switch (debit, credit) {
            case (let from?, let to?): "from \(from) to \(to)"
            case (let from?, nil): "from \(from) to another account of yours"
            case (nil, let to?): "from another account of yours to \(to)"
            case (nil, nil): "between your accounts"
            }
        return "transfer \(accounts): \(basis.clause)"
    }
}
