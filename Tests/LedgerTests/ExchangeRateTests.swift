import Chronology
import ChronologyFixture
import Testing

@testable import Ledger

@Suite struct ExchangeRateTests {
    private static func currency(_ code: String) -> Currency { Currency(code: code) ?? .inr }

    private static func day(_ text: String) -> CalendarDate {
        CalendarDate(iso: text) ?? CalendarDate(daysSince1970: 0)
    }

    private static func rate(_ day: String, _ base: String, _ quote: String, _ text: String) throws -> ExchangeRate {
        let billionths = try #require(ExchangeRate.billionths(text))
        return try #require(
            ExchangeRate(
                day: Self.day(day), base: currency(base), quote: currency(quote), billionths: billionths,
                source: .person))
    }

    private static func convert(
        _ table: RateTable, _ minor: Int64, _ code: String, to other: String, on day: String
    ) -> String? {
        table.convert(Money(minorUnits: minor, currency: currency(code)), to: currency(other), on: Self.day(day))?
            .description
    }

    @Test(arguments: [
        ("83.0496", 83_049_600_000 as Int64?), ("1", 1_000_000_000), ("0.0053", 5_300_000),
        ("1.0123456789", 1_012_345_678),
        ("", nil), (".5", nil), ("1.", nil), ("-1", nil), ("1e3", nil), ("12345678", nil), ("1.2.3", nil),
    ]) func decimalNumbersAreRead(text: String, billionths: Int64?) {
        #expect(ExchangeRate.billionths(text) == billionths)
    }

    @Test func aRateOfACurrencyInItselfOrOfNothingIsRefused() {
        let day = Self.day("2026-01-05")
        let usd = Self.currency("USD")
        #expect(ExchangeRate(day: day, base: usd, quote: usd, billionths: 1, source: .person) == nil)
        #expect(ExchangeRate(day: day, base: usd, quote: .inr, billionths: 0, source: .person) == nil)
        #expect(
            ExchangeRate(day: day, base: usd, quote: .inr, billionths: ExchangeRate.maximum + 1, source: .person) == nil
        )
    }

    /// Billionths of the charged currency for one unit, rounded; minor units of different sizes.
    @Test(
        arguments: [
            ("USD", 3_180, "INR", 270_640, "85.106918239"), ("JPY", 1_000, "INR", 57_300, "0.573"),
            ("INR", 100, "JPY", 2, "2"), ("KWD", 1_000, "INR", 27_100, "271"), ("USD", 0, "INR", 100, nil),
            ("USD", 100, "INR", 0, nil), ("INR", 100, "INR", 100, nil), ("USD", 1, "INR", .max, nil),
        ] as [(String, Int64, String, Int64, String?)])
    func twoAmountsAreARate(base: String, foreign: Int64, quote: String, charged: Int64, rate: String?) throws {
        let (abroad, own) = (try #require(Currency(code: base)), try #require(Currency(code: quote)))
        let made = ExchangeRate(
            day: "2026-01-05", of: Money(minorUnits: foreign, currency: abroad),
            charged: Money(minorUnits: charged, currency: own))
        #expect(made?.decimal == rate && (made == nil || made?.source == .mail))
    }

    @Test func theNewestRateOnOrBeforeTheDayCounts() throws {
        let table = RateTable([
            try Self.rate("2026-01-05", "USD", "INR", "83.5"), try Self.rate("2026-01-02", "USD", "INR", "80"),
        ])
        #expect(Self.convert(table, 1_000, "USD", to: "INR", on: "2026-01-01") == nil)
        #expect(Self.convert(table, 1_000, "USD", to: "INR", on: "2026-01-04") == "INR 800.00")
        #expect(Self.convert(table, 1_000, "USD", to: "INR", on: "2027-01-04") == "INR 835.00")
        // The inverse, rounded to the minor unit; a debt is rounded as an asset is.
        #expect(Self.convert(table, 10_000, "INR", to: "USD", on: "2026-01-02") == "USD 1.25")
        #expect(Self.convert(table, -10_050, "INR", to: "USD", on: "2026-01-02") == "USD -1.26")
        #expect(Self.convert(table, 500, "INR", to: "INR", on: "2020-01-01") == "INR 5.00")
    }

    @Test func twoRatesWithAThirdCurrencyAreOne() throws {
        let table = RateTable([
            try Self.rate("2026-01-05", "EUR", "INR", "90"), try Self.rate("2026-01-05", "EUR", "JPY", "180"),
        ])
        // Yen have no minor unit.
        #expect(Self.convert(table, 200, "JPY", to: "INR", on: "2026-01-05") == "INR 100.00")
        #expect(Self.convert(table, 10_000, "INR", to: "JPY", on: "2026-01-05") == "JPY 200")
        #expect(Self.convert(table, 100, "GBP", to: "INR", on: "2026-01-05") == nil)
    }

    @Test func amountsThatDoNotFitHaveNoRate() throws {
        let table = RateTable([try Self.rate("2026-01-05", "USD", "INR", "999999")])
        #expect(Self.convert(table, .max, "USD", to: "INR", on: "2026-01-05") == nil)
        #expect(Self.convert(table, .min, "USD", to: "INR", on: "2026-01-05") == nil)
    }

    private static func lines(_ rates: [ExchangeRate]) -> [String] {
        rates.map { "\($0.day) \($0.base) \($0.quote) \($0.decimal)" }
    }

    @Test func theFilesOfTheECBAreRead() throws {
        let today = "Date, USD, JPY, ISK, \r\n20 November 2026, 1.0512, 162.35, N/A, \r\n"
        #expect(
            Self.lines(try ReferenceRates.read(today, from: .ecb)) == [
                "2026-11-20 EUR USD 1.0512", "2026-11-20 EUR JPY 162.35",
            ])
        let history = "Date,USD,JPY,\n2026-11-20,1.0512,162.35,\n2026-11-19,1.05,N/A,\n"
        #expect(Self.lines(try ReferenceRates.read(history, from: .ecb)).last == "2026-11-19 EUR USD 1.05")
    }

    @Test func theFilesOfTheRBIAreRead() throws {
        let pairs = """
            Date,Time,Currency Pairs,Rate
            "20 Nov 2026","13:30:00","INR / 1 USD","84.4231"
            "20 Nov 2026","13:30:00","INR / 100 JPY","54.62"
            """
        #expect(
            Self.lines(try ReferenceRates.read(pairs, from: .rbi)) == [
                "2026-11-20 USD INR 84.4231", "2026-11-20 JPY INR 0.5462",
            ])
        let columns = "Date,USD,EURO,YEN\n20/11/2026,84.4231,88.91,54.62\n"
        #expect(
            Self.lines(try ReferenceRates.read(columns, from: .rbi)) == [
                "2026-11-20 USD INR 84.4231", "2026-11-20 EUR INR 88.91", "2026-11-20 JPY INR 0.5462",
            ])
    }

    @Test(arguments: [
        ("", "line 1: the file is empty"), ("a,b", "line 1: the first column must be 'Date'"),
        ("Date,Gold\n", "line 1: 'Gold' is not a currency"),
        ("Date,USD\n32/01/2026,1", "line 2: '32/01/2026' is not a date"),
        ("Date,USD\n2026-01-05,x", "line 2: 'x' is not a rate"),
        ("Date,USD\n2026-01-05,0", "line 2: '0' is not a rate"),
    ]) func aDamagedFileIsRefusedWithItsLine(text: String, problem: String) {
        #expect {
            try ReferenceRates.read(text, from: .rbi)
        } throws: {
            "\($0)" == problem
        }
    }
}
