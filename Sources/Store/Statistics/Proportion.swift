/// k of n, with Wilson's 95 % interval.
public struct Proportion: Hashable, Sendable {
    public var part: Int
    public var whole: Int

    public init(_ part: Int, of whole: Int) {
        self.part = part
        self.whole = whole
    }

    /// `nil` for n = 0.
    public var rate: Double? { whole > 0 ? Double(part) / Double(whole) : nil }

    /// Wilson's 95 % score interval (E. B. Wilson, 1927), in 0...1: valid also for small counts and zero, unlike the
    /// usual normal approximation.
    public var interval: ClosedRange<Double> { interval(deviations: 1.96) }

    func interval(deviations: Double) -> ClosedRange<Double> {
        guard whole > 0 else { return 0...1 }
        let n = Double(whole)
        let p = Double(min(max(part, 0), whole)) / n
        let z2 = deviations * deviations
        let centre = (p + z2 / (2 * n)) / (1 + z2 / n)
        let reach = deviations * (p * (1 - p) / n + z2 / (4 * n * n)).squareRoot() / (1 + z2 / n)
        return max(0, centre - reach)...min(1, centre + reach)
    }

    static func + (a: Proportion, b: Proportion) -> Proportion { Proportion(a.part + b.part, of: a.whole + b.whole) }
}
