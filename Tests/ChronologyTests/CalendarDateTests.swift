import Chronology
import Testing

@Suite struct CalendarDateTests {
    @Test func everyDayGoesThereAndBack() {
        var previous: CalendarDate?
        for days in 0...84005 {
            let date = CalendarDate(daysSince1970: days)
            #expect(date.daysSince1970 == days)
            #expect(CalendarDate(year: date.year, month: date.month, day: date.day) == date)
            #expect(CalendarDate(iso: date.description) == date)
            if let previous { #expect(previous < date) }
            previous = date
        }
        #expect(previous?.description == "2199-12-31")
    }

    @Test(arguments: [
        ("1970-01-01", 0), ("2000-02-29", 11016), ("2000-03-01", 11017), ("2026-01-05", 20458), ("2100-02-28", 47540),
        ("2100-03-01", 47541),
    ])
    func knownDays(_ text: String, _ days: Int) { #expect(CalendarDate(iso: text)?.daysSince1970 == days) }

    @Test(arguments: [
        (2025, 2, 29), (2100, 2, 29), (2024, 2, 30), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
        (2026, 1, 32),
        (1969, 12, 31), (2200, 1, 1), (2026, 1, -1),
        (.max, .max, .max), (.min, .min, .min),
    ])
    func refuses(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [
        "", "2026", "2026-1-05", "2026-01-5", "26-01-05", "2026-01-05Z", "2026-01-05-", "2026/01/05", "+026-01-05",
        "2026-+1-05",
        "2026--1-05", "２０２６-01-05",
    ])
    func refuses(_ text: String) { #expect(CalendarDate(iso: text) == nil) }

    @Test(arguments: [(-1, "1970-01-01"), (84006, "2199-12-31"), (.max, "2199-12-31"), (.min, "1970-01-01")])
    func clamps(
        _ days: Int, _ text: String
    ) {
        #expect(CalendarDate(daysSince1970: days).description == text)
    }
}

@Suite struct TimeOfDayTests {
    @Test(arguments: [
        ("00:00", "00:00:00", 0), ("23:59:59", "23:59:59", 86399), ("09:05", "09:05:00", 32700),
        ("12:13:14", "12:13:14", 43994),
    ])
    func reads(_ text: String, _ printed: String, _ seconds: Int) {
        #expect(TimeOfDay(iso: text)?.description == printed)
        #expect(TimeOfDay(iso: text)?.secondsSinceMidnight == seconds)
    }

    @Test(arguments: [
        "", "24:00", "12:60", "12:00:60", "1:00", "12:0", "12:00:0", "12", "12:00:00:00", "-1:00", "+1:00", "12:00Z",
    ])
    func refuses(_ text: String) { #expect(TimeOfDay(iso: text) == nil) }

    @Test func order() {
        #expect((TimeOfDay(iso: "09:59:59") ?? TimeOfDay(iso: "10:00")) == TimeOfDay(iso: "09:59:59"))
    }
}
