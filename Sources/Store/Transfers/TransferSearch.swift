import Chronology
import GRDB
import Ledger

/// Search for the other side of newly booked transactions, within the booking transaction.
struct TransferSearch {
    let db: Database
    let time: UnixTime
    private let rows: TransferRows
    private var waiting: [Int64] = []
    private var linked = 0
    private var proposed = 0

    /// If false, it only proposes.
    let linksByItself: Bool

    init(_ db: Database, time: UnixTime, linksByItself: Bool = true) {
        self.db = db
        rows = TransferRows(db)
        self.linksByItself = linksByItself
        self.time = time
    }

    /// Adds a new row that may be a side of a transfer, which a card payment at a shop and its refund are not.
    mutating func add(_ id: Int64?, _ decision: Decision, _ status: TransactionStatus) throws {
        guard status == .confirmed, let id, let draft = decision.draft, draft.account != nil, decision.profile != nil
        else { return }
        if draft.type == .expense {
            if draft.channel == .card || draft.channel == .atm { return }
            // A shop excludes all evidence but a shared reference, which a payment to a shop shares with no other
            // account's alert.
            if let category = decision.category?.mapping.category, !TransferRows.between.contains(category) { return }
        }
        if draft.type == .income, ReturnKind(template: decision.template) != nil { return }
        waiting.append(id)
    }

    mutating func finish() throws {
        for id in waiting { try examine(id) }
        waiting = []
    }

    /// Results of all searches.
    var found: (linked: Int, proposed: Int) { (linked, proposed) }

    /// Links or proposes the other side of a booked transaction.
    mutating func examine(_ id: Int64) throws {
        guard let own = try rows.leg(id), !own.isLinked else { return }
        let others = try rows.legs(like: own.leg)
        switch TransferVerdict(own.leg, among: others.map(\.leg), linked: Set(others.filter(\.isLinked).map(\.leg.id)))
        {
        case .link(let partner):
            guard let other = others.first(where: { $0.leg.id == partner.id }) else { return }
            let (debit, credit) = own.leg.flow == .debit ? (own, other) : (other, own)
            guard try !rows.isSettled(debit.leg.id, credit.leg.id) else { return }
            if own.isEdited || other.isEdited || !linksByItself {
                proposed += try rows.propose(debit.leg, credit.leg, partner.evidence, time) ? 1 : 0
            } else {
                try rows.link(
                    debit: debit.leg.id, credit: credit.leg.id,
                    TransferReason(partner.evidence, debit: debit.leg, credit: credit.leg), by: "rule", time)
                linked += 1
            }
        case .ask(let partners):
            for partner in partners {
                guard let other = others.first(where: { $0.leg.id == partner.id })?.leg else { continue }
                let (debit, credit) = own.leg.flow == .debit ? (own.leg, other) : (other, own.leg)
                proposed += try rows.propose(debit, credit, partner.evidence, time) ? 1 : 0
            }
        case .none:
            guard let named = own.leg.counterpartyAccount, try rows.isOwnAccount(named, besides: own.leg) else {
                return
            }
            let isDebit = own.leg.flow == .debit
            proposed += try rows.propose(isDebit ? own.leg : nil, isDebit ? nil : own.leg, .account, time) ? 1 : 0
        }
    }
}
