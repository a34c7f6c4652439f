import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Profiles

@Suite struct DateTextTests {
    static let arrival = CalendarDate(year: 2026, month: 2, day: 10)

    @Test(arguments: [
        ("05-01-26", "2026-01-05"), ("05/01/2026", "2026-01-05"), ("5.1.26", "2026-01-05"),
        ("05 Jan, 2026", "2026-01-05"),
        ("5th January 2026", "2026-01-05"), ("05-JAN-26", "2026-01-05"), ("12May26", "2026-05-12"),
        ("Jan 05, 2026", "2026-01-05"),
        ("January      5, 2026", "2026-01-05"), ("2026-01-05", "2026-01-05"), ("31-12-2025", "2025-12-31"),
        ("Mon, 05 Jan 2026", "2026-01-05"),
        ("9 Sep", "2025-09-09"), ("9 Feb", "2026-02-09"), ("Sept 9", "2025-09-09"), ("29-02-24", "2024-02-29"),
    ]) func reads(text: String, expected: String) throws {
        #expect(DateText.read(Array(text.utf8), arrival: try #require(Self.arrival))?.description == expected)
    }

    @Test(arguments: [
        "31-02-26", "00-01-26", "05-13-26", "29-02-26", "", "-", "2026", "05-01", "1-1-1", "123456789-1-1",
        "05 Foo 2026", "99999999999999999999",
    ])
    func refuses(text: String) throws {
        #expect(DateText.read(Array(text.utf8), arrival: try #require(Self.arrival)) == nil)
    }

    @Test func dateOrderOfTheProfile() throws {
        #expect(DateText.order(ofFormat: "MM/dd/yyyy") == .monthFirst)
        #expect(DateText.order(ofFormat: "dd-MM-yy") == .dayFirst)
        #expect(DateText.order(ofFormat: "yyyy/MM/dd") == .yearFirst)
        #expect(DateText.order(ofFormat: "dd MM") == nil)
        #expect(
            DateText.read(Array("01/05/2026".utf8), order: .monthFirst, arrival: try #require(Self.arrival))?
                .description == "2026-01-05")
    }
}

@Suite struct TimeTextTests {
    @Test(arguments: [
        ("16:03", "16:03:00", false), ("04:03:50", "04:03:50", true), ("4:03 PM", "16:03:00", false),
        ("04:03:50 a.m.", "04:03:50", false),
        ("12:05:01 IST", "12:05:01", true), ("12:10 am", "00:10:00", false), ("12:10 pm", "12:10:00", false),
        ("16:03 PM", "16:03:00", false),
        ("23:59:59 hrs", "23:59:59", false),
    ]) func reads(text: String, expected: String, mayBeTwelveHour: Bool) {
        let reading = TimeText.read(Array(text.utf8))
        #expect(reading?.time.description == expected)
        #expect(reading?.mayBeTwelveHour == mayBeTwelveHour)
    }

    @Test(arguments: ["24:00", "12:60", "1603", "", ":", "1:2:3:4", "999999:00"]) func refuses(text: String) {
        #expect(TimeText.read(Array(text.utf8)) == nil)
    }
}
