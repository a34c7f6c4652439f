import Chronology

/// Names of periods.
enum PeriodText {
    static func title(_ period: ReportingPeriod) -> String {
        let (first, last) = (period.days.first, period.days.last)
        switch period.kind {
        case .day: return DayText.text(first)
        case .calendar(.week): return "Week \(period.description.suffix(2)), \(span(period.days))"
        case .calendar(.month): return DayText.month(first)
        case .calendar(.quarter): return "Q\((first.month + 2) / 3) \(first.year)"
        case .calendar(.year): return "\(first.year)"
        case .financialYear: return "FY \(first.year)–\(last.year % 100 < 10 ? "0" : "")\(last.year % 100)"
        case .range: return span(period.days)
        case .recent: return "Last \(period.days.days) days"
        }
    }

    /// `1 to 23 Oct 2026`, `28 Sep to 4 Oct 2026`, `28 Dec 2026 to 3 Jan 2027`.
    static func span(_ days: DaySpan) -> String {
        let (first, last) = (days.first, days.last)
        guard first != last else { return DayText.text(first) }
        let start =
            first.year != last.year
            ? DayText.text(first) : first.month != last.month ? DayText.short(first) : "\(first.day)"
        return "\(start) to \(DayText.text(last))"
    }

    /// The kind of a period, as a control.
    static func kind(_ kind: ReportingPeriod.Kind) -> String {
        switch kind {
        case .day: "Day"
        case .calendar(let period): period.title
        case .financialYear: "FY"
        case .range: "Days"
        case .recent(.week): "7 days"
        case .recent(.month): "30 days"
        case .recent(.quarter): "90 days"
        case .recent(.year): "365 days"
        }
    }
}

extension CalendarPeriod {
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
