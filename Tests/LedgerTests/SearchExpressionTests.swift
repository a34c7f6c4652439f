import Chronology
import Ledger
import Testing

/// What people type into the search, and the terms that it becomes.
@Suite struct SearchExpressionTests {
    typealias Term = SearchExpression.Term

    private static func day(_ text: String) -> CalendarDate {
        CalendarDate(iso: text) ?? CalendarDate(daysSince1970: 0)
    }

    private static func span(_ first: String, _ last: String) -> DaySpan {
        DaySpan(day(first), through: day(last)) ?? DaySpan(days: 1, through: day(last))
    }

    static let terms: [(String, [Term])] = [
        ("", []), ("   ", []), ("coffee", [.text("coffee")]), ("two  words", [.text("two"), .text("words")]),
        ("\"big bazaar\"", [.text("big bazaar")]), ("\"big bazaar", [.text("big bazaar")]), ("\"\"", []),
        ("merchant:\"say \"\"hi\"\"\"", [.merchant("say \"hi\"")]),
        ("tag:goa Coffee", [.tag("goa"), .text("Coffee")]), ("TAG:goa", [.tag("goa")]),
        ("category:\"Food & Drinks\"", [.category("Food & Drinks")]), ("a:b", [.text("a:b")]),
        ("10:30", [.text("10:30")]), ("https://x.example", [.text("https://x.example")]),
        ("\"foo:bar\"", [.text("foo:bar")]), ("x1:y", [.text("x1:y")]), ("UPI/12:ab", [.text("UPI/12:ab")]),
        ("account:4082 bank:HDFC", [.account("4082"), .bank("hdfc")]), ("is:Income", [.state(.income)]),
        ("500", [.number(text: "500", minorUnits: 50_000)]),
        ("30,140.20", [.number(text: "30,140.20", minorUnits: 3_014_020)]),
        ("₹1,23,456", [.number(text: "₹1,23,456", minorUnits: 12_345_600)]), ("\"500\"", [.text("500")]),
        (">5000", [.amount(from: 500_001, to: .max)]), (">=5000", [.amount(from: 500_000, to: .max)]),
        ("<5", [.amount(from: 0, to: 499)]), ("<=5", [.amount(from: 0, to: 500)]),
        ("=5", [.amount(from: 500, to: 500)]),
        ("500..700", [.amount(from: 50_000, to: 70_000)]), ("..700", [.amount(from: 0, to: 70_000)]),
        ("500..", [.amount(from: 50_000, to: .max)]), ("..", [.text("..")]), ("a..b", [.text("a..b")]),
        ("12,34", [.text("12,34")]), ("5%", [.text("5%")]), ("7-Eleven", [.text("7-Eleven")]),
        ("99999999999999999999", [.text("99999999999999999999")]),
        ("2026-11-21", [.days(.span(span("2026-11-21", "2026-11-21")))]),
        ("2026-02", [.days(.span(span("2026-02-01", "2026-02-28")))]), ("2026-13", [.text("2026-13")]),
        ("2026-W47", [.days(.span(span("2026-11-16", "2026-11-22")))]),
        ("FY2026", [.days(.span(span("2026-04-01", "2027-03-31")))]),
        ("2026-10-03..2026-11-02", [.days(.span(span("2026-10-03", "2026-11-02")))]),
        ("2026", [.number(text: "2026", minorUnits: 202_600)]),
        ("21 Nov", [.days(.dayOfYear(month: 11, day: 21))]), ("nov 21st", [.days(.dayOfYear(month: 11, day: 21))]),
        ("21 November 2026", [.days(.span(span("2026-11-21", "2026-11-21")))]),
        ("Nov 2026 tea", [.days(.span(span("2026-11-01", "2026-11-30"))), .text("tea")]),
        ("31 Feb", [.number(text: "31", minorUnits: 3100), .text("Feb")]), ("Nov", [.text("Nov")]),
        ("novel 21", [.text("novel"), .number(text: "21", minorUnits: 2100)]),
        ("last week", [.days(.last(.week))]), ("this month", [.days(.this(.month))]),
        ("last name", [.text("last"), .text("name")]), ("yesterday", [.days(.yesterday)]),
        ("\"last\" week", [.text("last"), .text("week")]),
        (
            "since:2026-10-01 until:2026-10-31",
            [
                .days(.from(day("2026-10-01"))), .days(.upTo(day("2026-10-31"))),
            ]
        ),
    ]

