import Chronology
import ChronologyFixture
import Settings
import Testing

@testable import Notify
@testable import Store

@Suite struct QuietHoursTests {
    /// An instant, and the end of the quiet hours that contain it.
    static func check(
        _ quiet: QuietHours, _ now: String, _ end: String?, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let instant = try #require(UnixTime(iso: now))
        #expect(quiet.end(at: instant)?.description == end, "\(now)", sourceLocation: location)
    }

    @Test(
        arguments: [
            // India is five and a half hours ahead.
            ("2026-01-05T16:59:59Z", nil), ("2026-01-05T17:00:00Z", "2026-01-06T01:30:00Z"),
            ("2026-01-05T18:30:00Z", "2026-01-06T01:30:00Z"),
            ("2026-01-06T01:29:59Z", "2026-01-06T01:30:00Z"), ("2026-01-06T01:30:00Z", nil),
            ("2026-01-06T08:00:00Z", nil),
        ] as [(String, String?)]) func acrossMidnight(now: String, end: String?) throws
    {
        try Self.check(QuietHours(QuietSettings(from: 22 * 60 + 30, to: 7 * 60, timeZone: "Asia/Kolkata")), now, end)
    }

    @Test(
        arguments: [
            ("2026-01-05T07:29:59Z", nil), ("2026-01-05T07:30:10Z", "2026-01-05T08:30:00Z"),
            ("2026-01-05T08:30:00Z", nil),
        ] as [(String, String?)])
    func withinADay(now: String, end: String?) throws {
        try Self.check(QuietHours(QuietSettings(from: 13 * 60, to: 14 * 60, timeZone: "Asia/Kolkata")), now, end)
    }

    /// Berlin's clocks go forward at 01:00 UTC on 29 March 2026 and back at 01:00 UTC on 25 October.
    @Test(
        arguments: [
            ("2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"), ("2026-03-29T02:00:00Z", "2026-03-29T05:00:00Z"),
            ("2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"),
            ("2026-10-25T01:30:00Z", "2026-10-25T06:00:00Z"), ("2026-10-25T06:00:00Z", nil),
        ] as [(String, String?)]) func acrossAChangeOfTheClocks(now: String, end: String?) throws
    {
        try Self.check(QuietHours(QuietSettings(from: 22 * 60, to: 7 * 60, timeZone: "Europe/Berlin")), now, end)
    }

    /// Local ends that the clock skips or repeats.
    @Test(
        arguments: [
            ("2026-03-28T21:00:00Z", "2026-03-29T01:00:00Z"), ("2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"),
            ("2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"), ("2026-03-29T01:00:00Z", nil),
            ("2026-03-27T22:00:00Z", "2026-03-28T01:30:00Z"), ("2026-10-24T21:00:00Z", "2026-10-25T00:30:00Z"),
            ("2026-10-25T00:45:00Z", nil), ("2026-10-25T01:15:00Z", "2026-10-25T01:30:00Z"),
        ] as [(String, String?)]) func anEndWithinTheHourThatChanges(now: String, end: String?) throws
    {
        try Self.check(QuietHours(QuietSettings(from: 22 * 60, to: 2 * 60 + 30, timeZone: "Europe/Berlin")), now, end)
    }
}
