import Chronology
import Ledger
import Store

/// Spending over time as SVG paths and as text. The picture is scaled to its container, so it has no text: labels are
/// beside it.
struct ChartView {
    struct Mark {
        var x: String
        var width: String
        var text: String
    }

    struct Row {
        var days: String
        var spent: String
        var received: String
    }

    static let width = 1000.0
    static let height = 300.0

    var line: String
    var area: String
    var marks: [Mark]
    /// Labels beside the picture, from the top.
    var scale: [String]
    /// Labels below the picture, from the left.
    var days: [String]
    var rows: [Row]
    /// The text for screen readers.
    var summary: String
    var step: String

    init(_ buckets: [Statistics.Bucket], by step: Statistics.Step) {
        let currency = buckets.first?.spent.currency ?? .inr
        let top = Self.ceiling(
            of: buckets.map(\.spent.minorUnits).max() ?? 0,
            unit: (0..<currency.exponent).reduce(1) { unit, _ in unit * 10 })
        let wide = Self.width / Double(max(buckets.count, 1))
        let points = buckets.enumerated().map { index, bucket in
            (
                x: (Double(index) + 0.5) * wide,
                y: Self.height - Double(bucket.spent.minorUnits) / Double(top) * Self.height
            )
        }
        func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        let path = points.map { "\(text($0.x)) \(text($0.y))" }.joined(separator: "L")
        line = "M" + path
        area =
            "M\(text(points.first?.x ?? 0)) \(text(Self.height))L\(path)L\(text(points.last?.x ?? 0)) \(text(Self.height))Z"
        func name(_ bucket: Statistics.Bucket) -> String {
            switch step {
            case .day: DayText.short(bucket.days.first)
            case .week: "\(DayText.short(bucket.days.first)) to \(DayText.short(bucket.days.last))"
            case .month: DayText.month(bucket.days.first)
            }
        }
        marks = buckets.enumerated().map {
            Mark(
                x: text(Double($0) * wide), width: text(wide),
                text: "\(name($1)): \(MoneyText.text($1.spent)), \(DashboardView.count($1.expenses, "payment"))")
        }
        scale = [top, top / 2, 0].map { MoneyText.short(Money(minorUnits: $0, currency: currency)) }
        let last = buckets.count - 1
        let shown = buckets.count <= 7 ? Array(buckets.indices) : [0, last / 3, last * 2 / 3, last]
        days = shown.map {
            step == .month ? DayText.month(buckets[$0].days.first) : DayText.short(buckets[$0].days.first)
        }
        rows = buckets.map {
            Row(days: name($0), spent: MoneyText.text($0.spent), received: MoneyText.text($0.received))
        }
        let most = buckets.max { $0.spent.minorUnits < $1.spent.minorUnits }
        self.step = step.rawValue
        summary =
            "Spending by \(step.rawValue)."
            + (most.map { " The most in one \(step.rawValue) was \(MoneyText.text($0.spent)) (\(name($0)))." } ?? "")
    }

    /// Returns a round number not below `value` (2, 4, 5 or 10 times a power of ten, in whole units), so that its half
    /// is round, too.
    static func ceiling(of value: Int64, unit: Int64) -> Int64 {
        var step = unit
        while true {
            for factor in [2, 4, 5, 10] as [Int64] {
                let (candidate, overflow) = step.multipliedReportingOverflow(by: factor)
                if overflow { return .max }
                if candidate >= value { return candidate }
            }
            let (next, overflow) = step.multipliedReportingOverflow(by: 10)
            if overflow { return .max }
            step = next
        }
    }
}
