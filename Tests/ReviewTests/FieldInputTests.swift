import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Review

@Suite struct FieldInputTests {
    static let input = FieldInput(currency: .inr, arrival: CalendarDate(year: 2026, month: 1, day: 10))

    @Test(arguments: [
        (Field.amount, "1,23,456.78", "INR 123456.78"), (.amount, "Rs.500/-", "INR 500.00"),
        (.amount, "USD 12.50", "USD 12.50"), (.amount, "12.50 EUR", "EUR 12.50"),
        (.amount, "(INR 4,000.00),", "INR 4000.00"), (.amount, "₹99", "INR 99.00"), (.amount, ".50", "INR 0.50"),
        (.amount, "JPY 1200", "JPY 1200"),
        (.date, "2026-01-05", "2026-01-05"), (.date, "05-01-26.", "2026-01-05"), (.date, "5 Jan", "2026-01-05"),
        (.date, "Jan 05, 2026", "2026-01-05"), (.date, "28 Dec", "2025-12-28"),
        (.time, "4:03 PM", "16:03:00"), (.time, "16:03:50", "16:03:50"), (.account, "XX4410,", "4410"),
        (.account, "**410", "410"),
        (.type, "Income", "income"), (.channel, "upi", "upi"), (.merchant, "(GREEN LEAF CAFE)", "GREEN LEAF CAFE"),
        (.merchant, "LAKE BAKERY,", "LAKE BAKERY"),
        (.merchant, "JOE'S (PUNE)", "JOE'S (PUNE)"), (.merchant, "  A   B ", "A B"),
        (.reference, "610000000009.", "610000000009"),
    ])
    func readsSelectedWords(field: Field, text: String, value: String) throws {
        #expect(try Self.input.read(text, as: field, isSelected: true).text == value)
    }

    @Test(arguments: [
        (Field.amount, "twelve"), (.amount, "-5"), (.amount, "1.234"), (.amount, "12 rupiah notes"),
        (.date, "32-01-26"), (.date, "soon"), (.time, "25:00"), (.account, "x"),
        (.type, "gift"), (.merchant, " "), (.merchant, "()"), (.balance, "5"),
        (.merchant, String(repeating: "a", count: 201)),
    ])
    func refusesSelectedWordsOfAnotherKind(field: Field, text: String) {
        #expect(throws: FieldInputError.self) { try Self.input.read(text, as: field, isSelected: true) }
    }

    @Test func keepsTypedWordsAsTheyAre() throws {
        #expect(try Self.input.read("Dr. Rao & Co.", as: .merchant, isSelected: false).text == "Dr. Rao & Co.")
    }

    @Test(arguments: [
        (Field.amount, "-5", "no sign"), (.amount, "five", "not an amount"), (.amount, "5 zorkmids", "not a currency"),
        (.date, "soon", "not a date"), (.time, "noon", "not a time"), (.account, "X", "no digits"),
        (.type, "gift", "use one of expense"), (.channel, "pigeon", "use one of"), (.merchant, " ", "no value"),
        (.balance, "1", "cannot be edited"),
    ]) func refusesOtherText(field: Field, text: String, reason: String) {
        let error = #expect(throws: FieldInputError.self) { try Self.input.read(text, as: field, isSelected: false) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func readsExactForms() throws {
        #expect(try FieldInput.currency("usd").code == "USD")
        #expect(try FieldInput.time("16:03").description == "16:03:00")
        #expect(throws: FieldInputError.self) { try FieldInput.date("05-01-26") }
        #expect(throws: FieldInputError.self) { try FieldInput.amount("1.2.3", .inr) }
    }

    @Test(arguments: [
        ("card-spend", true), ("a", true), ("", false), ("Card", false), ("1card", false), ("a_b", false),
    ])
    func templateNames(text: String, isValid: Bool) { #expect(TemplateKey.isValid(text) == isValid) }

    @Test(arguments: [
        ("hdfc/card-spend", true), ("hdfc", false), ("hdfc/", false), ("/paid", false), ("a/b/c", false),
        ("hdfc/../../mailboxes", false), ("../hdfc/paid", false), ("_india/paid", false), ("hdfc/a\0b", false),
    ])
    func namesOfABanksTemplate(text: String, isName: Bool) { #expect(TemplateKey.isName(text) == isName) }
}

@Suite struct FieldGuessTests {
    static let text = MailText(Array("Rs.1,234.50 was paid\nto GREEN LEAF CAFE, on 05-01-26.".utf8))
    static let spans: [Field: Range<Int>] = [.amount: 3..<11, .merchant: 24..<39, .date: 44..<52]

    @Test func splitsTextIntoWords() {
        #expect(Self.text.words.count == 9)
        #expect(Self.text.string(Self.spans[.merchant] ?? 0..<0) == "GREEN LEAF CAFE")
        #expect(Self.text.words(in: 24..<39) == 4...6)
        #expect(Self.text.range(of: 4...6).map(Self.text.string) == "GREEN LEAF CAFE,")
        #expect(Self.text.range(of: 4...99) == nil)
    }

    @Test(
        arguments: [
            (Field.merchant, "GREEN LEAF CAFE,"), (.date, "05-01-26."), (.account, nil), (.reference, nil),
        ] as [(Field, String?)])
    func guessesTheWordsOfAField(field: Field, words: String?) {
        let guess = FieldGuess(text: Self.text, amount: 0...0).words(of: field)
        #expect(guess.flatMap { Self.text.range(of: $0) }.map(Self.text.string) == words)
    }
}
