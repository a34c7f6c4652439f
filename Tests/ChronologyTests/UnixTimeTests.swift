import Chronology
import Glibc
import Testing

@Suite struct UnixTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (86399, "1970-01-01T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"), (4_102_444_800, "2100-01-01T00:00:00Z"),
            (7_258_118_399, "2199-12-31T23:59:59Z"),
        ] as [(Int64, String)]) func roundTrips(seconds: Int64, text: String)
    {
        #expect(UnixTime(seconds: seconds).description == text)
        #expect(UnixTime(iso: text)?.seconds == seconds)
    }

    @Test(
        arguments: [
            (-1, "1970-01-01T00:00:00Z"), (.min, "1970-01-01T00:00:00Z"), (.max, "2199-12-31T15:30:07Z"),
        ] as [(Int64, String)]) func clamps(seconds: Int64, text: String)
    {
        #expect(UnixTime(seconds: seconds).description == text)
    }

    @Test func dayDependsOnTheOffset() {
        let evening = UnixTime(seconds: 1_767_225_599)
        #expect(evening.day().description == "2025-12-31")
        #expect(evening.day(offset: 19_800).description == "2026-01-01")
        #expect(evening.day(offset: -86_400).description == "2025-12-30")
        #expect(UnixTime(seconds: .min).day(offset: -1).description == "1970-01-01")
        #expect(UnixTime(seconds: .max).day(offset: 1).description == "2199-12-31")
    }

    @Test func startsFromADayAndATime() {
        let day = CalendarDate(iso: "2026-01-05")!
        #expect(UnixTime(day).description == "2026-01-05T00:00:00Z")
        #expect(UnixTime(day, TimeOfDay(iso: "06:43:14")).description == "2026-01-05T06:43:14Z")
    }

    @Test(
        arguments: [
            (100, 20, 120, 80), (100, -20, 80, 120), (0, 0, 0, 0), (.max, 1, .max, .max - 1),
            (.min, 1, .min + 1, .min), (.max, -1, .max - 1, .max), (.min, -1, .min, .min + 1), (0, .min, .min, .max),
        ] as [(Int64, Int64, Int64, Int64)]) func addsSeconds(instant: Int64, seconds: Int64, sum: Int64, rest: Int64)
    {
        let instant = UnixTime(seconds: instant)
        #expect((instant + seconds).seconds == sum)
        #expect((instant - seconds).seconds == rest)
        var moved = instant
        moved += seconds
        #expect(moved.seconds == sum)
        moved = instant
        moved -= seconds
        #expect(moved.seconds == rest)
    }

    @Test(
        arguments: [(120, 100, 20), (100, 120, -20), (.max, .min, .max), (.min, .max, .min)]
            as [(Int64, Int64, Int64)]) func differsBySeconds(later: Int64, earlier: Int64, difference: Int64)
    {
        #expect(UnixTime(seconds: later) - UnixTime(seconds: earlier) == difference)
    }

    @Test func clocksRun() {
        #expect(abs(UnixTime.now.seconds - Int64(time(nil))) <= 1)
        let before = SystemClock.monotonic.nanoseconds
        #expect(SystemClock.monotonic.nanoseconds >= before)
        #expect(SystemClock.bootTime.seconds >= SystemClock.monotonic.seconds)
        #expect(SystemClock.realTime.milliseconds / 1000 <= UnixTime.now.seconds)
    }

    static let instants: [(String, String?)] = [
        ("2026-01-05T06:43:14Z", "2026-01-05T06:43:14Z"), ("2026-01-05T06:43:14.123456", "2026-01-05T06:43:14Z"),
        ("2026-01-05 06:43:14+05:30", "2026-01-05T01:13:14Z"),
        ("2026-01-05T06:43:14-08:00", "2026-01-05T14:43:14Z"), ("2026-02-30T06:43:14Z", nil), ("2026-01-05", nil),
        ("2026-01-05T06:43:14Zx", nil), ("2026-01-05T06:43:14.Z", nil), ("", nil),
        ("0001-02-28T00:00:00z", "1970-01-01T00:00:00Z"), ("9999-12-31t23:59:60Z", "2199-12-31T23:59:59Z"),
        ("1970-01-01T00:00:00+05:30", "1970-01-01T00:00:00Z"), ("2026-01-05T06:43:14+5:30", nil),
        ("2026-01-05T24:00:00Z", nil),
    ]

    @Test(arguments: instants) func rfc3339Forms(text: String, normal: String?) {
        #expect(UnixTime(rfc3339: text)?.description == normal)
    }
}
