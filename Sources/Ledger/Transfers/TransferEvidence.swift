import Chronology

/// The evidence that two transactions are the two sides of one transfer, strongest first.
public enum TransferEvidence: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Both alerts print the same reference of the payment network.
    case reference
    /// One side names the other's account by its digits.
    case account
    /// A card received a payment, and the debit is one that pays cards.
    case cardBill = "card-bill"
    /// Only the same amount within minutes.
    case amount

    public static func < (a: Self, b: Self) -> Bool { a.strength < b.strength }

    private var strength: Int {
        switch self {
        case .amount: 0
        case .cardBill: 1
        case .account: 2
        case .reference: 3
        }
    }

    /// Maximum number of days between two sides with evidence: a card posts a payment up to three days later.
    public static let days = 3
    /// Maximum number of seconds between two sides that have only the amount in common.
    public static let seconds: Int64 = 15 * 60
    /// Minimum length of a reference that two alerts do not share by chance, and of its digits: an RRN has twelve.
    static let referenceLength = 8
    static let referenceDigits = 6

    /// `nil` if the two cannot be one transfer, or there is no evidence.
    public static func between(_ a: TransferLeg, _ b: TransferLeg) -> TransferEvidence? {
        guard a.flow != b.flow, a.amount == b.amount, !a.account.isEmpty, !b.account.isEmpty, !isSame(a, b) else {
            return nil
        }
        let apart = abs(a.date.daysSince1970 - b.date.daysSince1970)
        guard apart <= days else { return nil }
        if let reference = strong(a.reference), reference == strong(b.reference) { return .reference }
        if names(a, b) || names(b, a) { return .account }
        let (debit, credit) = a.flow == .debit ? (a, b) : (b, a)
        // A side that names another account belongs to that one.
        if debit.counterpartyAccount != nil || credit.counterpartyAccount != nil { return nil }
        if credit.isTransfer, debit.paysCard { return .cardBill }
        guard !debit.isSomethingElse, !credit.isSomethingElse else { return nil }
        if a.hasTime, b.hasTime { return abs(a.instant - b.instant) <= seconds ? .amount : nil }
        return apart == 0 ? .amount : nil
    }

    /// True for the same account, or one that cannot be distinguished from it.
    private static func isSame(_ a: TransferLeg, _ b: TransferLeg) -> Bool {
        a.bank == b.bank && MappingConditions.sameAccount(a.account, b.account)
    }

    private static func names(_ a: TransferLeg, _ b: TransferLeg) -> Bool {
        guard let named = a.counterpartyAccount, b.account.utf8.count >= 4 else { return false }
        return MappingConditions.sameAccount(named, b.account)
    }

    /// A reference without signs, in upper case; `nil` if it is so short that two alerts may share it by chance.
    static func strong(_ reference: String?) -> String? {
        guard let reference else { return nil }
        let plain = reference.uppercased().utf8.filter { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        guard plain.count >= referenceLength, plain.lazy.filter({ (0x30...0x39).contains($0) }).count >= referenceDigits
        else { return nil }
        return String(decoding: plain, as: UTF8.self)
    }
}

/// The action for a transaction that may be one side of a transfer.
public enum TransferVerdict: Hashable, Sendable {
    public struct Partner: Hashable, Sendable {
        public var id: Int64
        public var evidence: TransferEvidence

        public init(_ id: Int64, _ evidence: TransferEvidence) {
            self.id = id
            self.evidence = evidence
        }
    }

    case none
    /// The partner is certain.
    case link(Partner)
    /// Propose each to a person.
    case ask([Partner])

    /// Maximum number of pairs proposed to a person.
    public static let most = 4

    /// Links only if the two share a reference, or if each is the other's only candidate and the evidence is an
    /// account's digits or a card's bill. Pairs with only the amount in common, and transactions with several
    /// candidates, are proposed.
    /// - Parameters:
    ///   - others: every transaction with this amount within ``TransferEvidence/days``, linked ones too.
    ///   - linked: the transactions that are one side of a transfer already.
    public init(_ leg: TransferLeg, among others: [TransferLeg], linked: Set<Int64>) {
        let partners = Self.partners(of: leg, among: others)
        let joined = partners.filter { $0.evidence == .reference }
        let all = others + [leg]
        func isMutual(_ partner: Partner, by evidence: TransferEvidence?) -> Bool {
            guard !linked.contains(partner.id), let other = others.first(where: { $0.id == partner.id }) else {
                return false
            }
            return Self.partners(of: other, among: all).filter { evidence == nil || $0.evidence == evidence }.map(\.id)
                == [leg.id]
        }
        if joined.count == 1, let only = joined.first, isMutual(only, by: .reference) {
            self = .link(only)
        } else if partners.count == 1, let only = partners.first, only.evidence > .amount, isMutual(only, by: nil) {
            self = .link(only)
        } else {
            let open = partners.filter { !linked.contains($0.id) }.prefix(Self.most)
            self = open.isEmpty ? .none : .ask(Array(open))
        }
    }

    /// Candidates, the strongest evidence first.
    private static func partners(of leg: TransferLeg, among others: [TransferLeg]) -> [Partner] {
        others.compactMap { other in
            other.id == leg.id ? nil : TransferEvidence.between(leg, other).map { Partner(other.id, $0) }
        }
        .sorted { ($1.evidence, $0.id) < ($0.evidence, $1.id) }
    }
}
