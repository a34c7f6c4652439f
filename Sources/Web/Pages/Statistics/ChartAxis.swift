/// The scale of a chart: round steps from at most zero to at least zero, so that bars start at zero.
struct ChartAxis {
    let bottom: Int64
    let top: Int64
    let step: Int64

    /// Maximum number of steps: more labels would touch on a phone.
    static let mostSteps: Int64 = 6

    /// - Parameters:
    ///   - lowest: the lowest value.
    ///   - highest: the highest value.
    ///   - unit: the smallest step, such as a whole rupee in paise.
    ///
    /// Chooses the step among 1, 2 and 5 times a power of ten: the one that leaves the least room empty, and of several
    /// such the one with the fewest labels.
    init(from lowest: Int64, to highest: Int64, unit: Int64) {
        let (low, high) = (min(lowest, 0), max(highest, 0))
        var best: (step: Int64, down: Int64, up: Int64)?
        for step in Self.steps(unit) {
            let (down, up) = (Self.count(low, step), Self.count(high, step))
            guard down + up <= Self.mostSteps else { continue }
            guard down + up >= 2 || best == nil else { break }
            guard !step.multipliedReportingOverflow(by: down + up).overflow else { break }
            if best.map({ step * (down + up) <= $0.step * ($0.down + $0.up) }) ?? true { best = (step, down, up) }
        }
        // Without a round step below the greatest number the axis ends there.
        let found = best ?? (.max, low < 0 ? 1 : 0, high > 0 ? 1 : 0)
        step = found.step
        bottom = -step * found.down
        top = step * (best == nil ? found.up : max(found.up, 2 - found.down))
    }

    /// The labels, from the top.
    var ticks: [Int64] { (0...(top / step - bottom / step)).map { top - $0 * step } }

    /// The distance of a value from the top of a chart of this height.
    func y(_ value: Int64, height: Double) -> Double {
        (Double(top) - Double(value)) / (Double(top) - Double(bottom)) * height
    }

    private static func count(_ value: Int64, _ step: Int64) -> Int64 {
        let whole = Int64(clamping: value.magnitude)
        return whole / step + (whole % step == 0 ? 0 : 1)
    }

    private static func steps(_ unit: Int64) -> [Int64] {
        var steps: [Int64] = []
        var power = unit
        while true {
            for factor in [1, 2, 5] as [Int64] {
                let (step, overflow) = power.multipliedReportingOverflow(by: factor)
                if overflow { return steps }
                steps.append(step)
            }
            let (next, overflow) = power.multipliedReportingOverflow(by: 10)
            if overflow { return steps }
            power = next
        }
    }
}
