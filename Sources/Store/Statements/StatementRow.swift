public import Chronology
internal import GRDB
public import Ledger

/// A statement, or a list of payments, that was read from a file and stored.
public struct StatementRow: Hashable, Sendable {
    public var id: Int64
    /// `user_accounts.id`: that into which the statement's account was merged.
    public var account: Int64
    /// Lower-case hexadecimal digits of the file's SHA-256.
    public var fileDigest: String
    public var fileName: String?
    public var currency: Currency
    public var period: DaySpan
    public var opening: Money?
    public var closing: Money?
    public var proof: StatementProof.Strength
    public var readAt: UnixTime
    /// The instant at which every line had its transaction; `nil` if one has none, or was changed since.
    public var reconciledAt: UnixTime?
    public var lines: Int
    /// The number of lines that move money and have no transaction.
    public var open: Int
    /// The name of the mapping by which a list of payments was read; `nil` for a statement.
    public var list: String?
    /// The number of lines that made a transaction.
    public var booked: Int
    /// The number of rows of a list that make no line.
    public var omitted: Int

    /// SQL condition: the line's transaction `t` was neither deleted nor rejected. Otherwise the line counts as
    /// unbooked.
    static let isLive = "t.deleted_at IS NULL AND t.status <> 'rejected'"

    static let select = """
        SELECT s.id, coalesce(a.merged_into, a.id), s.file_digest, s.file_name, s.currency, s.first_day, s.last_day, s.opening_minor,
          s.closing_minor, s.proof, s.read_at, s.reconciled_at,
          (SELECT count(*) FROM statement_lines l WHERE l.statement_id = s.id),
          (SELECT count(*) FROM statement_lines l LEFT JOIN transactions t ON t.id = l.transaction_id AND \(isLive)
            WHERE l.statement_id = s.id AND l.amount_minor > 0 AND t.id IS NULL),
          s.list, (SELECT count(*) FROM statement_lines l WHERE l.statement_id = s.id AND l.is_booked = 1),
          (SELECT count(*) FROM statement_omissions o WHERE o.statement_id = s.id)
        FROM statements s JOIN user_accounts a ON a.id = s.user_account_id
        """

    init?(_ row: Row) {
        guard let currency = Currency(code: row[4] as String), let period = DaySpan(row[5], through: row[6]),
            let proof = StatementProof.Strength(rawValue: row[9] as String)
        else { return nil }
        (id, account, fileDigest, fileName) = (row[0], row[1], row[2], row[3])
        (self.currency, self.period, self.proof) = (currency, period, proof)
        opening = (row[7] as Int64?).map { Money(minorUnits: $0, currency: currency) }
        closing = (row[8] as Int64?).map { Money(minorUnits: $0, currency: currency) }
        (readAt, reconciledAt, lines, open) = (row[10], row[11], row[12], row[13])
        (list, booked, omitted) = (row[14], row[15], row[16])
    }

    static func current(_ db: Database, _ id: Int64) throws -> StatementRow {
        let row = try Row.fetchOne(db, sql: "\(select) WHERE s.id = ?", arguments: [id])
        guard let found = row.flatMap(StatementRow.init) else { throw StoreError.notFound("statement \(id)") }
        return found
    }
}

/// A line of a stored statement, with its transaction.
public struct StatementLink: Hashable, Sendable {
    /// Index in the statement's lines.
    public var line: Int
    public var transaction: Int64
    public var reason: Reconciliation.Strength
    /// True if the line made the transaction.
    public var isBooked = false

    public init(line: Int, transaction: Int64, reason: Reconciliation.Strength) {
        self.line = line
        self.transaction = transaction
        self.reason = reason
    }
}

/// A stored statement as it was read, with its links to transactions that were neither deleted nor rejected.
public struct StatementContent: Hashable, Sendable {
    public var row: StatementRow
    public var statement: BankStatement
    /// In the order of the lines.
    public var links: [StatementLink]

    /// The transactions that lines booked, by the index of the line.
    public var booked: [Int: Int64] {
        Dictionary(links.lazy.filter(\.isBooked).map { ($0.line, $0.transaction) }, uniquingKeysWith: { a, _ in a })
    }
}
