import Chronology

/// The action for a report that may be about the event of others.
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

    /// Links without a question only if the reference joins the report with one event, or with several that it joins
    /// with one another: then with the one that counts. Everything else is proposed.
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
