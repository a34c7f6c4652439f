import Chronology

/// Identity of an event, equal for all its alerts. UNIQUE in the ledger, readable, and made of printed facts only.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
    /// Facts that the key is made of, strongest first.
    public enum Basis: String, Sendable {
        /// Bank, account, direction, channel and the bank's own reference number; for mandates also amount and day.
        case reference
        /// Bank, account, direction, amount, date, printed time, merchant, and the digest of the text.
        case time
        /// The printed facts and the identity of the mail, if neither reference nor time is printed. Two such alerts
        /// within a day may be one event.
        case mail
    }

    public let value: String
    public let basis: Basis
    /// For `time`: the key without the digest of the text. Alerts that agree in this and differ in their texts may be
    /// two events of one minute.
    public let facts: String?

    /// Returns true if the key of a draft contains the digest of its alert's text.
    public static func needsText(_ draft: TransactionDraft) -> Bool {
        (draft.reference ?? "").isEmpty && draft.time != nil
    }

    /// - Parameters:
    ///   - bank: the profile's key, such as `hdfc`.
    ///   - mailIdentity: the digest of the mail, used only if the alert prints neither reference nor time.
    ///   - textDigest: a digest of the words that distinguish the alert's text; `nil` if there is no text.
    public init(bank: String, draft: TransactionDraft, mailIdentity: String, textDigest: String? = nil) {
        let account = String((draft.account ?? "").filter(\.isNumber).suffix(4))
        let direction = draft.type == .income ? "in" : "out"
        var parts = [bank, account, direction]
        if let reference = draft.reference, !reference.isEmpty {
            basis = .reference
            parts += [draft.channel.rawValue, reference.uppercased()]
            // The reference of a mandate's alert (SI hub id, UMRN) identifies the mandate, so it is repeated with every
            // payment.
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
        let printed = basis.rawValue + ":" + parts.map(Self.escaped).joined(separator: Self.boundary)
        facts = basis == .time ? printed : nil
        value = basis == .time ? printed + (textDigest.map { Self.boundary + $0 } ?? "") : printed
    }

    /// Separates the parts.
    public static let boundary = "|"

    private static func facts(of draft: TransactionDraft) -> [String] {
        [
            draft.amount.decimal, draft.amount.currency.code, draft.date.description,
            CategoryRules.normalized(draft.merchant ?? draft.vpa ?? ""),
        ]
    }

    /// Escapes the separator, so that a part cannot contain a boundary.
    private static func escaped(_ part: String) -> String {
        guard part.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "|") }) else { return part }
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
