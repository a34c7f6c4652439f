import Chronology
import Ledger
import Testing

@testable import Store

@Suite struct InstantTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (86399, "1970-01-01T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"), (7_258_118_399, "2199-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func roundTrip(seconds: Int64, text: String) {
        #expect(Instant.text(seconds) == text)
        #expect(Instant.seconds(text) == seconds)
    }

    @Test(
        arguments: [
            (-1, "1970-01-01T00:00:00Z"), (Int64.min, "1970-01-01T00:00:00Z"), (Int64.max, "2199-12-31T15:30:07Z"),
        ]
            as [(Int64, String)])
    func clamps(seconds: Int64, text: String) { #expect(Instant.text(seconds) == text) }

    @Test(arguments: [
        "", "2026-01-05", "2026-01-05T25:00:00Z", "2026-13-05T00:00:00Z", "2026-01-05T00:00:00+",
        "2026-01-05T00:00:00é",
    ])
    func refuses(_ text: String) { #expect(Instant.seconds(text) == nil) }

    @Test func everyDayOfTwoCenturies() {
        var previous = ""
        for day in stride(from: 0, through: 84005, by: 1) {
            let text = Instant.day(CalendarDate(daysSince1970: day))
            #expect(text == CalendarDate(daysSince1970: day).description && text > previous)
            previous = text
        }
    }

    @Test func mailIDs() throws {
        let ids = (0..<1000).map { _ in MailID.make() }
        #expect(Set(ids).count == 1000)
        for id in ids {
            #expect(try /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(in: id) != nil)
        }
        #expect(ids.map { $0.prefix(13) } == ids.map { $0.prefix(13) }.sorted())
    }
}
