import Chronology
import GRDB
import Ledger

/// Search for the purchases of newly booked instalments, within the booking transaction. A bank's mail about the
/// conversion of one purchase alone makes the link; everything else is proposed.
struct InstalmentSearch {
    let db: Database
    let time: UnixTime
    private let rows: SameEventRows
    private var waiting: [Int64] = []

    init(_ db: Database, _ rows: SameEventRows, time: UnixTime) {
        (self.db, self.rows, self.time) = (db, rows, time)
    }

    mutating func add(_ id: Int64?, _ decision: Decision, _ status: TransactionStatus) {
        guard status == .confirmed, let id,
            InstalmentEvidence.isInstalment(form: decision.template ?? "")
                || InstalmentEvidence.isInstalment(name: decision.draft?.merchant)
        else { return }
        waiting.append(id)
    }

    mutating func finish() throws {
        for id in waiting { try examine(id) }
        waiting = []
    }

    /// - Returns: the number of new links and proposals.
    @discardableResult
    func examine(_ id: Int64) throws -> Int {
        guard let own = try rows.report(id), own.head == nil,
            InstalmentEvidence.isInstalment(form: own.report.form)
                || InstalmentEvidence.isInstalment(name: own.report.merchant),
            try !isLinked(id)
        else { return 0 }
        let plans = try plans(of: own.report)
        let found = try rows.purchases(before: own.report).compactMap { purchase in
            InstalmentEvidence.between(purchase.report, own.report, plans: plans).map { (purchase.report.id, $0) }
        }
        let planned = found.filter { $0.1 == .plan }
        var count = 0
        for (purchase, evidence) in (planned.isEmpty ? found : planned).prefix(TransferVerdict.most) {
            let link = EventLinkWriter.Found(
                kind: .instalment, from: purchase, to: id, evidence: .instalment(evidence),
                confidence: evidence.confidence(among: planned.isEmpty ? found.count : planned.count),
                why: evidence.sentence)
            let makes = try planned.count == 1 && isFree(id, of: purchase)
            if try EventLinkWriter(db: db).add(link, makes: makes, time) { count += 1 }
        }
        return count
    }

    /// The plans of the account, of notices. Banks print four digits in one mail and six in another.
    private func plans(of instalment: EventReport) throws -> [InstalmentPlan] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT amount_minor, minimum_minor, merchant FROM notices
                    WHERE kind = 'instalments' AND currency = ?1 AND EXISTS (
                      SELECT 1 FROM user_account_numbers u WHERE u.user_account_id = ?2 AND u.profile = notices.profile
                        AND substr(u.account_digits, -4) = substr(notices.account_digits, -4))
                    """), arguments: [instalment.amount.currency.code, instalment.userAccount]
        ).map { row in
            func money(_ minorUnits: Int64?) -> Money? {
                minorUnits.map { Money(minorUnits: $0, currency: instalment.amount.currency) }
            }
            return InstalmentPlan(
                amount: Money(minorUnits: row[0], currency: instalment.amount.currency), instalment: money(row[1]),
                merchant: row[2])
        }
    }

    private func isLinked(_ id: Int64) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND to_id = ?)",
            arguments: [id]) ?? false
    }

    /// True if no trigger refuses the link.
    private func isFree(_ instalment: Int64, of purchase: Int64) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND (to_id IN (?1, ?2) OR from_id = ?1))
                  AND NOT EXISTS (SELECT 1 FROM split_transactions WHERE transaction_id = ?1)
                """, arguments: [instalment, purchase]) ?? false
    }
}
