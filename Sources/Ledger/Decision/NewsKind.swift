/// What is worth telling a person of. The raw values stand in the configuration, in the database and in what is sent.
public enum NewsKind: String, Hashable, Sendable, CaseIterable {
    /// A transaction was booked by itself.
    case transaction
    /// A mail waits for a person, with a draft or without.
    case review
    /// A mailbox cannot be read, or can again.
    case mailbox
    /// A mailbox's OAuth consent ended.
    case login
    /// A bank seems to have changed its mails.
    case drift
    /// The ledger cannot be written, or can again.
    case database
}
