import Testing

@testable import InternetMessage

@Suite struct DomainTests {
    @Test(
        arguments: [
            ("hdfcbank.com", "hdfcbank.com"), ("alerts.hdfcbank.com", "hdfcbank.com"),
            ("a.b.hdfcbank.co.in", "hdfcbank.co.in"), ("hdfcbank.co.in", "hdfcbank.co.in"), ("co.in", nil), ("in", nil),
            ("alerts.hdfcbank.bank.in", "hdfcbank.bank.in"), ("hdfcbank.bank.in", "hdfcbank.bank.in"), ("bank.in", nil),
            ("a.b.finance.fin.in", "finance.fin.in"), ("fin.in", nil),
            ("a.user.github.io", "user.github.io"), ("user.github.io", "user.github.io"), ("github.io", nil),
            ("mail.bücher.example.de", "example.de"), ("BÜCHER.de", "bücher.de"),
            ("mail.xn--bcher-kva.de", "xn--bcher-kva.de"),
            ("www.ck", "www.ck"), ("a.b.ck", "a.b.ck"), ("b.ck", nil), ("a.b.unknown", "b.unknown"),
            ("HDFCBank.COM.", "hdfcbank.com"), ("hdfcbank.com..", nil), (".com", nil), ("a..com", nil), ("", nil),
            (".", nil),
            ("localhost", nil), ("192.0.2.1", nil), ("[192.0.2.1]", nil), ("2001:db8::1", nil), ("192.0.2.1.", nil),
        ] as [(String, String?)])
    func organization(_ name: String, expected: String?) {
        #expect(Domain.organization(of: name) == expected)
    }

    @Test(arguments: [
        ("hdfcbank.com", "hdfcbank.com", true), ("hdfcbank.com", "HDFCbank.com.", true),
        ("alerts.hdfcbank.com", "mail.hdfcbank.com", true), ("a.b.hdfcbank.com", "hdfcbank.com", true),
        ("alerts.hdfcbank.bank.in", "mail.hdfcbank.bank.in", true), ("hdfcbank.bank.in", "evil.bank.in", false),
        ("hdfcbank.bank.in", "bank.in", false), ("hdfcbank.co.in", "evil.co.in", false), ("co.in", "gov.in", false),
        ("hdfcbank.co.in", "co.in", false), ("co.in", "co.in", true),
        ("one.github.io", "other.github.io", false), ("one.github.io", "github.io", false),
        ("a.one.github.io", "b.one.github.io", true), ("github.io", "blogspot.com", false),
        ("mail.bücher.de", "bücher.de", true), ("mail.xn--bcher-kva.de", "xn--bcher-kva.de", true),
        ("bücher.de", "xn--bcher-kva.de", false),
        ("192.0.2.1", "192.0.2.1", false), ("192.0.2.1", "9.0.2.1", false), ("[192.0.2.1]", "[192.0.2.1]", false),
        ("hdfcbank.com", "evilhdfcbank.com", false), ("com", "hdfcbank.com", false), ("", "", false), (".", ".", false),
    ])
    func alignment(_ one: String, _ other: String, expected: Bool) {
        #expect(Domain.areAligned(one, other) == expected)
        #expect(Domain.areAligned(other, one) == expected)
    }
}
