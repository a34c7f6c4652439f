import Chronology
import GRDB
import Ledger

/// Links of final amounts with the authorisations that they replace.
struct FinalAmountSearch {
    let db: Database
    let time: UnixTime
    private let rows: SameEventRows
    private var waiting: [(id: Int64, authorisation: Int64)] = []
    /// Read at the first pair of two currencies.
    private var rates: RateTable?

    init(_ db: Database, _ rows: SameEventRows, time: UnixTime) {
        (self.db, self.rows, self.time) = (db, rows, time)
    }

    /// Adds a new row whose reference an earlier row of another amount has, see ``isFinal(_:of:_:)``.
    mutating func add(_ id: Int64?, replacing authorisation: Int64?) {
        guard let id, let authorisation else { return }
        waiting.append((id, authorisation))
    }

    mutating func finish() throws {
        for (id, authorisation) in waiting {
            guard let settlement = try rows.report(id), let held = try rows.report(authorisation), held.head == nil,
                let evidence = FinalAmountEvidence.between(held.report, settlement.report)
            else { continue }
            try add(held.report, settlement.report, evidence, makes: rows.isFree(authorisation))
        }
        waiting = []
    }

    /// Proposes the authorisations that a line of a statement may settle.
    mutating func examine(line id: Int64) throws {
        guard let settlement = try rows.report(id) else { return }
        for held in try rows.unproven(before: settlement.report) {
            let price = try price(of: held.report, in: settlement.report.amount.currency, on: settlement.report.date)
            guard
                let evidence = FinalAmountEvidence.between(
                    held.report, settlement.report, isUnproven: true, price: price)
            else { continue }
            try add(held.report, settlement.report, evidence, makes: false)
        }
    }

    private mutating func price(
        of held: EventReport, in currency: Currency, on day: CalendarDate
    ) throws -> Money? {
        guard held.amount.currency != currency else { return nil }
        if rates == nil { rates = try RateTable(storedIn: db) }
        return rates?.convert(held.amount, to: currency, on: day)
    }

    private func add(
        _ held: EventReport, _ settlement: EventReport, _ evidence: FinalAmountEvidence, makes: Bool
    ) throws {
        let link = EventLinkWriter.Found(
            kind: .settles, from: settlement.id, to: held.id, evidence: .finalAmount(evidence),
            confidence: evidence.confidence, why: evidence.sentence)
        _ = try EventLinkWriter(db: db).add(link, makes: makes, time)
    }

    /// True if a draft with the reference of a booked transaction is its final amount, so that no person is asked.
    static func isFinal(_ rows: SameEventRows, _ first: Int64, _ report: EventReport) throws -> Bool {
        guard let held = try rows.report(first), held.head == nil, try rows.isFree(first) else { return false }
        return FinalAmountEvidence.between(held.report, report) == .reference
    }
}
