import Chronology
import ChronologyFixture
import Testing

@Suite struct ReportingPeriodTests {
    static let today: CalendarDate = "2026-11-23"

    static func period(_ text: String) throws -> ReportingPeriod {
        try #require(ReportingPeriod(text, today: today), "'\(text)'")
    }

    static let forms: [(String, String, String)] = [
        ("2026-10", "2026-10-01", "2026-10-31"), ("2024-02", "2024-02-01", "2024-02-29"),
        ("2023-02", "2023-02-01", "2023-02-28"), ("2100-02", "2100-02-01", "2100-02-28"),
        ("2026-04", "2026-04-01", "2026-04-30"), ("2026-W43", "2026-10-19", "2026-10-25"),
        ("2026-W53", "2026-12-28", "2027-01-03"), ("2020-W53", "2020-12-28", "2021-01-03"),
        ("2026-W01", "2025-12-29", "2026-01-04"), ("2021-W01", "2021-01-04", "2021-01-10"),
        ("2026-Q1", "2026-01-01", "2026-03-31"), ("2026-Q3", "2026-07-01", "2026-09-30"),
        ("2026", "2026-01-01", "2026-12-31"), ("fy2026", "2026-04-01", "2027-03-31"),
        ("fy2023", "2023-04-01", "2024-03-31"), ("2026-10-03", "2026-10-03", "2026-10-03"),
        ("2026-10-03..2026-11-02", "2026-10-03", "2026-11-02"), ("2024-02-29", "2024-02-29", "2024-02-29"),
        ("1970", "1970-01-01", "1970-12-31"), ("2199-12", "2199-12-01", "2199-12-31"),
        ("week", "2026-11-17", "2026-11-23"), ("month", "2026-10-25", "2026-11-23"),
        ("quarter", "2026-08-26", "2026-11-23"), ("year", "2025-11-24", "2026-11-23"),
    ]

    @Test(arguments: forms) func aFormIsReadAndWritten(text: String, first: String, last: String) throws {
        let period = try Self.period(text)
        #expect("\(period.days.first)" == first && "\(period.days.last)" == last)
        #expect(period.description == text)
        #expect(try Self.period(text.uppercased()) == period)
    }

    @Test(arguments: [
        ("this-month", "2026-11"), ("last-month", "2026-10"), ("this-week", "2026-W48"), ("last-week", "2026-W47"),
        ("this-quarter", "2026-Q4"), ("last-quarter", "2026-Q3"), ("this-year", "2026"), ("last-year", "2025"),
        ("this-fy", "fy2026"), ("last-fy", "fy2025"),
    ]) func wordsForThePresent(word: String, period: String) throws {
        #expect(try Self.period(word).description == period)
    }

    @Test(arguments: [
        "", "decade", "2026-13", "2026-00", "2026-1", "26-10", "2026-W54", "2025-W53", "2026-W00", "2026-W1", "2026-Q5",
        "2026-Q0", "2026-Q", "1969", "2200", "fy1969", "fy2199", "fy26", "2023-02-29", "2026-02-30",
        "2026-11-02..2026-10-03", "2026-10-03..", "..2026-10-03", "2026-10..2026-11", "2026-10-03...2026-11-02",
        "1970-W01", "this-", "this-day", "last", "next-month", "2026-10-", " 2026", "+026", "٢٠٢٦", "2026-W٤٣",
        "2026-10-03..2026-11-02..2026", String(repeating: "2026-", count: 10_000),
    ]) func anythingElseIsRefused(text: String) {
        #expect(ReportingPeriod(text, today: Self.today) == nil)
    }

