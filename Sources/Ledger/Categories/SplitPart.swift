/// A part of a payment over several categories.
public struct SplitPart: Hashable, Sendable {
    public var category: String
    public var subcategory: String?
    /// In the currency of the payment; more than zero.
    public var minorUnits: Int64

    public init(category: String, subcategory: String? = nil, minorUnits: Int64) {
        self.category = category
        self.subcategory = subcategory
        self.minorUnits = minorUnits
    }

    /// Limit of the parts of one payment.
    public static let maximum = 50

    /// Faults of the parts of a payment, as those of the field `splits`; no parts join the payment again.
    public static func problems(_ parts: [SplitPart], of amount: Money) -> [FieldProblem] {
        guard !parts.isEmpty else { return [] }
        var check = FieldCheck()
        if parts.count < 2 { check.refuse("splits", .tooFewParts) }
        if parts.count > maximum { check.refuse("splits", .tooManyParts(maximum)) }
        for (index, part) in parts.enumerated() {
            check.text("splits.\(index).category_name", part.category, atMost: TextLimit.name)
            check.text("splits.\(index).subcategory", part.subcategory, atMost: TextLimit.name)
            if part.minorUnits <= 0 { check.refuse("splits.\(index).amount", .notPositive) }
        }
        var sum: Int64 = 0
        for part in parts {
            let (next, isTooLarge) = sum.addingReportingOverflow(part.minorUnits)
            sum = isTooLarge ? .max : next
        }
        if check.problems.isEmpty, sum != amount.minorUnits {
            let total = Money(minorUnits: sum, currency: amount.currency)
            check.refuse("splits", .sumOfParts(total, of: amount))
        }
        return check.problems
    }
}
