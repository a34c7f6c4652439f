import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Profiles

@Suite struct PrintedDateTests {
    static func arrival(_ day: String) throws -> CalendarDate { try #require(CalendarDate(iso: day)) }

    @Test(
        arguments: [
            ("el 05 de setiembre de 2026", DateOrder.dayFirst, "2026-09-06", "2026-09-05"),
            ("28/MAY/2019 10:00", .dayFirst, "2019-05-28", "2019-05-28"),
            ("10/Feb", .dayFirst, "2026-02-11", "2026-02-10"),
            ("dne 3.2.2024 v 17:55", .dayFirst, "2024-02-03", "2024-02-03"),
            ("3. 2. 2024", .dayFirst, "2024-02-03", "2024-02-03"),
            ("el 15/ENE/2026 a las", .dayFirst, "2026-01-15", "2026-01-15"),
            ("12 feb. 2026 - 03:17", .dayFirst, "2026-02-12", "2026-02-12"),
            ("05 JUN 12:31", .dayFirst, "2026-06-05", "2026-06-05"),
            ("05 JUN 26 12:31", .dayFirst, "2026-06-05", "2026-06-05"),
            ("01/16/2026", .monthFirst, "2026-01-16", "2026-01-16"),
            ("11/12/25 at 08:01", .monthFirst, "2025-11-12", "2025-11-12"),
            ("on 11/12/25", .dayFirst, "2025-11-12", "2025-11-12"),
            ("on 11/12/25", .dayFirst, "2025-12-11", "2025-12-11"),
            ("2026年1月5日", .yearFirst, "2026-01-05", "2026-01-05"), ("令和8年1月5日", .yearFirst, "2026-01-05", "2026-01-05"),
            ("R8.1.5", .yearFirst, "2026-01-05", "2026-01-05"), ("2026년 1월 5일", .yearFirst, "2026-01-05", "2026-01-05"),
            ("วันที่ 20/01/2569 เวลา", .dayFirst, "2026-01-20", "2026-01-20"),
            ("20/01/69", .dayFirst, "2026-01-20", "2026-01-20"),
            ("20 ม.ค. 69", .dayFirst, "2026-01-20", "2026-01-20"),
            ("ngày 12 tháng 2 năm 2026", .dayFirst, "2026-02-12", "2026-02-12"),
            ("le 21 février 2026", .dayFirst, "2026-02-21", "2026-02-21"),
            ("3. März 2026", .dayFirst, "2026-03-03", "2026-03-03"),
            ("dnia 19 stycznia 2026", .dayFirst, "2026-01-19", "2026-01-19"),
            ("19 Ocak 2026", .dayFirst, "2026-01-19", "2026-01-19"),
            ("Feb 12th, 2026", .monthFirst, "2026-02-12", "2026-02-12"),
            ("martes 14 de abril de 2026", .dayFirst, "2026-04-14", "2026-04-14"),
            ("T 2026-01-05T10:00", .dayFirst, "2026-01-05", "2026-01-05"),
            ("12 Jan 50 points", .dayFirst, "2026-01-12", "2026-01-12"),
            ("01/19 12:30", .yearFirst, "2026-01-19", "2026-01-19"),
            ("12/02 às 10:15", .dayFirst, "2026-02-13", "2026-02-12"),
            ("12.02. um 10:15 Uhr", .dayFirst, "2026-02-13", "2026-02-12"),
            ("12.02. 10:15", .dayFirst, "2026-02-13", "2026-02-12"),
            ("12/02 à 10h15", .dayFirst, "2026-02-13", "2026-02-12"), ("3/4 of 10h", .dayFirst, "2026-04-03", nil),
            ("26/02/12", .yearFirst, "2026-02-13", "2026-02-12"), ("26.01.05", .yearFirst, "2026-02-13", "2026-01-05"),
            ("12/02/26", .yearFirst, "2026-02-13", "2026-02-12"),
            // Only the year in front gives a day near the arrival.
            ("26/3/9 16:46", .dayFirst, "2026-03-09", "2026-03-09"), ("12/3/4", .dayFirst, "2026-03-09", nil),
            ("26/02/12", .dayFirst, "2026-02-13", "2026-02-12"), ("26/02/25", .dayFirst, "2025-02-27", "2025-02-26"),
            ("115年2月12日", .yearFirst, "2026-02-13", "2026-02-12"),
            ("民國115年02月12日", .yearFirst, "2026-02-13", "2026-02-12"),
            ("115/02/12", .yearFirst, "2026-02-13", "2026-02-12"), ("800/02/12", .yearFirst, "2026-02-13", nil),
            ("at 12:31 no. 1-2 ratio 3/4", .dayFirst, "2026-01-05", nil), ("31/02/2026", .dayFirst, "2026-02-28", nil),
        ] as [(String, DateOrder, String, String?)])
    func reads(text: String, order: DateOrder, arrival: String, expected: String?) throws {
        let bytes = Array(text.utf8)
        let day = PrintedDate.next(in: bytes, from: 0, upTo: bytes.count)?.day(
            order: order, isCertain: false, arrival: try Self.arrival(arrival))
        #expect(day?.description == expected)
    }

    /// The order that the user gave is not doubted.
    @Test func aCertainOrderIsKept() throws {
        let bytes = Array("11/12/25".utf8)
        let date = try #require(PrintedDate.next(in: bytes, from: 0, upTo: bytes.count))
        #expect(
            date.day(order: .dayFirst, isCertain: true, arrival: try Self.arrival("2025-11-12"))?.description
                == "2025-12-11")
    }

    /// Every prefix of hostile text is read without a fault, and in time.
    @Test func hostileTextIsRead() throws {
        let text = Array("12 de 12 de 12 令和 令和8年 R8.1. 5月 12 tháng 12 tháng 2 năm 99999 20/01/ 1.1.1.1 05 JUN 12:".utf8)
        for end in text.indices {
            var at = 0
            while let date = PrintedDate.next(in: text, from: at, upTo: end) { at = date.span.upperBound }
        }
        let long = Array(String(repeating: "12 de ", count: 50_000).utf8)
        #expect(PrintedDate.next(in: long, from: 0, upTo: long.count) == nil)
    }

    /// Templates read the same forms.
    @Test(arguments: [
        ("05 de setiembre de 2026", "2026-09-05"), ("12 de marzo de 2026", "2026-03-12"), ("28/MAY/2019", "2019-05-28"),
        ("martes 14 de abril de 2026", "2026-04-14"), ("5th January 2026", "2026-01-05"), ("12May26", "2026-05-12"),
        ("05 JUN 12:31", "2026-06-05"), ("2026:04:21", "2026-04-21"), ("Sept 9, 2026", "2026-09-09"),
    ]) func templatesReadThem(text: String, expected: String) throws {
        #expect(DateText.read(text.utf8, arrival: try Self.arrival("2026-09-10"))?.description == expected)
    }
}
