import Chronology
import GRDB
import Ledger

/// Finds the statement's line that booked the event of a mail that arrives after it.
struct BookedLines {
    private let select: PreparedStatement

    init(_ db: Database) throws {
        // A number that is known to be of another account excludes a line; a new number does so if the account has
        // numbers of other banks only.
        select = try PreparedStatement(
            db,
            """
            SELECT l.transaction_id, l.day, l.value_day, l.line_text, l.reference FROM statement_lines l
            JOIN statements s ON s.id = l.statement_id JOIN transactions t ON t.id = l.transaction_id
            WHERE l.is_booked = 1 AND l.amount_minor = ?1 AND l.day BETWEEN ?2 AND ?3 AND l.direction = ?4 AND s.currency = ?5
              AND t.id IS NOT ?8 AND coalesce(t.idempotency_key, '') NOT LIKE '\(Journal.undoneKey)%' AND NOT EXISTS (SELECT 1 FROM user_account_numbers n
                WHERE n.profile = ?6 AND n.account_digits = ?7 AND n.user_account_id IS NOT t.user_account_id)
              AND (EXISTS (SELECT 1 FROM user_account_numbers n WHERE n.user_account_id = t.user_account_id AND n.profile = ?6)
                OR NOT EXISTS (SELECT 1 FROM user_account_numbers n WHERE n.user_account_id = t.user_account_id))
            ORDER BY l.day, l.statement_id, l.number LIMIT 40
            """)
    }

    /// Records the mail as evidence of the line that booked its event, so that undo of the statement keeps the
    /// transaction.
    static func note(_ verdict: EntryVerdict, mailID: String, in db: Database) throws {
        guard verdict.isOfStatement, let transaction = verdict.transactionID else { return }
        try db.cachedStatement(
            sql: "UPDATE main.statement_lines SET mail_id = ? WHERE transaction_id = ? AND is_booked = 1"
        ).execute(arguments: [mailID, transaction])
    }

    /// The transaction of the best line, and true if the line has the draft's reference.
    func first(
        like draft: TransactionDraft, profile: String?, besides own: Int64?
    ) throws -> (transaction: Int64, isSure: Bool)? {
        var lines: [StatementLine] = []
        var transactions: [Int64] = []
        let change = draft.type == .income ? draft.amount.minorUnits : -draft.amount.minorUnits
        let span = Reconciliation.lineDays(of: draft.date)
        try select.each {
            $0.bind(draft.amount.minorUnits)
            $0.bind(span.first)
            $0.bind(span.last)
            $0.bind(draft.type == .income ? "in" : "out")
            $0.bind(draft.amount.currency.code)
            $0.bind(profile)
            $0.bind(draft.account)
            $0.bind(own)
        } _: { row in
            var line = StatementLine(row: lines.count + 1, day: row.day(1), change: change, text: row.text(3))
            line.valueDay = row.optionalDay(2)
            line.reference = row.optionalText(4)
            lines.append(line)
            transactions.append(row.int(0))
            return true
        }
        guard !lines.isEmpty else { return nil }
        let entry = LedgerEntry(
            id: 0, day: draft.date, change: change, payee: draft.merchant ?? draft.vpa ?? "",
            reference: draft.reference)
        let statement = BankStatement(currency: draft.amount.currency, lines: lines)
        guard let match = Reconciliation(statement, with: [entry]).matches.first else { return nil }
        return (transactions[match.line], match.strength == .reference)
    }
}
