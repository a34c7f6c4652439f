/// Whether a booked event counts; the value of `transactions.status`.
public enum TransactionStatus: String, Hashable, Sendable, CaseIterable {
    case confirmed
    /// Waits for a person.
    case needsReview = "needs_review"
    /// A person said that it is none. Kept, so that its mail does not bring it back.
    case rejected
}
