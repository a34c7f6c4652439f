/// An occasion for a notification. The raw value is used in the configuration, in the database and in what is sent.
public enum NotificationKind: String, Hashable, Sendable, CaseIterable {
    /// A transaction was booked without review.
    case transaction
    /// A mail waits for a person, with or without a draft.
    case review
    /// A mailbox cannot be read, or can be read again.
    case mailbox
    /// The OAuth consent for a mailbox ended.
    case login
    /// A bank seems to have changed its mails.
    case drift
    /// Printed balances of an account do not follow from what is booked.
    case balance
    /// A payment is due soon, or is late, missing or of another amount.
    case due
    /// A budget reached its warning or its limit.
    case budget
    /// A statement in a mail needs its password, or its account.
    case statement
    /// The ledger cannot be written, or can be written again.
    case database
}
