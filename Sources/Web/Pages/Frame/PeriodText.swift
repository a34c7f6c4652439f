import Chronology

/// Names of periods.
enum PeriodText {
    static func title(_ period: ReportingPeriod) -> String {
        let (first, last) = (period.days.first, period.days.last)
        switch period.kind {
        case .day: return DayText.text(first)
        case .calendar(.week):
            return PageText.of(
                "period.week", ["number": String(period.description.suffix(2)), "days": span(period.days)])
        case .calendar(.month): return DayText.month(first)
        case .calendar(.quarter):
            return PageText.of("period.quarter", ["number": "\((first.month + 2) / 3)", "year": "\(first.year)"])
        case .calendar(.year): return "\(first.year)"
        case .financialYear:
            let years = "\(first.year)–\(last.year % 100 < 10 ? "0" : "")\(last.year % 100)"
            return PageText.of("period.financial-year", ["years": years])
        case .range: return span(period.days)
        case .recent: return PageText.of("period.recent", count: period.days.days)
        }
    }

    /// `1 to 23 Oct 2026`, `28 Sep to 4 Oct 2026`, `28 Dec 2026 to 3 Jan 2027`.
    static func span(_ days: DaySpan) -> String {
        let (first, last) = (days.first, days.last)
        guard first != last else { return DayText.text(first) }
        let start =
            first.year != last.year
            ? DayText.text(first) : first.month != last.month ? DayText.short(first) : "\(first.day)"
        return PageText.of("period.span", ["first": start, "last": DayText.text(last)])
    }

    /// The kind of a period, as a control.
    static func kind(_ kind: ReportingPeriod.Kind) -> String {
        switch kind {
        case .day: PageText.of("period.kind-day")
        case .calendar(let period): period.title
        case .financialYear: PageText.of("period.kind-financial-year")
        case .range: PageText.of("period.kind-range")
        case .recent(let length): PageText.of("period.kind-recent-\(length.rawValue)")
        }
    }
}

extension CalendarPeriod {
    var title: String { PageText.of("period.kind-\(rawValue)") }
}
