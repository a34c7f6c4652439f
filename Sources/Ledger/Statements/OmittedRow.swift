/// A row of a list of payments that makes no line.
public struct OmittedRow: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The payment failed, was declined or is pending.
        case notCompleted = "not_completed"
        /// Nothing shows whether money came or went: transfers between own accounts have no sign in some apps.
        case noDirection = "no_direction"
        case otherCurrency = "other_currency"
        /// The date or the amount cannot be read for certain.
        case unreadable
    }

    /// The position in the file as a person counts.
    public var row: Int
    public var reason: Reason

    public init(row: Int, reason: Reason) {
        (self.row, self.reason) = (row, reason)
    }
}
