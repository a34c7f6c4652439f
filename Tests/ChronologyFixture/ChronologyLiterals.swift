public import Chronology

// Instants, days and times as literals: `1_767_600_000` and "2026-01-05T08:00:00Z", "2026-01-05", "08:00:00". A literal
// without a meaning ends the test.

extension UnixTime: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    public init(integerLiteral seconds: Int64) { self.init(seconds: seconds) }

    public init(stringLiteral text: String) {
        guard let instant = UnixTime(iso: text) else { preconditionFailure("'\(text)' is not an instant") }
        self = instant
    }
}

extension CalendarDate: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let day = CalendarDate(iso: text) else { preconditionFailure("'\(text)' is not a day") }
        self = day
    }
}

extension TimeOfDay: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let time = TimeOfDay(iso: text) else { preconditionFailure("'\(text)' is not a time of day") }
        self = time
    }
}
