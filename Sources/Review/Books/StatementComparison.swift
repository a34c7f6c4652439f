import Chronology
public import Ledger
public import Store

/// A statement beside the ledger: the lines that are booked, and the rest of both sides. Changes nothing.
public struct StatementComparison: Sendable {
    public let statement: BankStatement
    public let result: Reconciliation
    /// The transactions that `result` names.
    public let transactions: [Int64: TransactionRow]

    /// - Parameters:
    ///   - account: number of the account that the statement is of.
    ///   - booked: the transactions that lines booked, by the index of the line.
    public init(
        _ statement: BankStatement, account: Int64, booked: [Int: Int64] = [:], in ledger: some ReadScope
    ) throws(StoreError) {
        var rows: [Int64: TransactionRow] = [:]
        var entries: [LedgerEntry] = []
        if let days = Reconciliation.searched(for: statement) {
            var query = TransactionQuery(limit: TransactionQuery.maximumLimit)
            (query.since, query.until) = (days.first, days.last)
            query.statuses = [.confirmed, .needsReview]
            query.currency = statement.currency
            query.countsAll = false
            repeat {
                let page = try ledger.transactions.page(query)
                let links = try ledger.transfers.links(of: page.rows.map(\.id))
                for row in page.rows {
                    rows[row.id] = row
                    entries.append(LedgerEntry(row, linked: links[row.id]?.flow, account: account))
                }
                query.cursor = page.next
            } while query.cursor != nil
        }
        let result = Reconciliation(statement, with: entries, booked: booked)
        let named = Set(result.matches.map(\.transaction) + result.onlyInLedger.map(\.transaction))
        self.statement = statement
        self.result = result
        transactions = rows.filter { named.contains($0.key) }
    }

    /// Compares a stored statement with the ledger.
    public init(_ content: StatementContent, in ledger: some ReadScope) throws(StoreError) {
        try self.init(content.statement, account: content.row.account, booked: content.booked, in: ledger)
    }

    /// The strength of the proof; `nil` if the balances do not follow from the lines. Readers refuse such a statement.
    public var proof: StatementProof.Strength? { (try? StatementProof(statement))?.strength }

    /// True if every line is booked as the bank wrote it, and nothing else is.
    public var agrees: Bool {
        result.onlyInStatement.isEmpty && result.onlyInLedger.isEmpty
            && result.matches.allSatisfy { $0.differences.isEmpty }
    }
}

extension StatementComparison {
    /// True if the statement proves itself and each of its lines has a confirmed transaction with its amount.
    /// Transactions that are only in the ledger may be pending, so they are ignored.
    public var isReconciled: Bool {
        guard let proof, proof != .none else { return false }
        return result.onlyInStatement.allSatisfy { statement.lines[$0].change == 0 }
            && result.matches.allSatisfy {
                !$0.differences.contains(.amount) && transactions[$0.transaction]?.status == .confirmed
            }
    }
}

extension LedgerEntry {
    fileprivate init(_ row: TransactionRow, linked: TransferLeg.Flow?, account: Int64) {
        let leaves = row.flow(linked: linked) == .debit
        self.init(
            id: row.id, day: row.date, change: leaves ? -row.amount.minorUnits : row.amount.minorUnits,
            payee: row.vendor ?? row.vpa ?? "", reference: row.reference)
        isElsewhere = row.userAccountID != account
    }
}

extension StatementProof.Strength {
    /// The strength of the proof for a person.
    public var sentence: String {
        switch self {
        case .everyLine: "Every balance follows from the line before."
        case .sum: "The lines sum up to the difference of opening and closing balance."
        case .none:
            "The statement prints no balances: nothing proves that all its lines were read, with the right sign."
        }
    }
}

extension Reconciliation.Strength {
    /// The evidence of a match for a person.
    public var sentence: String {
        switch self {
        case .amount: "same amount within days"
        case .name: "same amount and name"
        case .reference: "same reference"
        case .booked: "booked from this statement"
        }
    }
}

extension Reconciliation.Cause {
    /// The cause for a person.
    public var sentence: String {
        switch self {
        case .pending: "the bank may enter it after the statement's end"
        case .double: "one event may be booked twice"
        case .wrongAccountOrForged: "it is of another account, or its mail was forged"
        }
    }
}
