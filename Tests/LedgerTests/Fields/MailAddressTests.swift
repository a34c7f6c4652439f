import Ledger
import Testing

@Suite struct MailAddressTests {
    @Test(arguments: [
        ("alerts@bank.example", "bank.example"), ("Alerts@Bank.Example", "bank.example"),
        ("a.b+c@mail.bank-one.co.in", "mail.bank-one.co.in"), ("x@1.2", "1.2"),
    ]) func oneAddress(_ text: String, _ domain: String) { #expect(MailAddress.domain(of: text) == domain) }

    @Test(arguments: [
        "", "@", "bank.example", "@bank.example", "a@", "a@b", "a@.b", "a@b.", "a@b..c", "a@b@c.example",
        "a b@c.example", "a,b@c.example", "<a@b.example>", "\"a\"@b.example", "a@b.example\n",
        "a@b_c.example", "a@ban\u{212A}.example", "\u{00E9}@b.example", "a@1.2.3.4.5.6.7.8.9",
        String(repeating: "a", count: 65) + "@b.example",
    ]) func none(_ text: String) { #expect(MailAddress.domain(of: text) == nil) }
}
