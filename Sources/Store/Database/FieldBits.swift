import Ledger

/// Sets of fields as they stand in the database: numbers that are never given to another field.
enum FieldBits {
    /// By bit, from 0: those that a pattern reads from a text.
    static let read: [Field] = [.amount, .date, .time, .merchant, .account, .reference, .balance, .limit, .vpa]
    /// The columns of `template_days` that count them.
    static let columns = read.map { "with_\($0.rawValue)" }

    /// The fields of `transactions` that a person can correct.
    static let corrected: [(column: String, bit: Int, field: Field)] = [
        ("amount_minor", 0, .amount), ("parsed_date", 1, .date), ("parsed_time", 2, .time),
        ("parsed_vendor", 3, .merchant), ("account_digits", 4, .account),
        ("reference", 5, .reference), ("currency", 9, .currency), ("transaction_type", 10, .type),
        ("channel", 11, .channel),
    ]

    /// The fields of a draft that stand in the mail's text or subject.
    static func bits(of draft: TransactionDraft) -> Int64 {
        var bits: Int64 = 0
        for (bit, field) in read.enumerated() where draft.spans[field] != nil || draft.patterns[field] == .subject {
            bits |= 1 << bit
        }
        // A draft has an amount, whatever its spans say.
        return bits | 1
    }

    static func fields(corrected bits: Int64) -> [Field] { corrected.filter { bits >> $0.bit & 1 == 1 }.map(\.field) }
}
