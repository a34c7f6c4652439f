import Chronology
import GRDB
import Ledger

/// Reads and writes rows of `transfers` and their transactions.
struct TransferRows {
    let db: Database
    private let prepared = Prepared()

    init(_ db: Database) { self.db = db }

    /// Statements prepared on first use.
    private final class Prepared {
        var leg: PreparedStatement?
        var legs: PreparedStatement?
    }

    /// Shipped categories of the sides of a transfer, set by a keyword or by the link.
    static let between: Set<String> = ["Transfers", "Loans & Card Payments"]
    static let category = ("Transfers", "Between Accounts")
    static let cardCategory = ("Loans & Card Payments", "Credit Card Bill")

    struct Half {
        var leg: TransferLeg
        var isLinked: Bool
        /// True if a person changed the row, which then nothing else changes.
        var isEdited: Bool
    }

    private static let columns = """
        id, coalesce(profile, ''), coalesce(account_digits, ''), transaction_type, amount_minor, currency, occurred_at, parsed_date, parsed_time, parsed_vendor, vpa,
        reference, category_name, category_by, user_edited_at,
        EXISTS (SELECT 1 FROM transfers WHERE debit_id = t.id AND state = 'linked'), EXISTS (SELECT 1 FROM transfers WHERE credit_id = t.id AND state = 'linked')
        """
    private static let eligible =
        """
        status = 'confirmed' AND deleted_at IS NULL AND NOT (transaction_type = 'expense' AND channel IN ('card', 'atm'))
          AND NOT EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND kind NOT IN \(EventLinkRow.replacing) AND (from_id = t.id OR to_id = t.id))
        """

    /// `nil` if the row cannot be a side of a transfer.
    func leg(_ id: Int64) throws -> Half? {
        let statement =
            try prepared.leg
            ?? PreparedStatement(db, "SELECT \(Self.columns) FROM transactions t WHERE id = ? AND \(Self.eligible)")
        prepared.leg = statement
        return try statement.first({ $0.bind(id) }, Self.half) ?? nil
    }

    /// All rows with this amount that are near enough in time.
    func legs(like leg: TransferLeg) throws -> [Half] {
        let day = leg.date.daysSince1970
        var found: [Half] = []
        let statement =
            try prepared.legs
            ?? PreparedStatement(
                db,
                "SELECT \(Self.columns) FROM transactions t WHERE amount_minor = ? AND parsed_date BETWEEN ? AND ? AND \(Self.eligible)"
            )
        prepared.legs = statement
        try statement.each {
            $0.bind(leg.amount.minorUnits)
            $0.bind(CalendarDate(daysSince1970: day - TransferEvidence.days))
            $0.bind(CalendarDate(daysSince1970: day + TransferEvidence.days))
        } _: { row in
            if let half = Self.half(row), half.leg.id != leg.id { found.append(half) }
            return true
        }
        return found
    }

    private static func half(_ row: Columns) -> Half? {
        guard let currency = Currency(code: row.text(5)) else { return nil }
        let (isDebit, isCredit) = (row.int(15) != 0, row.int(16) != 0)
        // A linked side has the type `transfer`; its direction comes from the link.
        let type = isDebit ? .expense : isCredit ? .income : TransactionType(rawValue: row.text(3)) ?? .expense
        let by = row.optionalText(13).flatMap(CategoryChoice.init)
        let (vendor, vpa) = (row.optionalText(9), row.optionalText(10))
        var leg = TransferLeg(
            id: row.int(0), bank: row.text(1), account: row.text(2), type: type,
            amount: Money(minorUnits: row.int(4), currency: currency), date: row.day(7))
        leg.instant = row.instant(6)
        leg.hasTime = row.optionalText(8) != nil
        leg.counterparty = [vendor, vendor == vpa ? nil : vpa].compactMap { $0 }.joined(separator: " ")
        leg.reference = row.optionalText(11)
        leg.isSomethingElse = by != nil && by != .transfer && !between.contains(row.text(12))
        return Half(
            leg: leg, isLinked: isDebit || isCredit, isEdited: row.optionalText(14) != nil)
    }

