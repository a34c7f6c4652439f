import Ledger
import Testing

/// Precedence of mappings. Each case lists the ids in the order of precedence: the first one is removed, and the next
/// must win.
@Suite struct CategoryOrderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var facts: CategoryFacts
        /// Mappings, the winner first. Ids are their positions from 1, reversed so that the order of creation does not
        /// decide.
        var mappings: [VendorMapping]
    }

    static func mapping(
        _ keyword: String, _ kind: VendorMapping.Kind = .keyword, own: Bool = false,
        _ conditions: MappingConditions = .none
    ) -> VendorMapping {
        var mapping = VendorMapping(
            id: 0, keyword: keyword, categoryID: 1, category: "C", isUserDefined: own, kind: kind)
        mapping.conditions = conditions
        return mapping
    }

    static let payment: CategoryFacts = {
        var facts = CategoryFacts(merchant: "AMAZON PAY INDIA", vpa: "amazon.pay@axb", mcc: "5262")
        facts.amount = Money(minorUnits: 2_500_000, currency: .inr)
        facts.account = "1234"
        facts.channel = .card
        facts.type = .expense
        return facts
    }()

    static let cases: [Case] = [
        Case(
            testDescription: "specific before general", facts: payment,
            mappings: [
                mapping("amazon", own: true, .init(minimumMinor: 2_000_000, account: "1234", channel: .card)),
                mapping("amazon", own: true, .init(minimumMinor: 2_000_000, account: "1234")),
                mapping("amazon", own: true, .init(account: "1234")),
                mapping("amazon.pay@axb", .vpa, own: true),
                mapping("amazon pay india", own: true),
                mapping("amazon pay", own: true),
                mapping("amazon", own: true),
                mapping("amazon*@*", .vpa, own: true),
                mapping("5262", .mcc, own: true),
                mapping("5200-5300", .mcc, own: true),
                mapping("amazon pay", .keyword, .init(type: .expense)),
                mapping("amazon.pay@axb", .vpa),
                mapping("amazon pay india"),
                mapping("amazon"),
                mapping("amazon.*@*", .vpa),
                mapping("amazon*@*", .vpa),
                mapping("*@axb", .vpa),
                mapping("5262", .mcc),
                mapping("5260-5269", .mcc),
                mapping("5000-5999", .mcc),
            ]),
        Case(
            testDescription: "an address where no name is printed", facts: CategoryFacts(vpa: "ritu.books@okaxis"),
            mappings: [
                mapping("ritu.books@okaxis", .vpa), mapping("ritu books"), mapping("books"),
                mapping("ritu*@okaxis", .vpa), mapping("*@okaxis", .vpa),
                mapping("okaxis", .person), mapping("*", .person),
            ]),
    ]

    @Test(arguments: cases) func theFirstCounts(_ sample: Case) {
        var list = sample.mappings.enumerated().map { index, mapping in
            var mapping = mapping
            mapping.id = Int64(1000 - index)
            return mapping
        }
        while let expected = list.first {
            for order in [list, list.reversed()] {
                let found = CategoryRules(order).match(sample.facts)
                #expect(
                    found?.mapping.id == expected.id,
                    "expected \(expected.keyword) \(expected.conditions), got \(found?.why ?? "nothing")")
            }
            list.removeFirst()
        }
        #expect(CategoryRules([]).match(sample.facts) == nil)
    }

    @Test func firstOfTwoEqualMappingsCounts() {
        var a = Self.mapping("amazon*@*", .vpa)
        var b = Self.mapping("*amazon@*", .vpa)
        (a.id, b.id) = (7, 3)
        for list in [[a, b], [b, a]] {
            #expect(CategoryRules(list).match(CategoryFacts(vpa: "amazon@axb"))?.mapping.id == 3)
        }
    }

    @Test(
        arguments: [
            (.init(minimumMinor: 2_500_000), true), (.init(minimumMinor: 2_500_001), false),
            (.init(maximumMinor: 2_500_000), true),
            (.init(maximumMinor: 2_499_999), false),
            (.init(minimumMinor: 1, maximumMinor: 3_000_000, currency: .inr), true),
            (.init(currency: Currency(code: "USD")), false),
            (.init(minimumMinor: 1, currency: Currency(code: "USD")), false), (.init(account: "234"), true),
            (.init(account: "991234"), true), (.init(account: "1235"), false), (.init(channel: .card), true),
            (.init(channel: .upi), false),
            (.init(type: .expense), true), (.init(type: .income), false),
            (.init(account: "1234", channel: .upi), false),
        ] as [(MappingConditions, Bool)])
    func conditions(_ conditions: MappingConditions, _ hold: Bool) {
        #expect(conditions.hold(of: Self.payment) == hold, "\(conditions.sentence)")
        #expect((CategoryRules([Self.mapping("amazon", conditions)]).match(Self.payment) != nil) == hold)
        #expect(
            CategoryRules([Self.mapping("amazon", conditions)]).match("AMAZON") == nil,
            "of a name alone nothing else is known")
    }

    private static func mapping(_ keyword: String, _ conditions: MappingConditions) -> VendorMapping {
        mapping(keyword, .keyword, conditions)
    }

    @Test(
        arguments: [
            ("amazon", .keyword, .none, "your keyword \"amazon\" -> C"),
            (
                "amazon", .keyword, .init(minimumMinor: 2_000_000, account: "1234"),
                "your keyword \"amazon\" with INR 20000.00 or more, account 1234 -> C"
            ),
            ("amazon.pay@axb", .vpa, .none, "your UPI address \"amazon.pay@axb\" -> C"),
            ("5262", .mcc, .none, "your merchant category code 5262 -> C"),
        ] as [(String, VendorMapping.Kind, MappingConditions, String)])
    func reasonIsASentence(
        _ keyword: String, _ kind: VendorMapping.Kind, _ conditions: MappingConditions, _ why: String
    ) {
        #expect(CategoryRules([Self.mapping(keyword, kind, own: true, conditions)]).match(Self.payment)?.why == why)
    }

    @Test func reportsThePositionsOfTheWords() {
        let rules = CategoryRules([Self.mapping("books"), Self.mapping("*", .person)])
        #expect(
            rules.match(CategoryFacts(vpa: "ritu.books@okaxis"))?.why
                == "shipped keyword \"books\" in the UPI address -> C")
        #expect(
            rules.match(CategoryFacts(merchant: "RITU", vpa: "ritu@okaxis"))?.why
                == "shipped rule for the UPI address of a person -> C")
    }

    @Test(arguments: [
        ("a b c d e f g", VendorMapping.Kind.keyword), ("  - ", .keyword), ("noat", .vpa), ("*@*", .vpa),
        ("a b@c", .vpa), ("541", .mcc), ("5411-5400", .mcc), ("ok axis", .person),
    ])
    func keywordsThatMatchNothing(_ keyword: String, _ kind: VendorMapping.Kind) {
        #expect(VendorMapping.normalized(keyword, as: kind) == nil)
    }
}
