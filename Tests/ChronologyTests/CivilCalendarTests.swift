import Chronology
import Glibc
import Testing

@Suite struct CivilCalendarTests {
    /// Against the C library's calendar.
    @Test func agreesWithTheSystem() {
        for days in stride(from: -719_162, through: 2_932_896, by: 997) {
            var seconds = time_t(days) * 86_400
            var parts = tm()
            gmtime_r(&seconds, &parts)
            let date = CivilCalendar.date(days: days)
            #expect(date.year == Int(parts.tm_year) + 1900)
            #expect(date.month == Int(parts.tm_mon) + 1 && date.day == Int(parts.tm_mday))
            #expect(CivilCalendar.days(year: date.year, month: date.month, day: date.day) == days)
        }
    }

    @Test func clampsToFourDigitYears() {
        #expect(CivilCalendar.date(days: .min) == (1, 1, 1))
        #expect(CivilCalendar.date(days: .max) == (9999, 12, 31))
    }

    @Test(arguments: [("1970-01-01", "Thu"), ("2024-02-29", "Thu"), ("2026-01-04", "Sun"), ("2026-01-05", "Mon")])
    func weekdayNames(day: String, name: String) throws {
        #expect(WeekdayName.abbreviation(try #require(CalendarDate(iso: day))) == name)
    }

    @Test func monthNames() {
        for month in 1...12 {
            let name = MonthName.abbreviation(month)
            #expect(MonthName.month(abbreviated: name.utf8) == month)
            #expect(MonthName.month(abbreviated: name.uppercased().utf8) == month)
        }
        for text in ["", "Ja", "Janu", "Foo", "j\u{1}n", "\u{2A}an"] {
            #expect(MonthName.month(abbreviated: text.utf8) == nil)
        }
    }

    @Test(
        arguments: [(0, 15), (1, 30), (7, 1920), (8, 3600), (400, 3600), (-3, 15)] as [(Int, Int64)]) func backoff(
            doublings: Int, seconds: Int64
        )
    {
        #expect(ExponentialBackoff(first: 15, longest: 3600).pause(doublings: doublings) == seconds)
        #expect(ExponentialBackoff(first: .max / 2, longest: .max).pause(doublings: 30) == .max)
    }
}
