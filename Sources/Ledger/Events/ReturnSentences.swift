extension ReturnKind {
    /// The reason why a purchase and the income that returns it belong together, for display.
    ///
    /// - Parameter evidence: `nil` if a person linked them.
    public func sentence(_ evidence: RefundEvidence?) -> String {
        let reason =
            switch evidence {
            case .reference: "both alerts print the same reference"
            case .whole: "the same account, merchant and amount"
            case .partial: "the same account and merchant, and a part of the amount"
            case nil: "linked by a person"
            }
        return "\(rawValue): \(reason)"
    }
}
