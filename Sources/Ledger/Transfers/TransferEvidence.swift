import Chronology

/// What speaks for two transactions being the two halves of one transfer, strongest first.
public enum TransferEvidence: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Both alerts print the same reference of the payment network.
    case reference
    /// One side names the other's account by its digits.
    case account
    /// A card received a payment, and the debit is one that pays cards.
    case cardBill = "card-bill"
    /// The same amount within minutes, and nothing else.
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

    /// Days that two halves with evidence may be apart: a card posts a payment up to three days later.
    public static let days = 3
    /// Seconds that two halves may be apart that have nothing but the amount in common.
    public static let seconds: Int64 = 15 * 60
    /// Characters of a reference that two alerts do not share by chance, and digits among them: an RRN has twelve.
    static let referenceLength = 8
    static let referenceDigits = 6

    /// `nil` where the two cannot be one transfer, or nothing but chance speaks for it.
    public static func between(_ a: TransferLeg, _ b: TransferLeg) -> TransferEvidence? {
        guard a.flow != b.flow, a.amount == b.amount, !a.account.isEmpty, !b.account.isEmpty, !isSame(a, b) else {
            return nil
        }
        let apart = abs(a.date.daysSince1970 - b.date.daysSince1970)
        guard apart <= days else { return nil }
        if let reference = strong(a.reference), reference == strong(b.reference) { return .reference }
        if names(a, b) || names(b, a) { return .account }
        let (debit, credit) = a.flow == .debit ? (a, b) : (b, a)
        // One that says which account it went to, or came from, went there and not here.
        if debit.counterpartyAccount != nil || credit.counterpartyAccount != nil { return nil }
        if credit.isTransfer, debit.paysCard { return .cardBill }
        guard !debit.isSomethingElse, !credit.isSomethingElse else { return nil }
        if a.hasTime, b.hasTime { return abs(a.instant - b.instant) <= seconds ? .amount : nil }
        return apart == 0 ? .amount : nil
    }

    /// The same account, or one that cannot be told from it.
    private static func isSame(_ a: TransferLeg, _ b: TransferLeg) -> Bool {
        a.bank == b.bank && MappingConditions.sameAccount(a.account, b.account)
    }

    private static func names(_ a: TransferLeg, _ b: TransferLeg) -> Bool {
        guard let named = a.counterpartyAccount, b.account.utf8.count >= 4 else { return false }
        return MappingConditions.sameAccount(named, b.account)
    }

    private static func strong(_ reference: String?) -> String? {
        guard let reference else { return nil }
        let plain = reference.uppercased().utf8.filter { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        guard plain.count >= referenceLength, plain.lazy.filter({ (0x30...0x39).contains($0) }).count >= referenceDigits
        else { return nil }
        return String(decoding: plain, as: UTF8.self)
    }
}

/// What is to be done about a transaction that may be half of a transfer.
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
    /// Unmistakable.
    case link(Partner)
    /// A person is asked about each.
    case ask([Partner])

    /// More pairs than this are no question that a person could answer.
    static let most = 4

    /// Linked without asking only where one reference joins the two, or where each is the only one that the other could
    /// belong to and says so: by an account's digits, or as a card's bill. What has only the amount in common is asked
    /// about, and so is everything that could be paired in two ways.
    /// - Parameters:
    ///   - others: every transaction with this amount within ``TransferEvidence/days``, linked ones too.
    ///   - linked: those that are half of a transfer already.
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

    /// The strongest evidence first.
    private static func partners(of leg: TransferLeg, among others: [TransferLeg]) -> [Partner] {
        others.compactMap { other in
            other.id == leg.id ? nil : TransferEvidence.between(leg, other).map { Partner(other.id, $0) }
        }
        .sorted { ($1.evidence, $0.id) < ($0.evidence, $1.id) }
    }
}
