import Ledger
import Store

/// Values over time as shapes and as a table. The picture is scaled to its container, so it has no text: labels are
/// beside it.
struct ChartView: Sendable {
    enum Form: Sendable {
        /// The bars of a step beside each other.
        case grouped
        /// The bars of a step on each other. No value is negative.
        case stacked
        /// The first of the series as a line; for states, not for sums.
        case line
    }

    struct Mark: Sendable {
        var path: String
        var text: String
        /// `nil` for a value on a line, which has no bar.
        var bar: Bar?
        var hit: Hit?
    }

    /// The area that reacts, with the height of the chart.
    struct Hit: Sendable {
        var left: String
        var wide: String
    }

    struct Bar: Sendable {
        var left: String
        var top: String
        var wide: String
        var high: String
        var style: String
        var fill: String?
    }

    struct Key: Sendable {
        var title: String
        var style: String
        var fill: String?
        var sum: String
    }

    struct Row: Sendable {
        var title: String
        var path: String
        var cells: [String]
    }

    static let width = 1000.0
    static let height = 300.0

    var isLine: Bool
    var line: String
    var area: String
    var grid: String
    var marks: [Mark]
    /// Empty if there is one series only.
    var keys: [Key]
    /// Labels beside the picture, from the top.
    var scale: [String]
    /// Labels below the picture, from the left.
    var days: [String]
    var columns: [String]
    var rows: [Row]
    /// The text for screen readers.
    var summary: String
    /// The remark on steps that are partial; `nil` if there are none.
    var remark: String?
    var step: String

    init(
        _ timeline: ChartSteps, _ series: [ChartSeries], as form: Form, _ currency: Currency, summary: String,
        _ links: RowLinks
    ) {
        let (step, steps) = (timeline.unit, timeline.steps)
        let plot = Plot(steps, series, form, currency, links)
        isLine = form == .line
        (line, area) = form == .line ? plot.line : ("", "")
        grid = plot.axis.ticks.map { "M0 \(Plot.text(plot.y($0)))H1000" }.joined()
        marks = plot.marks
        keys =
            series.count < 2
            ? []
            : series.map {
                Key(
                    title: $0.title, style: $0.kind, fill: $0.fill,
                    sum: MoneyText.text(Money(minorUnits: $0.units.reduce(0, +), currency: currency)))
            }
        scale = plot.axis.ticks.map { MoneyText.short(Money(minorUnits: $0, currency: currency)) }
        let last = steps.count - 1
        let shown = steps.count <= 7 ? Array(steps.indices) : [0, last / 3, last * 2 / 3, last]
        days = shown.map { steps[$0].label }
        columns = series.map(\.title)
        rows = steps.enumerated().map { index, step in
            Row(
                title: step.title, path: links.path(step.period, []),
                cells: series.map { MoneyText.text(Money(minorUnits: $0.units[index], currency: currency)) })
        }
        self.summary = summary
        self.step = PageText.of("statistics.name-\(step)")
        remark =
            form != .line && steps.contains(where: \.isPartial)
            ? PageText.of("statistics.partial-\(step)") : nil
    }
}

extension ChartView {
    /// Adds a series to the table that the picture does not show.
    mutating func addColumn(_ series: ChartSeries, _ currency: Currency) {
        columns.append(series.title)
        for index in rows.indices {
            rows[index].cells.append(MoneyText.text(Money(minorUnits: series.units[index], currency: currency)))
        }
    }
}

/// Shapes of a chart.
fileprivate struct Plot {
    let steps: [ChartStep]
    let series: [ChartSeries]
    let form: ChartView.Form
    let currency: Currency
    let links: RowLinks
    let axis: ChartAxis

    init(
        _ steps: [ChartStep], _ series: [ChartSeries], _ form: ChartView.Form, _ currency: Currency, _ links: RowLinks
    ) {
        (self.steps, self.series, self.form, self.currency, self.links) = (steps, series, form, currency, links)
        let values =
            form == .stacked
            ? steps.indices.map { index in series.reduce(0) { $0 &+ $1.units[index] } } : series.flatMap(\.units)
        let unit = (0..<currency.exponent).reduce(1 as Int64) { unit, _ in unit * 10 }
        axis = ChartAxis(from: values.min() ?? 0, to: values.max() ?? 0, unit: unit)
    }

    static func text(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    func y(_ value: Int64) -> Double { axis.y(value, height: ChartView.height) }

    private var column: Double { ChartView.width / Double(max(steps.count, 1)) }

    var line: (line: String, area: String) {
        let points = (series.first?.units ?? []).enumerated().map { index, units in
            "\(Self.text((Double(index) + 0.5) * column)) \(Self.text(y(units)))"
        }
        guard !points.isEmpty else { return ("", "") }
        let path = points.joined(separator: "L")
        let (first, last) = (Self.text(column / 2), Self.text(ChartView.width - column / 2))
        let zero = Self.text(y(0))
        return ("M" + path, "M\(first) \(zero)L\(path)L\(last) \(zero)Z")
    }

    var marks: [ChartView.Mark] {
        steps.indices.flatMap { index -> [ChartView.Mark] in
            switch form {
            case .grouped: grouped(index)
            case .stacked: stacked(index)
            case .line: [mark(index, 0, nil, hit: (Double(index) * column, column))].compactMap(\.self)
            }
        }
    }

    private func grouped(_ index: Int) -> [ChartView.Mark] {
        let wide = column * 0.8 / Double(max(series.count, 1))
        return series.indices.compactMap { number -> ChartView.Mark? in
            let units = series[number].units[index]
            guard units != 0 else { return nil }
            let left = Double(index) * column + column * 0.1 + Double(number) * wide
            let top = min(y(max(units, 0)), y(0) - (units > 0 ? 1 : 0))
            let bar = (left: left, top: top, wide: wide, high: max(y(min(units, 0)) - top, 1))
            return mark(index, number, bar, hit: (left, wide))
        }
    }

    private func stacked(_ index: Int) -> [ChartView.Mark] {
        var below: Int64 = 0
        return series.indices.compactMap { number -> ChartView.Mark? in
            let units = series[number].units[index]
            guard units > 0 else { return nil }
            let bottom = y(below)
            below &+= units
            let top = y(below)
            return mark(
                index, number,
                (left: Double(index) * column + column * 0.15, top: top, wide: column * 0.7, high: bottom - top),
                hit: nil)
        }
    }

    private func mark(
        _ index: Int, _ number: Int, _ bar: (left: Double, top: Double, wide: Double, high: Double)?,
        hit: (left: Double, wide: Double)?
    ) -> ChartView.Mark? {
        let (step, series) = (steps[index], series[number])
        let amount = MoneyText.text(Money(minorUnits: series.units[index], currency: currency))
        let area = bar.map {
            ChartView.Bar(
                left: Self.text($0.left), top: Self.text($0.top), wide: Self.text($0.wide), high: Self.text($0.high),
                style: series.kind + (step.isPartial ? " partial" : ""), fill: series.fill)
        }
        return ChartView.Mark(
            path: links.path(step.period, series.filter ?? []), text: "\(step.title), \(series.title): \(amount)",
            bar: area, hit: hit.map { ChartView.Hit(left: Self.text($0.left), wide: Self.text($0.wide)) })
    }
}
