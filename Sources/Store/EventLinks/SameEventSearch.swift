import Chronology
import GRDB
import Ledger

/// Search for other reports of newly booked payments, within the booking transaction.
struct SameEventSearch {
    let db: Database
    let time: UnixTime
    private let rows: SameEventRows
    private var waiting: [(id: Int64, amount: Int64, isAlone: Bool)] = []
    /// Results of all searches.
    private(set) var found = (made: 0, proposed: 0)

    /// If false, it only proposes.
    let linksByItself: Bool

    init(_ db: Database, _ rows: SameEventRows, time: UnixTime, linksByItself: Bool = true) {
        self.db = db
        self.time = time
        self.linksByItself = linksByItself
        self.rows = rows
    }

    mutating func add(_ id: Int64?, _ decision: Decision, _ booking: EntryVerdict.Booking) {
        guard booking.status == .confirmed, let id, decision.profile != nil, let draft = decision.draft,
            let type = draft.type, type != .transfer
        else { return }
        waiting.append((id, draft.amount.minorUnits, booking.isAlone))
    }

    /// Most payments share their amount with no other: they were alone when they were booked, and no later payment of
    /// the batch has found them.
    mutating func finish() throws {
        let shared = Set(waiting.lazy.filter { !$0.isAlone }.map(\.amount))
        for payment in waiting where shared.contains(payment.amount) { try examine(payment.id) }
        waiting = []
    }

    mutating func examine(_ id: Int64) throws {
        guard let own = try rows.report(id), own.head == nil else { return }
        let events = try rows.events(like: own)
        switch SameEventVerdict(own.report, among: events.map { $0.reports.map(\.report) }) {
        case .none: return
        case .link(let partner): try add(partner, own, events, makes: linksByItself)
        case .ask(let partners): for partner in partners { try add(partner, own, events, makes: false) }
        }
    }

    /// The report of the account counts, unless the event has been linked, changed or proven otherwise.
    private mutating func add(
        _ partner: SameEventVerdict.Partner, _ own: SameEventRows.Report, _ events: [SameEventRows.Event], makes: Bool
    ) throws {
        guard let head = events.first(where: { $0.head.report.id == partner.id })?.head else { return }
        let isFirst =
            try (own.report.counts(before: head.report) || !rows.isFree(own.report.id)) && rows.isFree(head.report.id)
        let (from, to) = isFirst ? (own.report, head.report) : (head.report, own.report)
        let link = EventLinkWriter.Found(
            kind: .sameEvent, from: from.id, to: to.id, evidence: .sameEvent(partner.evidence),
            confidence: partner.confidence, why: partner.evidence.sentence)
        let isMade = try makes && (isFirst || rows.isFree(to.id))
        guard try EventLinkWriter(db: db).add(link, makes: isMade, time) else { return }
        if isMade { found.made += 1 } else { found.proposed += 1 }
    }

    /// True if a draft that may repeat a booked transaction reports it again under the same reference, so that the
    /// search links the two once it is booked.
    static func isReportedAgain(_ rows: SameEventRows, _ other: Int64, _ report: EventReport) throws -> Bool {
        guard let first = try rows.report(other), !first.isEdited, first.report.type == report.type else {
            return false
        }
        return SameEventEvidence.between(first.report, report) == .reference
    }
}
