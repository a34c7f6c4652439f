public import Ledger
public import Store

/// Stores statements, links their lines with transactions and books the rest, within one transaction of the ledger.
public struct StatementService {
    private let ledger: WriteTransaction
    private let actor: Actor

    public init(_ ledger: WriteTransaction, by actor: Actor) {
        self.ledger = ledger
        self.actor = actor
    }

    /// Stores a statement once and compares it with the ledger as it is now.
    ///
    /// - Parameters:
    ///   - bytes: the file from which it was read.
    ///   - file: the name of the file, for display.
    ///   - books: books the lines that are only in the statement.
    /// - Throws: see ``StatementRepository/add(_:account:digest:file:)`` and ``StatementRepository/book(_:lines:by:)``.
    public func add(
        _ statement: BankStatement, of account: Int64, bytes: [UInt8], file: String?, books: Bool
    ) throws(StoreError) -> StatementResult {
        let digest = FileDigest.hexadecimal(bytes)
        let (row, isNew) = try ledger.statements.add(statement, account: account, digest: digest, file: file)
        var result = try reconcile(row.id)
        if books { result = try book(result, lines: result.comparison.result.onlyInStatement) }
        result.isNew = isNew
        return result
    }

    /// Books the lines of these file rows, or all that are only in the statement.
    ///
    /// A payment of a list that has only its amount in common with a transaction is booked if its row is named.
    /// - Throws: see ``StatementRepository/book(_:lines:by:)``.
    public func book(_ id: Int64, rows: Set<Int>? = nil) throws(StoreError) -> StatementResult {
        let result = try reconcile(id)
        var open = result.comparison.result.onlyInStatement
        let statement = result.comparison.statement
        guard let rows else { return try book(result, lines: open) }
        if statement.list != nil {
            open += result.comparison.result.matches.filter { $0.strength == .amount }.map(\.line)
        }
        return try book(result, lines: open.filter { rows.contains(statement.lines[$0].row) })
    }

    private func book(_ result: StatementResult, lines: [Int]) throws(StoreError) -> StatementResult {
        guard !lines.isEmpty else { return result }
        let booking = try ledger.statements.book(result.row.id, lines: lines, by: actor)
        var after = try reconcile(result.row.id)
        after.booking = booking
        return after
    }

    /// Compares a stored statement with the ledger as it is now, and replaces the links of its lines.
    private func reconcile(_ id: Int64) throws(StoreError) -> StatementResult {
        let content = try ledger.statements.content(of: id)
        let comparison = try StatementComparison(content, in: ledger)
        let links = comparison.result.matches.map {
            StatementLink(line: $0.line, transaction: $0.transaction, reason: $0.strength)
        }
        let row = try ledger.statements.link(id, links, reconciled: comparison.isReconciled)
        return StatementResult(row: row, comparison: comparison)
    }
}

/// A stored statement beside the ledger, after an import or a booking.
public struct StatementResult: Sendable {
    public var row: StatementRow
    public var comparison: StatementComparison
    public var booking = StatementBooking()
    /// False if the file was imported before.
    public var isNew = false

    public init(row: StatementRow, comparison: StatementComparison) {
        self.row = row
        self.comparison = comparison
    }
}
