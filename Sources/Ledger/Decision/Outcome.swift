/// The recorded result of a mail. The raw value is that of `processed_emails.status`.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// One transaction is booked.
    case recorded
    /// A draft or an unreadable bank mail waits for a person.
    case review
    /// The same mail or the same event is recorded already; the row points at the first.
    case duplicate
    /// A template claims the mail as one without a transaction.
    case ignored
    /// The mail is not from a bank of the profiles.
    case unclaimed
    /// The mail names a bank as its sender, but authentication failed or is missing although required.
    case quarantined
    /// The mail could not be processed; it is kept with the reason.
    case failed
}
