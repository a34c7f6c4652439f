/// The value of `transactions.status`.
public enum TransactionStatus: String, Hashable, Sendable, CaseIterable {
    case confirmed
    /// Waits for a person.
    case needsReview = "needs_review"
    /// Rejected by a person. Kept, so that its mail does not create it again.
    case rejected
}
