import Ledger

/// Sets of fields in the database, as bit numbers that are never reused.
enum FieldBits {
    /// Fields that a pattern reads from a text, by bit from 0.
    static let read: [Field] = [.amount, .date, .time, .merchant, .account, .reference, .balance, .limit, .vpa]
    /// Columns of `template_days` with the counts of these fields.
    static let columns = read.map { "with_\($0.rawValue)" }

    /// Fields of `transactions` that a person can correct.
    static let corrected: [(column: String, bit: Int, field: Field)] = [
        ("amount_minor", 0, .amount), ("parsed_date", 1, .date), ("parsed_time", 2, .time),
        ("parsed_vendor", 3, .merchant), ("account_digits", 4, .account),
        ("reference", 5, .reference), ("currency", 9, .currency), ("transaction_type", 10, .type),
        ("channel", 11, .channel),
    ]

    /// Fields of a draft that are in the mail's text or subject.
    static func bits(of draft: TransactionDraft) -> Int64 {
        var bits: Int64 = 0
        for (bit, field) in read.enumerated() where draft.spans[field] != nil || draft.patterns[field] == .subject {
            bits |= 1 << bit
        }
        // A draft always has an amount.
        return bits | 1
    }

    static func fields(corrected bits: Int64) -> [Field] { corrected.filter { bits >> $0.bit & 1 == 1 }.map(\.field) }
}
