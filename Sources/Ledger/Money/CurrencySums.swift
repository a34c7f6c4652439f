extension [Currency: Int64] {
    /// Sums in minor units as amounts, by the currencies' codes.
    public var amounts: [Money] {
        map { Money(minorUnits: $1, currency: $0) }.sorted { $0.currency.code < $1.currency.code }
    }
}