    /// True if alerts name an account with these last digits, other than the leg's own.
    func isOwnAccount(_ digits: String, besides leg: TransferLeg) throws -> Bool {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT profile, account_digits FROM user_account_numbers")).contains {
            row in
            let (profile, account): (String, String) = (row[0], row[1])
            guard account.utf8.count >= 4, account.hasSuffix(digits) || digits.hasSuffix(account) else { return false }
            return !(profile == leg.bank && (leg.account.hasSuffix(account) || account.hasSuffix(leg.account)))
        }
    }

    /// - Throws: `conflict` if one of the transactions is a side of a transfer.
    func expectFree(_ ids: [Int64]) throws {
        for id in ids {
            guard
                let other = try Int64.fetchOne(
                    db, sql: "SELECT id FROM transfers WHERE state = 'linked' AND (debit_id = ?1 OR credit_id = ?1)",
                    arguments: [id])
            else { continue }
            throw StoreError.conflict("transaction \(id) is half of transfer \(other) already: undo that first")
        }
    }

    /// True if the pair was linked or refused before.
    func isSettled(_ debit: Int64, _ credit: Int64) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM transfers WHERE debit_id = ? AND credit_id = ? AND state <> 'proposed')",
            arguments: [debit, credit]) ?? false
    }

    /// True if the pair was not proposed before.
    func propose(
        _ debit: TransferLeg?, _ credit: TransferLeg?, _ evidence: TransferEvidence, _ time: UnixTime
    ) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO main.transfers (debit_id, credit_id, state, evidence, why, made_by, created_at, updated_at) VALUES (?, ?, 'proposed', ?, ?, 'rule', ?, ?)
                ON CONFLICT DO NOTHING
                """,
            arguments: [
                debit?.id, credit?.id, evidence.rawValue,
                TransferReason(evidence, debit: debit, credit: credit).sentence, time, time,
            ])
        return db.changesCount > 0
    }

    /// Links two rows, or marks one whose other side has no alert. Resolves open proposals about either.
    func link(
        debit: Int64?, credit: Int64?, _ reason: TransferReason, by: String, _ time: UnixTime
    ) throws {
        let before = try String.fetchOne(
            db, sql: "SELECT json_object('debit', json((\(Self.state))), 'credit', json((\(Self.state))))",
            arguments: [debit, credit])
        try db.execute(
            sql: """
                INSERT INTO main.transfers (debit_id, credit_id, state, evidence, why, made_by, before, created_at, updated_at) VALUES (?, ?, 'linked', ?, ?, ?, ?, ?, ?)
                ON CONFLICT (coalesce(debit_id, 0), coalesce(credit_id, 0)) DO UPDATE SET state = 'linked', made_by = excluded.made_by, before = excluded.before,
                  updated_at = excluded.updated_at
                """, arguments: [debit, credit, reason.basis.rawValue, reason.sentence, by, before, time, time])
        let card = try reason.basis == .evidence(.cardBill) || isCardBill([debit, credit].compactMap { $0 })
        let (category, subcategory) = card ? Self.cardCategory : Self.category
        let why = CategorySentences.transfer(reason, target: CategorySentences.target(category, subcategory))
        for id in [debit, credit].compactMap({ $0 }) {
            try db.execute(
                sql: """
                    UPDATE main.transactions SET transaction_type = 'transfer',
                      category_name = iif(category_by IS 'person', category_name, ?), subcategory = iif(category_by IS 'person', subcategory, ?),
                      category_why = iif(category_by IS 'person', category_why, ?), category_by = iif(category_by IS 'person', category_by, 'transfer'),
                      updated_at = ?, revision = revision + 1
                    WHERE id = ?
                    """, arguments: [category, subcategory, why, time, id])
            try db.execute(
                sql: "DELETE FROM main.transfers WHERE state = 'proposed' AND (debit_id = ? OR credit_id = ?)",
                arguments: [id, id])
        }
    }

    /// True if a keyword or a link gave one of them the category of card bills.
    private func isCardBill(_ ids: [Int64]) throws -> Bool {
        for id in ids {
            let row = try Row.fetchOne(
                db, sql: "SELECT category_name, subcategory FROM transactions WHERE id = ?", arguments: [id])
            if row?[0] == Self.cardCategory.0, row?[1] == Self.cardCategory.1 { return true }
        }
        return false
    }

    private static let state = """
        SELECT json_object('type', transaction_type, 'category', category_name, 'subcategory', subcategory, 'why', category_why, 'by', category_by) FROM transactions WHERE id = ?
        """

    /// Restores both rows unless a person changed them since, and prevents further proposals.
    func unlink(_ id: Int64, _ time: UnixTime) throws {
        try db.execute(
            sql: "UPDATE main.transfers SET state = 'refused', updated_at = ? WHERE id = ?", arguments: [time, id])
        for half in ["debit", "credit"] {
            try db.execute(
                sql: """
                    UPDATE main.transactions SET
                      transaction_type = iif(transaction_type = 'transfer', coalesce(l.before ->> '$.\(half).type', transaction_type), transaction_type),
                      category_name = iif(category_by IS 'transfer', coalesce(l.before ->> '$.\(half).category', category_name), category_name),
                      subcategory = iif(category_by IS 'transfer', l.before ->> '$.\(half).subcategory', subcategory),
                      category_why = iif(category_by IS 'transfer', l.before ->> '$.\(half).why', category_why),
                      category_by = iif(category_by IS 'transfer', l.before ->> '$.\(half).by', category_by),
                      updated_at = ?, revision = revision + 1
                    FROM (SELECT \(half)_id AS half, before FROM transfers WHERE id = ? AND before IS NOT NULL) l WHERE transactions.id = l.half
                    """, arguments: [time, id])
        }
    }
}
