import Chronology
import GRDB
import Ledger

/// Search for the purchases of newly booked instalments, within the booking transaction. It only proposes.
struct InstalmentSearch {
    let db: Database
    let time: UnixTime
    private let rows: SameEventRows
    private var waiting: [Int64] = []

    init(_ db: Database, _ rows: SameEventRows, time: UnixTime) {
        (self.db, self.rows, self.time) = (db, rows, time)
    }

    mutating func add(_ id: Int64?, _ decision: Decision, _ status: TransactionStatus) {
        guard status == .confirmed, let id, InstalmentEvidence.isInstalment(form: decision.template ?? "") else {
            return
        }
        waiting.append(id)
    }

    mutating func finish() throws {
        for id in waiting { try examine(id) }
        waiting = []
    }

    /// - Returns: the number of new proposals.
    @discardableResult
    func examine(_ id: Int64) throws -> Int {
        guard let own = try rows.report(id), own.head == nil, InstalmentEvidence.isInstalment(form: own.report.form),
            try !isLinked(id)
        else { return 0 }
        let found = try rows.purchases(before: own.report).filter {
            InstalmentEvidence.between($0.report, own.report) != nil
        }
        var proposed = 0
        for purchase in found.prefix(4) {
            let link = EventLinkWriter.Found(
                kind: .instalment, from: purchase.report.id, to: id, evidence: InstalmentEvidence.payee.rawValue,
                confidence: InstalmentEvidence.confidence / Double(found.count),
                why: InstalmentEvidence.payee.sentence)
            if try EventLinkWriter(db: db).add(link, makes: false, time) { proposed += 1 }
        }
        return proposed
    }

    private func isLinked(_ id: Int64) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND to_id = ?)",
            arguments: [id]) ?? false
    }
}
