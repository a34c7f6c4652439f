import Chronology
import ChronologyFixture
import Ledger
import Testing

@Suite struct MoneyTests {
    static let usd = Currency(code: "USD") ?? .inr
    static let yen = Currency(code: "JPY") ?? .inr
    static let dinar = Currency(code: "KWD") ?? .inr

    @Test(
        arguments: [
            // Indian grouping, also as banks misprint it
            ("1,23,456.78", 12_345_678), ("12,34,56,789.00", 12_345_678_900), ("123,456.78", 12_345_678),
            ("7,50000.00", 75_000_000),
            ("1,234", 123_400),
            ("1,23,456", 12_345_600), ("10,00,000", 100_000_000),
            // none
            ("500", 50000), ("500.5", 50050), ("500.50", 50050), ("0.01", 1), (".05", 5), ("0", 0), ("00012.30", 1230),
            ("149.0", 14900),
            // the end of a sentence
            ("500.", 50000), ("1,234.", 123_400), ("1,234.50.", 123_450),
            // other countries
            ("3,40", 340), ("1.234,56", 123_456), ("1.234.567,89", 123_456_789), ("1.234.567", 123_456_700),
            // blanks of a wrapped line
            ("1,23, 456.78", 12_345_678), ("1 234.50", 123_450), ("1,234\n.50", 123_450),
            // large
            ("10,000,000,000,000.00", 1_000_000_000_000_000),
        ] as [(String, Int64)])
    func reads(_ text: String, _ minor: Int64) {
        #expect(Money(printed: text.utf8, currency: .inr)?.minorUnits == minor)
    }

    @Test(arguments: [
        "", " ", ".", ",", "..", "-5", "+5", "5-", "1e5", "Rs 5", "₹5", "5/-", "1.234", "0.123", "1,234.567",
        "1,2345,6.789", "1.2.3",
        "1,2,3", "1,23,45",
        ",5,00", ",500", "5,,000.00", "1,234.56,78", "1.234,567.89", "1.234,56.78", "10,000,000,000,000.01",
        "9999999999999999999",
        "1234567890123456789.00",
        "\u{0665}", "5\u{0}", "١٢",
    ])
    func refuses(_ text: String) { #expect(Money(printed: text.utf8, currency: .inr) == nil) }

    @Test(
        arguments: [
            ("1,23,456.78", 12_345_678), ("123,456.78", 12_345_678), ("1,234", 123_400),
            ("12,34,56,789", 12_345_678_900), ("1 234.50", 123_450), ("1.234,56", 123_456),
            ("500", 50000), (".5", 50), ("500.", 50000), ("12,34", nil), ("3,4", nil), ("12,34.50", nil),
            ("7,50000.00", nil), ("1234,567", nil), ("1,23,456,789", nil), (",500", nil),
            ("1.234", nil), ("", nil), ("-5", nil),
        ] as [(String, Int64?)])
    func readsWhatIsTyped(_ text: String, _ minor: Int64?) {
        #expect(Money(typed: text, currency: .inr)?.minorUnits == minor)
    }

    @Test(
        arguments: [
            ("1,234", yen, 1234), ("1234", yen, 1234), ("1,234.00", yen, 1234), ("1.234", dinar, 1234),
            ("1.5", dinar, 1500),
            ("1,234.567", dinar, 1_234_567),
            ("12.34", usd, 1234),
        ] as [(String, Currency, Int64)])
    func readsMinorUnitsOf(_ text: String, _ currency: Currency, _ minor: Int64) {
        #expect(Money(printed: text.utf8, currency: currency)?.minorUnits == minor)
    }

    @Test(arguments: [("1234.50", yen), ("12.345", usd), ("1.2345", dinar)]) func refusesMoreThanTheMinorUnit(
        _ text: String, _ currency: Currency
    ) {
        #expect(Money(printed: text.utf8, currency: currency) == nil)
    }

    @Test(
        arguments: [
            (0, Currency.inr, "0.00"), (5, .inr, "0.05"), (12345, .inr, "123.45"), (-300, .inr, "-3.00"),
            (-5, .inr, "-0.05"),
            (1234, yen, "1234"), (5, dinar, "0.005"),
            (.max, .inr, "92233720368547758.07"), (.min, .inr, "-92233720368547758.08"),
        ] as [(Int64, Currency, String)])
    func prints(_ minor: Int64, _ currency: Currency, _ text: String) {
        #expect(Money(minorUnits: minor, currency: currency).decimal == text)
        #expect(Money(minorUnits: minor, currency: currency).description == "\(currency.code) \(text)")
    }

    @Test func printedValuesRoundTrip() {
        for minor in stride(from: Int64(0), through: 1_000_000_000_000_000, by: 999_999_999_937 / 3) {
            for currency in [Currency.inr, Self.yen, Self.dinar] {
                let money = Money(minorUnits: minor, currency: currency)
                #expect(Money(printed: money.decimal.utf8, currency: currency) == money)
            }
        }
    }

    /// Total: returns a result for any bytes.
    @Test func isTotal() {
        var state: UInt64 = 42
        let alphabet = Array("0123456789,,.. \n-R\u{0}".utf8)
        for _ in 0..<20000 {
            var text: [UInt8] = []
            repeat {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                text.append(alphabet[Int(state >> 40) % alphabet.count])
            } while state >> 59 != 0 && text.count < 40
            if let money = Money(printed: text, currency: .inr) {
                #expect((0...Money.maximumMinorUnits).contains(money.minorUnits))
            }
        }
    }
}

@Suite struct CurrencyTests {
    @Test(arguments: [
        ("Rs", "INR"), ("Rs.", "INR"), ("rs .", "INR"), ("₹", "INR"), ("INR", "INR"), ("inr.", "INR"), ("Re", "INR"),
        ("Re.", "INR"),
        ("$", "USD"), ("US$", "USD"), ("€", "EUR"),
        ("£", "GBP"), ("¥", "JPY"), ("aed", "AED"), ("Rs. INR", "INR"), ("RUPEES", "INR"),
    ])
    func names(_ text: String, _ code: String) { #expect(Currency.named(text)?.code == code) }

    @Test(arguments: ["", "RUPEE NOTES", "US", "12A", "é€€", "A1B", "@@@", "```", "[[["]) func refuses(_ text: String) {
        #expect(Currency.named(text) == nil)
        #expect(Currency(code: text) == nil)
    }

    @Test(arguments: [("INR", 2), ("USD", 2), ("JPY", 0), ("KWD", 3), ("BHD", 3), ("VND", 0)]) func exponents(
        _ code: String, _ exponent: Int
    ) {
        #expect(Currency(code: code)?.exponent == exponent)
    }

    static let plainAmounts: [(String, Int64?)] = [
        ("0", 0), ("1", 100), ("1.5", 150), ("1.50", 150), ("1.500", nil), ("0.01", 1), ("1.005", nil), ("1.", nil),
        (".5", nil), ("+1", nil), ("-1", nil), ("1e2", nil), ("١", nil), ("", nil),
        ("9999999999999.99", 999_999_999_999_999), ("10000000000000", nil),
        ("10000000000000.01", nil), ("99999999999999999999", nil), (" 1", nil),
    ]

    @Test(arguments: plainAmounts) func plainForm(text: String, minor: Int64?) {
        #expect(Money(plain: text, currency: .inr)?.minorUnits == minor)
    }
}
