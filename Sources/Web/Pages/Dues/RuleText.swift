import Chronology
import Ledger

/// Puts recurrence rules into words.
enum RuleText {
    /// `Every 3 months, on the last day, until 5 Jan 2027`.
    static func words(_ rule: RecurrenceRule) -> String {
        var parts = [base(rule)]
        let days = rule.monthDays.map(day) + rule.weekdays.map(day)
        if !days.isEmpty { parts.append(PageText.of("dues.on-days", ["days": days.joined(separator: ", ")])) }
        if let end = rule.end { parts.append(PageText.of("dues.until", ["day": DayText.text(end)])) }
        if let count = rule.count { parts.append(PageText.of("dues.times", count: count)) }
        return parts.joined(separator: ", ")
    }

    private static func base(_ rule: RecurrenceRule) -> String {
        switch (rule.frequency, rule.interval) {
        case (.daily, let count): PageText.of("dues.every-day", count: count)
        case (.weekly, let count): PageText.of("dues.every-week", count: count)
        case (.monthly, 3): PageText.of("dues.quarterly")
        case (.monthly, 6): PageText.of("dues.half-yearly")
        case (.monthly, 12): PageText.of("dues.every-year", count: 1)
        case (.monthly, let count): PageText.of("dues.every-month", count: count)
        case (.yearly, let count): PageText.of("dues.every-year", count: count)
        }
    }

    private static func day(_ number: Int) -> String {
        if number == -1 { return PageText.of("dues.last-day") }
        return number < 0
            ? PageText.of("dues.day-from-end", ["number": "\(-number)"])
            : PageText.of("dues.day-of-month", ["number": "\(number)"])
    }

    private static func day(_ place: RecurrenceRule.Place) -> String {
        let name = DayText.weekdays[place.weekday.offset]
        return switch place.number {
        case nil: name
        case .some(-1): PageText.of("dues.last-weekday", ["weekday": name])
        case let number? where number < 0:
            PageText.of("dues.weekday-from-end", ["weekday": name, "number": "\(-number)"])
        case let number?: PageText.of("dues.nth-weekday", ["weekday": name, "number": "\(number)"])
        }
    }
}

/// The usual rules, as a person chooses them.
enum RuleChoice: String, CaseIterable, Sendable {
    case weekly, monthly
    case monthEnd = "month-end"
    case quarterly
    case halfYearly = "half-yearly"
    case yearly, days, weeks, months
    /// A rule that is written as text (RFC 5545).
    case other

    /// - Parameter start: the first day of the rule.
    init(_ rule: RecurrenceRule, from start: CalendarDate) {
        guard rule.count == nil, rule.end == nil else {
            self = .other
            return
        }
        switch rule.frequency {
        case .daily: self = .days
        case .weekly:
            let isOnStart = rule.weekdays.isEmpty || rule.weekdays.map(\.weekday) == [RecurrenceRule.Weekday(start)]
            self = isOnStart ? (rule.interval == 1 ? .weekly : .weeks) : .other
        case .monthly:
            if rule.monthDays == [-1], rule.weekdays.isEmpty {
                self = rule.interval == 1 ? .monthEnd : .other
            } else if rule.weekdays.isEmpty, rule.monthDays.count <= 1, rule.monthDays.allSatisfy({ $0 > 0 }) {
                let usual: [Int: RuleChoice] = [1: .monthly, 3: .quarterly, 6: .halfYearly, 12: .yearly]
                self = usual[rule.interval] ?? .months
            } else {
                self = .other
            }
        case .yearly: self = rule.interval == 1 ? .yearly : .other
        }
    }

    /// True if the choice needs a number of days, weeks or months.
    var hasNumber: Bool { [.days, .weeks, .months].contains(self) }

    /// The rule from a first day on; `nil` for ``other``.
    /// - Parameter number: of days, weeks or months.
    func rule(every number: Int) -> RecurrenceRule? {
        switch self {
        case .weekly: RecurrenceRule(.weekly)
        case .monthly: RecurrenceRule(.monthly)
        case .monthEnd: RecurrenceRule(.monthly, monthDays: [-1])
        case .quarterly: RecurrenceRule(.monthly, interval: 3)
        case .halfYearly: RecurrenceRule(.monthly, interval: 6)
        case .yearly: RecurrenceRule(.yearly)
        case .days: RecurrenceRule(.daily, interval: number)
        case .weeks: RecurrenceRule(.weekly, interval: number)
        case .months: RecurrenceRule(.monthly, interval: number)
        case .other: nil
        }
    }

    var title: String {
        switch self {
        case .weekly: PageText.of("dues.every-week", count: 1)
        case .monthly: PageText.of("dues.every-month", count: 1)
        case .monthEnd: PageText.of("dues.month-end")
        case .quarterly: PageText.of("dues.quarterly")
        case .halfYearly: PageText.of("dues.half-yearly")
        case .yearly: PageText.of("dues.every-year", count: 1)
        case .days: PageText.of("dues.every-n-days")
        case .weeks: PageText.of("dues.every-n-weeks")
        case .months: PageText.of("dues.every-n-months")
        case .other: PageText.of("dues.other-rule")
        }
    }
}
