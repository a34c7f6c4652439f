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

    @Test func clocksRun() {
        #expect(abs(UnixTime.now.seconds - Int64(time(nil))) <= 1)
        let before = SystemClock.monotonic.nanoseconds
        #expect(SystemClock.monotonic.nanoseconds >= before)
        #expect(SystemClock.bootTime.seconds >= SystemClock.monotonic.seconds)
        #expect(SystemClock.realTime.milliseconds / 1000 <= UnixTime.now.seconds)
    }
}
