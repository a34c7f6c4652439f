import Ledger
import Testing

@Suite struct LocalizedMoneyTests {
    @Test(
        arguments: [
            ("1,234.56", "USD", nil, "1234.56"), ("1.234,56", "EUR", nil, "1234.56"), ("51,28", "EUR", nil, "51.28"),
            ("1 234,56", "PLN", .comma, "1234.56"), ("12 480,31", "CZK", .comma, "12480.31"),
            ("1'234.50", "CHF", .point, "1234.50"), ("1’234.50", "CHF", nil, "1234.50"),
            ("37,000", "VND", .comma, "37000"), ("2.500.000", "VND", .comma, "2500000"),
            ("250.000", "CLP", .comma, "250000"), ("250.000", "COP", .comma, "250000.00"),
            ("1,280", "JPY", .point, "1280"), ("1,280.00", "JPY", .point, "1280"),
            ("4.500", "KWD", .point, "4.500"), ("1,022.750", "KWD", .point, "1022.750"),
            ("12,500", "TND", .comma, "12.500"), ("1250.755", "TND", .comma, "1250.755"),
            (".93", "USD", .comma, "0.93"),
            ("1,234", "KWD", .point, "1234.000"), ("10", "BHD", .point, "10.000"),
            ("R1", "ZAR", .point, nil), ("1 249.00", "ZAR", .point, "1249.00"), ("499,00", "ZAR", .point, "499.00"),
            ("١٬٢٣٤٫٥٦", "SAR", .point, "1234.56"), ("３８５", "TWD", .point, "385.00"), ("500.", "USD", .point, "500.00"),
            ("1,23,456.78", "INR", .point, "123456.78"),
            // may be anything
            ("1.234", "USD", .point, nil), ("1.234", "USD", nil, nil), ("12.3456", "USD", .point, nil),
            ("1.2.3", "USD", .point, nil), ("1,23.456,78", "EUR", nil, nil), ("", "USD", .point, nil),
            ("1234567890123456789", "USD", .point, nil),
        ] as [(String, String, DecimalMark?, String?)])
    func reads(text: String, code: String, decimal: DecimalMark?, expected: String?) throws {
        let currency = try #require(Currency(code: code))
        #expect(Money(localized: Array(text.utf8)[...], currency: currency, decimal: decimal)?.decimal == expected)
    }

    /// ISO 4217, table A.1.
    @Test(arguments: [
        ("CLP", 0), ("JPY", 0), ("VND", 0), ("KWD", 3), ("BHD", 3), ("OMR", 3), ("TND", 3), ("JOD", 3), ("USD", 2),
        ("XYZ", 2),
    ])
    func minorUnits(code: String, digits: Int) throws {
        #expect(try #require(Currency(code: code)).exponent == digits)
    }

    /// ISO 4217, table A.1, without the codes of funds, in which no payment is made.
    private static let codes = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY \
        COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR \
        ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK \
        MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF \
        SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU \
        UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
        """

    @Test func everyCodeIsKnown() {
        for code in Self.codes.split(separator: " ") {
            let currency = CurrencyTable.shared.currency(spelled: Array(code.utf8)[...], home: nil)
            #expect(currency?.code == String(code))
        }
    }

    @Test(
        arguments: [
            ("$", "MXN", "MXN"), ("$", "INR", "USD"), ("$", "EUR", "USD"), ("kr", "NOK", "NOK"), ("Rs", "PKR", "PKR"),
            ("Rs.", "INR", "INR"), ("S/", "PEN", "PEN"), ("zł", "PLN", "PLN"), ("Kč", "CZK", "CZK"),
            ("R$", "BRL", "BRL"),
            ("¥", "CNY", "CNY"), ("¥", "USD", "JPY"), ("NT$", "TWD", "TWD"), ("₦", "NGN", "NGN"), ("hk$", "INR", "HKD"),
        ])
    func signs(sign: String, home: String, code: String) throws {
        #expect(Currency.named(sign, home: try #require(Currency(code: home)))?.code == code)
    }

    @Test func countries() throws {
        let thailand = try #require(Country(code: "th"))
        #expect(
            thailand.currency.code == "THB" && thailand.languages.first == "th" && thailand.timeZone == "Asia/Bangkok")
        #expect(Country(code: "US")?.dateOrder == .monthFirst && Country(code: "BR")?.decimal == .comma)
        #expect(Country(domain: "alerts.bank.co.uk")?.code == "GB" && Country(domain: "bank.com") == nil)
        #expect(Country(domain: "bank.co") == nil && Country(domain: "bank.com.co")?.code == "CO")
        #expect(Currency(code: "USD").flatMap { Country.main(of: $0) }?.code == "US")
        #expect(Currency(code: "EUR").flatMap { Country.main(of: $0) } == nil && Country(code: "XX") == nil)
    }
}