    @Test(arguments: terms) func wordsBecomeTerms(text: String, terms: [Term]) {
        let search = SearchExpression(text)
        #expect(search.parts.map(\.term) == terms)
        #expect(search.problems.isEmpty && search.parts.allSatisfy { !$0.isExcluded })
    }

    @Test(arguments: [
        ("-coffee", [true]), ("-tag:goa tea", [true, false]), ("-\"big bazaar\"", [true]), ("-", [false]),
        ("-500", [false]), ("a-b", [false]),
    ]) func aHyphenExcludes(text: String, excluded: [Bool]) {
        #expect(SearchExpression(text).parts.map(\.isExcluded) == excluded)
    }

    @Test(arguments: [
        ("> 500", SearchFault.noAmount(">")), ("700..500", .amountOrder), ("since:x", .noDay("since:")),
        ("tag:", .noName("tag:")),
    ]) func faultsHaveTheirValues(text: String, fault: SearchFault) {
        #expect(SearchExpression(text).faults == [fault])
    }

    @Test(arguments: [
        ("is:rich", "knows only these words"), ("tag:", "needs a name"), ("tag: goa", "needs a name"),
        ("foo:bar", "does not know 'foo:'"), ("-amount:500", "'amount:'"), ("note:\"a b\"", "put the word in quotes"),
        ("Shop:", "'Shop:'"), (">many", "needs an amount"), ("> 500", "needs an amount"), ("=", "needs an amount"),
        ("700..500", "first amount is above"), ("since:yesterday", "needs a day"), ("until:2026-02-30", "needs a day"),
    ]) func faultsHaveARemedy(text: String, detail: String) throws {
        let problem = try #require(SearchExpression(text, field: "search").problems.first)
        #expect(problem.field == "search" && problem.detail.contains(detail), "\(problem)")
    }

    /// Any text is a search; a long one is cut with a message.
    @Test func manyWordsAreRefused() {
        let search = SearchExpression(String(repeating: "a ", count: 1000))
        #expect(search.parts.count == 20 && search.problems.count == 1)
        for text in ["\"", "-\"", ":", "tag:\"", "is:\"\"", "\u{0}", "🙂🙂 -🙂", "..\"", "<", ">=", "-tag:"] {
            _ = SearchExpression(text)
        }
    }

    @Test(arguments: [
        (SearchDays.dayOfYear(month: 11, day: 21), "2026-11-21", "2026-11-21"),
        (.dayOfYear(month: 11, day: 25), "2025-11-25", "2025-11-25"),
        (.dayOfYear(month: 2, day: 29), "2024-02-29", "2024-02-29"), (.today, "2026-11-23", "2026-11-23"),
        (.yesterday, "2026-11-22", "2026-11-22"), (.this(.week), "2026-11-23", "2026-11-29"),
        (.last(.week), "2026-11-16", "2026-11-22"), (.last(.month), "2026-10-01", "2026-10-31"),
        (.last(.quarter), "2026-07-01", "2026-09-30"), (.last(.year), "2025-01-01", "2025-12-31"),
        (.upTo(CalendarDate(daysSince1970: 10)), "1970-01-01", "1970-01-11"),
    ]) func daysDependOnToday(days: SearchDays, first: String, last: String) throws {
        let today = try #require(CalendarDate(iso: "2026-11-23"))
        #expect(days.span(today: today) == Self.span(first, last))
    }

    @Test(arguments: ["M", "say \"hi\"", "A:B", "-x", "500", "last week"])
    func aMerchantIsFoundExactly(merchant: String) {
        #expect(SearchExpression(SearchExpression.text(merchant: merchant)).parts.map(\.term) == [.merchant(merchant)])
    }
}
