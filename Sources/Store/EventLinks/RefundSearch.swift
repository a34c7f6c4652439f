import Chronology
import GRDB
import Ledger

/// Search for the purchases of newly booked refunds, and for the refunds of purchases whose mail came later, within the
/// booking transaction.
struct RefundSearch {
    let time: UnixTime
    private let rows: RefundRows
    private var refunds: [Int64] = []
    private var purchases: [Purchase] = []
    /// Results of all searches.
    private(set) var found = (made: 0, proposed: 0)

    private struct Purchase {
        var id: Int64
        var date: CalendarDate
    }

    /// If false, it only proposes.
    let linksByItself: Bool

    init(_ db: Database, time: UnixTime, linksByItself: Bool = true) {
        rows = RefundRows(db: db)
        self.time = time
        self.linksByItself = linksByItself
    }

    /// Adds a new row: a refund by the template that read it, or an expense.
    mutating func add(_ id: Int64?, _ decision: Decision, _ status: TransactionStatus) {
        guard status == .confirmed, let id, let draft = decision.draft, decision.profile != nil else { return }
        switch draft.type {
        case .income: if ReturnKind(template: decision.template) != nil { refunds.append(id) }
        case .expense: purchases.append(Purchase(id: id, date: draft.date))
        case .transfer, nil: break
        }
    }

    mutating func finish() throws {
        for id in refunds { try findPurchase(of: id) }
        try findRefunds(of: purchases)
        (refunds, purchases) = ([], [])
    }

    /// Searches for a row of either kind.
    mutating func examine(_ id: Int64) throws {
        try findPurchase(of: id)
        if let purchase = try rows.purchase(id) { try findRefunds(of: [Purchase(id: id, date: purchase.date)]) }
    }

    /// Searches the purchase of a refund.
    private mutating func findPurchase(of id: Int64) throws {
        guard let refund = try rows.refund(id) else { return }
        let purchases = try rows.purchases(for: refund.side)
        guard let first = purchases.map(\.date).min() else { return }
        let last = refund.side.date.daysSince1970 + RefundEvidence.days
        let rivals = try rows.refunds(first, through: CalendarDate(daysSince1970: last)).map(\.side)
        switch RefundVerdict(refund.side, among: purchases, rivals: rivals) {
        case .none: return
        case .link(let partner):
            let makes = linksByItself && !refund.isEdited
            guard try rows.add(refund.kind, id, partner, makes: makes, time) else { return }
            if makes { found.made += 1 } else { found.proposed += 1 }
        case .ask(let partners):
            for partner in partners where try rows.add(refund.kind, id, partner, makes: false, time) {
                found.proposed += 1
            }
        }
    }

    /// Searches refunds that were booked before their purchases: one query for a batch without any.
    private mutating func findRefunds(of purchases: [Purchase]) throws {
        guard let first = purchases.map(\.date).min(), let last = purchases.map(\.date).max() else { return }
        let end = CalendarDate(daysSince1970: last.daysSince1970 + RefundEvidence.days)
        let refunds = try rows.refunds(first, through: end)
        guard !refunds.isEmpty else { return }
        let sides = try purchases.compactMap { try rows.purchase($0.id) }
        for refund in refunds where sides.contains(where: { RefundEvidence.between($0, refund.side) != nil }) {
            try findPurchase(of: refund.side.id)
        }
    }
}
