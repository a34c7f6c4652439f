import Chronology

/// What makes two alerts the same event. UNIQUE in the ledger, readable, and made of printed facts only.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
    /// What the key rests on, strongest first.
    public enum Basis: String, Sendable {
        /// Bank, account, direction, channel and the bank's own reference number; for mandates also amount and day.
        case reference
        /// Bank, account, direction, amount, date, printed time and merchant.
        case time
        /// Neither was printed: the facts and the identity of the mail. Two such alerts within a day may be one event.
        case mail
    }

    public let value: String
    public let basis: Basis

    /// - Parameters:
    ///   - bank: the profile's key, such as `hdfc`.
    ///   - mailIdentity: what tells this mail from every other: its digest. Used only where the alert prints neither
    ///     reference nor time.
    public init(bank: String, draft: TransactionDraft, mailIdentity: String) {
        let account = String((draft.account ?? "").filter(\.isNumber).suffix(4))
        let direction = draft.type == .income ? "in" : "out"
        var parts = [bank, account, direction]
        if let reference = draft.reference, !reference.isEmpty {
            basis = .reference
            parts += [draft.channel.rawValue, reference.uppercased()]
            // What a mandate's alert calls its reference (SI hub id, UMRN) names the mandate, and comes again with
            // every payment.
            if draft.channel == .mandate { parts += [draft.amount.decimal, draft.date.description] }
        } else {
            parts += Self.facts(of: draft)
            if let time = draft.time {
                basis = .time
                parts.append(time.description)
            } else {
                basis = .mail
                parts.append(mailIdentity)
            }
        }
        value = basis.rawValue + ":" + parts.map(Self.escaped).joined(separator: "|")
    }

    private static func facts(of draft: TransactionDraft) -> [String] {
        [
            draft.amount.decimal, draft.amount.currency.code, draft.date.description,
            CategoryRules.normalized(draft.merchant ?? draft.vpa ?? ""),
        ]
    }

    /// A part cannot imitate a boundary.
    private static func escaped(_ part: String) -> String {
        var bytes: [UInt8] = []
        for byte in part.utf8 {
            switch byte {
            case UInt8(ascii: "%"): bytes += Array("%25".utf8)
            case UInt8(ascii: "|"): bytes += Array("%7C".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    public var description: String { value }
}
