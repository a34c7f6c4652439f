import Chronology
import ChronologyFixture
import Ledger
import Store
import Testing

@testable import Web

@Suite struct PageWordsTests {
    @Test(
        arguments: [
            (123_45678, "INR", "₹1,23,456.78"), (12_345_678_900, "INR", "₹12,34,56,789.00"), (50, "INR", "₹0.50"),
            (99_900, "INR", "₹999.00"), (100_000, "INR", "₹1,000.00"),
            (-2_500, "INR", "\u{2212}₹25.00"), (123_45678, "USD", "$123,456.78"), (1234, "JPY", "¥1,234"),
            (1_234_567, "KWD", "KWD\u{A0}1,234.567"), (0, "EUR", "€0.00"),
        ] as [(Int64, String, String)]) func money(units: Int64, code: String, text: String) throws
    {
        let currency = try #require(Currency(code: code))
        #expect(MoneyText.text(Money(minorUnits: units, currency: currency)) == text)
    }

    @Test(
        arguments: [
            (2_000_000, "INR", "₹20k"), (15_000_000, "INR", "₹1.5 L"), (1_000_000_000, "INR", "₹1 Cr"),
            (50_000, "INR", "₹500"), (150_000_000, "USD", "$1.5m"), (0, "INR", "₹0"),
            (-15_000_000, "INR", "\u{2212}₹1.5 L"), (-50, "INR", "₹0"),
        ] as [(Int64, String, String)]) func shortMoney(units: Int64, code: String, text: String) throws
    {
        let currency = try #require(Currency(code: code))
        #expect(MoneyText.short(Money(minorUnits: units, currency: currency)) == text)
    }

    @Test(arguments: [
        ("2026-01-05T06:43:14Z", "5 Jan 2026, 12:13 IST"), ("2026-12-31T18:30:00Z", "1 Jan 2027, 00:00 IST"),
        ("2026-12-31T18:29:59Z", "31 Dec 2026, 23:59 IST"),
    ]) func instants(instant: UnixTime, words: String) { #expect(DayText.instant(instant, .kolkata) == words) }

    @Test(
        arguments: [
            ("a=1&b=2&a=3", "a", ["1", "3"]), ("a=x+y%20z", "a", ["x y z"]), ("a=%E2%82%B9", "a", ["₹"]),
            ("a=%zz%4", "a", ["%zz%4"]), ("a=%FF", "a", ["\u{FFFD}"]), ("a", "a", [""]), ("", "a", []),
            ("a=b=c", "a", ["b=c"]), ("&&a=1&", "a", ["1"]),
        ] as [(String, String, [String])]) func forms(text: String, name: String, values: [String])
    { #expect(FormFields(query: text).all(name) == values) }

    @Test(arguments: ["plain", "two words", "₹ & = + % #", "\u{0}\n", "é/?"]) func encodedFieldsRoundTrip(text: String)
    {
        #expect(FormFields(query: FormFields.encoded([("name", text)]))["name"] == text)
    }

    @Test func longMailTextIsCut() {
        let text = [UInt8](repeating: 0x61, count: MarkedPiece.limit + 5)
        #expect(MarkedPiece.pieces(of: text, [:]).last?.text.contains("text continues") == true)
    }

    @Test(arguments: [
        "", "12345", "../../x", "<script>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz",
    ]) func addressCannotNameAnotherGroup(text: String) throws {
        #expect(PageNotice(word: "deleted", undo: text, back: "/")?.undo == nil)
        #expect(PageNotice(word: "<b>", undo: nil, back: "/") == nil)
        #expect(PageNotice(word: "deleted", undo: LedgerChange.newGroup(), back: "/")?.undo != nil)
    }
}
