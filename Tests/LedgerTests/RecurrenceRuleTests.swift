import Chronology
import ChronologyFixture
import Testing

@testable import Ledger

/// The supported part of RFC 5545, section 3.3.10.
@Suite struct RecurrenceRuleTests {
    /// Rule, first day, last day of the range, occurrences.
    static let fixtures: [(String, CalendarDate, CalendarDate, String)] = [
        ("FREQ=DAILY;INTERVAL=10;COUNT=3", "2026-01-01", "2026-12-31", "2026-01-01 2026-01-11 2026-01-21"),
        ("FREQ=WEEKLY", "2026-01-01", "2026-01-20", "2026-01-01 2026-01-08 2026-01-15"),
        ("FREQ=WEEKLY;BYDAY=TH,MO", "2026-01-01", "2026-01-12", "2026-01-01 2026-01-05 2026-01-08 2026-01-12"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-01-01", "2026-02-01", "2026-01-12 2026-01-26"),
        ("FREQ=MONTHLY", "2026-01-31", "2026-06-01", "2026-01-31 2026-03-31 2026-05-31"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-01-01", "2026-06-01", "2026-01-31 2026-03-31 2026-05-31"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-01", "2026-04-30", "2026-01-31 2026-02-28 2026-03-31 2026-04-30"),
        ("FREQ=MONTHLY;BYMONTHDAY=-31", "2026-02-01", "2026-05-31", "2026-03-01 2026-05-01"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1,1", "2028-02-01", "2028-03-01", "2028-02-01 2028-02-29 2028-03-01"),
        ("FREQ=MONTHLY;BYDAY=1MO", "2026-01-01", "2026-03-31", "2026-01-05 2026-02-02 2026-03-02"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "2026-01-01", "2026-03-31", "2026-01-30 2026-02-27 2026-03-27"),
        ("FREQ=MONTHLY;BYDAY=5FR", "2026-01-01", "2026-05-31", "2026-01-30 2026-05-29"),
        ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", "2026-01-20", "2026-12-31", "2026-04-15 2026-07-15 2026-10-15"),
        ("FREQ=MONTHLY;UNTIL=20260301", "2026-01-01", "2026-12-31", "2026-01-01 2026-02-01 2026-03-01"),
        ("FREQ=MONTHLY;UNTIL=20260215T000000Z", "2026-01-01", "2026-12-31", "2026-01-01 2026-02-01"),
        ("FREQ=YEARLY", "2024-02-29", "2033-01-01", "2024-02-29 2028-02-29 2032-02-29"),
        ("FREQ=YEARLY;INTERVAL=2", "2026-03-01", "2030-12-31", "2026-03-01 2028-03-01 2030-03-01"),
        ("rrule:freq=yearly;count=1", "2026-03-01", "2030-12-31", "2026-03-01"),
        ("FREQ=YEARLY;INTERVAL=1000", "2199-12-31", "2199-12-31", "2199-12-31"),
        ("FREQ=WEEKLY", "2199-12-30", "2199-12-31", "2199-12-30"),
    ]

    @Test(arguments: fixtures)
    func occurrencesFollowTheStandard(rule: String, start: CalendarDate, end: CalendarDate, days: String) throws {
        let read = try RecurrenceRule(rule)
        let span = try #require(DaySpan(start, through: end))
        #expect(read.occurrences(from: start, within: span).map(\.description).joined(separator: " ") == days)
        #expect(try RecurrenceRule(read.description) == read)
        // A later range has the same days, also with a count.
        let later = try #require(DaySpan(end, through: end))
        #expect(read.occurrences(from: start, within: later) == (days.hasSuffix(end.description) ? [end] : []))
    }

    @Test(arguments: [
        ("", "FREQ must be one of"), ("FREQ=HOURLY", "FREQ must be one of"), ("FREQ", "NAME=VALUE"),
        ("FREQ=MONTHLY;BYSETPOS=1", "unknown part"), ("FREQ=MONTHLY;FREQ=DAILY", "twice"),
        ("FREQ=MONTHLY;INTERVAL=0", "INTERVAL must be"), ("FREQ=MONTHLY;INTERVAL=99999999999999999999", "INTERVAL"),
        ("FREQ=MONTHLY;COUNT=-1", "COUNT must be"), ("FREQ=MONTHLY;COUNT=2;UNTIL=20260101", "not both"),
        ("FREQ=MONTHLY;UNTIL=20260230", "UNTIL must be"), ("FREQ=MONTHLY;UNTIL=2026", "UNTIL must be"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY must be"), ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY must be"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,", "BYMONTHDAY must be"), ("FREQ=MONTHLY;BYDAY=6MO", "BYDAY must be"),
        ("FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=1", "not both"), ("FREQ=WEEKLY;BYDAY=1MO", "FREQ=MONTHLY"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=MONTHLY"), ("FREQ=DAILY;BYDAY=MO", "BYDAY needs"),
        ("FREQ=YEARLY;BYMONTHDAY=1", "BYMONTHDAY needs"), ("FREQ=MONTHLY;COUNT=１", "COUNT must be"),
        ("FREQ=MONTHLY;" + String(repeating: "X", count: 300), "longer than"),
    ])
    func otherRulesAreRefusedWithAReason(text: String, reason: String) {
        let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func nextDayIsFoundAcrossLeapYears() throws {
        let rule = try RecurrenceRule("FREQ=YEARLY")
        #expect(rule.next(from: "2024-02-29", onOrAfter: "2024-03-01") == "2028-02-29")
        #expect(
            try RecurrenceRule("FREQ=MONTHLY;UNTIL=20260101").next(from: "2025-01-01", onOrAfter: "2026-01-02") == nil)
    }
}
