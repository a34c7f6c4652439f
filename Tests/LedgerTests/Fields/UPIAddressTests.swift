import Ledger
import Testing

@Suite struct UPIAddressTests {
    @Test(arguments: [
        ("9812345670@ybl", true), ("9812345670-2@axl", true), ("Ritu.Sane@okAxis", true), ("asha-1@oksbi", true),
        ("9812345670@paytm", true),
        ("5812345670@ybl", false), ("98123456701@ybl", false), ("ritu@ybl", false), ("q201985284@ybl", false),
        ("gpay-11223344556@okbizaxis", false),
        ("paytmqr28@paytm", false), ("paytm-80132274@ptys", false), ("bharatpe.9007@fbpe", false),
        ("vyapar.169@hdfcbank", false), ("9812345670@okbizicici", false),
        ("razorpay.shop@okaxis", false),
    ])
    func people(_ text: String, _ isPersonal: Bool) throws {
        #expect(try #require(UPIAddress(text)).isPersonal == isPersonal)
    }

    @Test(arguments: [
        "", "@", "a@", "@b", "a@b.com", "a b@c", "a@b@c", "ab", "a@b c", "é@b",
        String(repeating: "a", count: 300) + "@b",
    ])
    func otherTextsAreRejected(_ text: String) { #expect(UPIAddress(text) == nil) }

    @Test(arguments: [
        ("swiggy.stores@axb", "swiggy.stores@axb", true), ("swiggy*@*", "swiggy.stores@axb", true),
        ("SWIGGY*@*", "swiggy@axb", true), ("swiggy*@*", "myswiggy@axb", false),
        ("*@okbizaxis", "gpay-1@okbizaxis", true), ("*@okbizaxis", "gpay-1@okbizaxis2", false),
        ("*stores*@a*b", "swiggy.stores.2@axb", true),
        ("a*b*c@x", "aXbXbc@x", true), ("a*b*c@x", "aXbXb@x", false), ("paytmqr*@*", "paytmqr6fgl36@ptys", true),
    ])
    func patterns(_ pattern: String, _ address: String, _ matches: Bool) throws {
        let (pattern, address) = (try #require(UPIPattern(pattern)), try #require(UPIAddress(address)))
        #expect(pattern.matches(address) == matches)
    }

    /// A long run of stars costs no more than the length of the address for each.
    @Test func manyStars() throws {
        let pattern = try #require(UPIPattern(String(repeating: "*a", count: 100) + "@b"))
        let address = try #require(UPIAddress(String(repeating: "a", count: 99) + "@b"))
        #expect(!pattern.matches(address))
    }
}
