extension RefundEvidence {
    /// The reason why a purchase and the income that returns it belong together, for display.
    public var sentence: String {
        switch self {
        case .reference: "both alerts print the same reference"
        case .whole: "the same account, merchant and amount"
        case .partial: "the same account and merchant, and a part of the amount"
        }
    }
}
