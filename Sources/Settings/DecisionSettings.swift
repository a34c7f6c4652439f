public import Ledger

/// The bytes that are kept of settled bank mail: mail that was booked, or that is known to be no transaction.
///
/// Every byte of other bank mail is kept.
public enum SettledKeeping: String, Hashable, Sendable {
    case nothing = "unsettled"
    /// The header and the text that was read: enough to show the mail and to read it again, in a fraction of the bytes.
    case text
    case whole = "all"
}

/// Settings that apply to the mail of every mailbox, made once from the configuration.
public struct DecisionSettings: Hashable, Sendable {
    /// The confidence in 0...1 from which a draft is booked without a person. A bank's profile may set its own.
    public var autoConfirmAt: Double
    /// Bytes of bank mail are kept.
    public var keepsRaw: Bool
    /// The part of settled mail that is kept if ``keepsRaw`` is set.
    public var keepsSettled: SettledKeeping
    /// SMS are booked as mails are. Otherwise each waits for a person, because nobody authenticates its sender.
    public var booksSMS: Bool

    public init(
        autoConfirmAt: Double = Decision.usualThreshold, keepsRaw: Bool = true, keepsSettled: SettledKeeping = .text,
        booksSMS: Bool = false
    ) {
        self.booksSMS = booksSMS
        self.autoConfirmAt = autoConfirmAt
        self.keepsRaw = keepsRaw
        self.keepsSettled = keepsSettled
    }
}

extension Settings {
    /// The part of the configuration that decisions on mail depend on.
    public var decisions: DecisionSettings {
        DecisionSettings(
            autoConfirmAt: autoConfirmAt, keepsRaw: keepRawDays > 0, keepsSettled: keepsSettled, booksSMS: booksSMS)
    }
}
