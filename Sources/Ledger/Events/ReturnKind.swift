/// The way in which the money of a purchase came back.
public enum ReturnKind: String, Hashable, Sendable, CaseIterable {
    /// The merchant returned the money.
    case refund
    /// The bank cancelled the payment.
    case reversal

    /// The kind of return that a template reads, by the words of its file's name: `hdfc/card-refund`,
    /// `kotak/upi-reversal`, `_india/debit-reversed`; `nil` for other templates. The text of a mail is not consulted.
    public init?(template: String?) {
        guard let file = template?.split(separator: "/").last else { return nil }
        let words = file.split(separator: "-")
        if words.contains("refund") {
            self = .refund
        } else if words.contains("reversal") || words.contains("reversed") {
            self = .reversal
        } else {
            return nil
        }
    }
}
