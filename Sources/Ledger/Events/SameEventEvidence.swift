import Chronology

/// The evidence that two reports are about one payment, strongest first. Examples are a UPI payment by credit card,
/// which the card's bank and the app report, and a payment that a bank and a merchant's wallet report.
public enum SameEventEvidence: String, Hashable, Sendable, CaseIterable {
    /// Both print the same reference of the payment network.
    case reference
    /// The same amount within minutes, or on one day if a time is missing, and the same payee.
    case payee
    /// The same amount within ``closeSeconds``, and payees that differ or are not printed.
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
            case .payee: 0.8
            case .time: 0.5
            }
        return weight / Double(max(1, candidates))
    }

    /// Why two reports belong together, for display.
    public var sentence: String {
        switch self {
        case .reference: "both reports print the same reference"
        case .payee: "the same amount and payee within minutes"
        case .time: "the same amount within minutes"
        }
    }

    /// `nil` if the two cannot be about one payment, or there is no evidence.
    public static func between(_ a: EventReport, _ b: EventReport) -> SameEventEvidence? {
        guard a.id != b.id, a.type == b.type, a.type != .transfer, a.amount == b.amount, a.amount.minorUnits > 0,
            !areTwo(a, b)
        else { return nil }
        let apart = abs(a.date.daysSince1970 - b.date.daysSince1970)
        if shareReference(a, b) {
            // A debit card and its account have different digits.
            return apart <= days && (a.bank == b.bank || a.mayBeOneAccount(with: b)) ? .reference : nil
        }
        guard a.mayBeOneAccount(with: b) else { return nil }
        let isSamePayee = a.isSamePayee(as: b)
        guard a.hasTime, b.hasTime else { return apart == 0 && isSamePayee ? .payee : nil }
        let seconds = abs(a.instant - b.instant)
        if isSamePayee { return seconds <= Self.seconds ? .payee : nil }
        // One bank spells a payee in one way.
        if a.bank == b.bank, !a.name.isEmpty, !b.name.isEmpty { return nil }
        return seconds <= closeSeconds ? .time : nil
    }

    /// True if the reports are about two payments, even if everything else agrees: they print two references of the
    /// payment network, or share no reference and are reports of one form about one account.
    public static func areTwo(_ a: EventReport, _ b: EventReport) -> Bool {
        if shareReference(a, b) { return false }
        if let one = networkReference(a.reference), let other = networkReference(b.reference), one != other {
            return true
        }
        return a.bank == b.bank && a.form == b.form && (a.account == b.account || a.isSameAccount(as: b))
    }

    private static func shareReference(_ a: EventReport, _ b: EventReport) -> Bool {
        if let one = TransferEvidence.strong(a.reference), one == TransferEvidence.strong(b.reference) { return true }
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

/// The action for a report that may be about the event of other reports.
public enum SameEventVerdict: Hashable, Sendable {
    public struct Partner: Hashable, Sendable {
        /// The first report of the event.
        public var id: Int64
        public var evidence: SameEventEvidence
        public var confidence: Double

        public init(_ id: Int64, _ evidence: SameEventEvidence, confidence: Double) {
            (self.id, self.evidence, self.confidence) = (id, evidence, confidence)
        }
    }

    case none
    /// The event is certain.
    case link(Partner)
    /// Propose each to a person.
    case ask([Partner])

    /// Links only if the reference is that of one event, or of several events that share it; in the second case, it
    /// links to the report that counts. Everything else is proposed.
    ///
    /// - Parameter events: the reports of each event; the first counts. A report that cannot be about the same payment
    ///   as one of them belongs to another event.
    public init(_ report: EventReport, among events: [[EventReport]]) {
        let order = SameEventEvidence.allCases
        let found = events.compactMap { reports -> (EventReport, SameEventEvidence)? in
            guard let first = reports.first, !reports.contains(where: { SameEventEvidence.areTwo($0, report) })
            else { return nil }
            let evidence = reports.compactMap { SameEventEvidence.between($0, report) }
            return order.first(where: evidence.contains).map { (first, $0) }
        }
        let joined = found.filter { $0.1 == .reference }.map(\.0).sorted { $0.counts(before: $1) }
        let isOne = joined.indices.allSatisfy { index in
            joined[..<index].allSatisfy { SameEventEvidence.between($0, joined[index]) == .reference }
        }
        if isOne, let event = joined.first {
            self = .link(Partner(event.id, .reference, confidence: SameEventEvidence.reference.confidence(among: 1)))
            return
        }
        let sorted = found.sorted { a, b in
            func key(_ event: EventReport, _ evidence: SameEventEvidence) -> (Int, Int64, Int64) {
                (order.firstIndex(of: evidence) ?? 0, abs(event.instant - report.instant), event.id)
            }
            return key(a.0, a.1) < key(b.0, b.1)
        }
        let asked = sorted.prefix(TransferVerdict.most).map { event, evidence in
            Partner(event.id, evidence, confidence: evidence.confidence(among: found.count))
        }
        self = asked.isEmpty ? .none : .ask(asked)
    }
}