    @Test(arguments: [
        ("2026-10", "2026-09", "2026-11", "2025-10"), ("2026-01", "2025-12", "2026-02", "2025-01"),
        ("2026-W01", "2025-W52", "2026-W02", "2025-W01"), ("2026-W53", "2026-W52", "2027-W01", "2025-W52"),
        ("2026-Q1", "2025-Q4", "2026-Q2", "2025-Q1"), ("2026", "2025", "2027", "2025"),
        ("fy2026", "fy2025", "fy2027", "fy2025"), ("2024-02-29", "2024-02-28", "2024-03-01", "2023-02-28"),
        (
            "2026-10-03..2026-11-02", "2026-09-03..2026-10-02", "2026-11-03..2026-12-02", "2025-10-03..2025-11-02"
        ),
        // A cycle from the last day of a month: February has no 31st.
        (
            "2026-01-31..2026-02-27", "2025-12-31..2026-01-30", "2026-02-28..2026-03-30", "2025-01-31..2025-02-27"
        ),
        (
            "2026-02-28..2026-03-30", "2026-01-31..2026-02-27", "2026-03-31..2026-04-29", "2025-02-28..2025-03-30"
        ),
        (
            "2025-12-01..2026-11-30", "2024-12-01..2025-11-30", "2026-12-01..2027-11-30", "2024-12-01..2025-11-30"
        ),
        ("2026-10-01..2026-10-10", "2026-09-21..2026-09-30", "2026-10-11..2026-10-20", "2025-10-01..2025-10-10"),
        ("week", "2026-11-10..2026-11-16", "2026-11-24..2026-11-30", "2025-11-17..2025-11-23"),
    ]) func neighbours(text: String, previous: String, next: String, before: String) throws {
        let period = try Self.period(text)
        #expect(period.previous?.description == previous && period.next?.description == next)
        #expect(period.yearBefore?.description == before)
    }

    /// No day is skipped and none counts twice, over fifty steps in both directions.
    @Test(arguments: [
        "2024-02", "2024-W09", "2024-Q1", "2024", "fy2024", "2024-02-29", "2024-01-31..2024-02-28",
        "2024-02-15..2024-03-14", "2024-02-27..2024-03-05", "month",
    ]) func neighboursTouch(text: String) throws {
        for forwards in [true, false] {
            var period = try Self.period(text)
            for _ in 0..<50 {
                let other = try #require(forwards ? period.next : period.previous)
                let (earlier, later) = forwards ? (period, other) : (other, period)
                #expect(earlier.days.last.daysSince1970 + 1 == later.days.first.daysSince1970)
                #expect(try Self.period(other.description) == other)
                period = other
            }
        }
    }

    @Test(arguments: ["1970", "1970-01", "1970-01-01", "1970-Q1", "1970-W02", "fy1970"])
    func theCalendarBegins(text: String) throws { #expect(try Self.period(text).previous == nil) }

    @Test(arguments: ["2199", "2199-12", "2199-12-31", "2199-Q4", "2199-W52", "fy2198"])
    func theCalendarEnds(text: String) throws { #expect(try Self.period(text).next == nil) }

    @Test(arguments: [
        ("2026-11", "2026-10", "2026-10-01..2026-10-23"), ("2026-10", "2026-09", "2026-09"),
        ("2026-11-03..2026-12-02", "2026-10-03..2026-11-02", "2026-10-03..2026-10-23"),
        // 23 November is a Monday, the first day of its week.
        ("2026-W48", "2026-W47", "2026-11-16"), ("2026-11-23", "2026-11-22", "2026-11-22"),
    ]) func onlyAsManyDaysAreCompared(text: String, other: String, days: String) throws {
        let found = try Self.period(text).comparable(Self.period(other), on: Self.today)
        #expect(ReportingPeriod(found).description == days)
    }

    /// On 31 March, the whole February is compared with, and no day of March.
    @Test func aShorterPeriodIsComparedAsAWhole() throws {
        let (march, february) = (try Self.period("2026-03"), try Self.period("2026-02"))
        #expect(march.comparable(february, on: "2026-03-30").days == 28)
    }

    @Test(arguments: [
        ("2024-02", "2026-11"), ("2024-W02", "2026-W48"), ("fy2019", "fy2026"), ("2020-01-03", "2026-11-23"),
        ("2026-01-03..2026-02-02", "2026-11-03..2026-12-02"),
    ]) func movesToToday(text: String, present: String) throws {
        #expect(try Self.period(text).moved(to: Self.today)?.description == present)
    }

    @Test func farDaysAreNotSearched() throws {
        #expect(try Self.period("1980-01-01..1980-01-10").moved(to: Self.today) == nil)
    }

    @Test(arguments: [
        ("2026-10-01..2026-10-31", "2026-10"), ("2026-10-19..2026-10-25", "2026-W43"),
        ("2026-01-01..2026-12-31", "2026"), ("2026-04-01..2027-03-31", "fy2026"),
        ("2026-10-03..2026-10-03", "2026-10-03"),
        ("2026-10-02..2026-10-31", "2026-10-02..2026-10-31"),
    ]) func daysGetTheNameOfTheirPeriod(days: String, name: String) throws {
        #expect(ReportingPeriod(try Self.period(days).days).description == name)
    }
}
