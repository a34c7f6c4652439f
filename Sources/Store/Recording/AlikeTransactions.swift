import Chronology
import GRDB
import Ledger

/// Finds a transaction that a draft may repeat although their keys differ, because one of the two alerts prints few
/// details.
///
/// Two alerts of one bank, account, direction, amount and currency are distinguished by
/// - two references (they would have the same key if they were the same), or
/// - two printed times; if one alert has a reference, only by times more than ``tolerance`` apart, or
/// - two different merchants, or
/// - the day; without references and printed times only by more than one day, because one of the days may be the day of
///   arrival.
struct AlikeTransactions {
    /// Maximum seconds between the clocks of a bank's systems that each send an alert about one payment.
    static let tolerance = 180

    private let select: PreparedStatement
    private let chain: PreparedStatement

    init(_ db: Database) throws {
        select = try PreparedStatement(
            db,
            """
            SELECT id, currency,
              iif(transaction_type = 'transfer' AND EXISTS (SELECT 1 FROM transfers WHERE credit_id = transactions.id AND state = 'linked'), 'income', transaction_type),
              account_digits, reference, parsed_date, parsed_time, parsed_vendor, vpa FROM transactions
            WHERE profile = ? AND amount_minor = ? AND parsed_date BETWEEN ? AND ? AND coalesce(idempotency_key, '') NOT LIKE '\(Journal.undoneKey)%'
            """)
        chain = try PreparedStatement(
            db,
            """
            WITH RECURSIVE earlier(id) AS (
              SELECT duplicate_of FROM transactions WHERE id = ?
              UNION SELECT t.duplicate_of FROM transactions t JOIN earlier e ON t.id = e.id WHERE t.duplicate_of IS NOT NULL)
            SELECT EXISTS (SELECT 1 FROM earlier WHERE id = ?)
            """)
    }

    /// The first such transaction.
    /// - Parameter own: the draft that is decided again. A transaction that points at it, directly or through another
    ///   one, is the later of the two and is left out: two drafts are never possible duplicates of each other.
    func first(like draft: TransactionDraft, profile: String?, besides own: Int64? = nil) throws -> Int64? {
        let day = draft.date.daysSince1970
        let mine = Self.merchant(draft.merchant, draft.vpa)
        var found: [Int64] = []
        try select.each {
            $0.put(profile)
            $0.put(draft.amount.minorUnits)
            $0.put(CalendarDate(daysSince1970: day - 1))
            $0.put(CalendarDate(daysSince1970: day + 1))
        } _: { row in
            guard row.int(0) != own, row.text(1) == draft.amount.currency.code,
                (row.text(2) == "income") == (draft.type == .income)
            else { return true }
            // A mail without an account may concern any account.
            let account = row.text(3)
            guard account.isEmpty || (draft.account ?? "").isEmpty || Self.sameAccount(account, draft.account ?? "")
            else { return true }
            let (reference, otherReference) = (draft.reference ?? "", row.text(4))
            if !reference.isEmpty, !otherReference.isEmpty, reference.uppercased() != otherReference.uppercased() {
                return true
            }
            // The same reference under another key: one alert names another channel or no account. Then the spelling of
            // the merchant does not count.
            let other = Self.merchant(row.optionalText(7), row.optionalText(8))
            guard mine.isEmpty || other.isEmpty || mine == other || !(reference.isEmpty || otherReference.isEmpty)
            else { return true }
            let date = row.day(5)
            guard
                Self.mayBeSame(
                    days: date.daysSince1970 - day, times: (draft.time, row.optionalTime(6)),
                    references: (reference.isEmpty ? 0 : 1) + (otherReference.isEmpty ? 0 : 1))
            else { return true }
            found.append(row.int(0))
            return true
        }
        return try found.sorted().first { try own == nil || !pointsAt(own, from: $0) }
    }

    /// Returns true if `other` is a possible duplicate of `own`, directly or through others.
    func pointsAt(_ own: Int64?, from other: Int64) throws -> Bool {
        try chain.first(
            {
                $0.put(other)
                $0.put(own)
            }, { $0.int(0) != 0 }) ?? false
    }

    /// Compares times only. `references`: number of the two that print a reference.
    static func mayBeSame(days: Int, times: (TimeOfDay?, TimeOfDay?), references: Int) -> Bool {
        if let a = times.0, let b = times.1 {
            let apart = abs(days * 86400 + b.secondsSinceMidnight - a.secondsSinceMidnight)
            if references > 0 { return apart <= tolerance }
            // Without references another second is another event, but one of the two may print minutes only.
            return apart == 0 || (apart < 60 && (a.second == 0 || b.second == 0))
        }
        return references == 0 ? abs(days) <= 1 : days == 0
    }

    /// Masks show three to six digits.
    private static func sameAccount(_ a: String, _ b: String) -> Bool {
        a.utf8.count < b.utf8.count ? b.hasSuffix(a) : a.hasSuffix(b)
    }

    private static func merchant(_ name: String?, _ address: String?) -> String {
        CategoryRules.normalized(name ?? address ?? "")
    }
}
