import Testing

@testable import Fleet

@Suite struct HostedNameTests {
    @Test(arguments: [
        ("anna.books.example", "anna"), ("a-1.books.example", "a-1"), ("books.example", nil), (".books.example", nil),
        ("anna.other.example", nil), ("x.anna.books.example", nil), ("annabooks.example", nil),
        ("a_b.books.example", nil), ("-a.books.example", nil), ("a-.books.example", nil), ("", nil),
        ("ä.books.example", nil),
    ])
    func aHouseholdIsOneLabelBeforeTheDomain(host: String, household: String?) {
        #expect(HostedName.household(of: host, domain: "books.example") == household)
        if let household { #expect(HostedName.host(of: household, domain: "books.example") == host) }
    }

    @Test func namesThatAreNoLabelsHaveNoHost() {
        for name in ["a.b", "a_b", "a-", ""] { #expect(HostedName.host(of: name, domain: "books.example") == nil) }
    }
}
