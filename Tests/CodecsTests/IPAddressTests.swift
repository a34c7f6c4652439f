import Testing

@testable import Codecs

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", 4), ("2001:DB8:0:0::1", "2001:db8::1", 16), ("::1", "::1", 16),
        ("::ffff:192.0.2.1", "192.0.2.1", 4), ("::FFFF:c000:201", "192.0.2.1", 4),
        ("0000:0000:0000:0000:0000:ffff:192.168.100.200", "192.168.100.200", 4),
    ])
    func anAddressHasOneSpelling(text: String, written: String, bytes: Int) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written && address.bytes.count == bytes)
        #expect(IPAddress(written) == address)
    }

    @Test(arguments: [
        "", " ", "192.0.2", "192.0.2.1 ", " 192.0.2.1", "192.0.2.256", "192.0.2.01", "0xC0000201", "3221225985",
        "192.0.2.1\0", "192.0.2.1:80", "[::1]", "fe80::1%eth0", "::1\0x", "1::2::3", "2001:db8", ":", "localhost",
        "١.٢.٣.٤",
        String(repeating: "0", count: 100), String(repeating: ":", count: 1000),
    ])
    func otherTextIsNone(text: String) { #expect(IPAddress(text) == nil && IPNetwork(text) == nil) }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("192.0.2.128/25", "192.0.2.128", true), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false), ("192.0.2.7/32", "192.0.2.7", true),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fc00::1", false), ("2001:db8::/33", "2001:db8:7fff::", true),
        ("2001:db8::/33", "2001:db8:8000::", false), ("::1", "::1", true), ("::1", "::2", false),
        ("0.0.0.0/0", "192.0.2.1", true), ("0.0.0.0/0", "::1", false), ("::/0", "192.0.2.1", false),
    ])
    func aNetworkContainsWhatBeginsWithItsBits(network: String, address: String, isContained: Bool) throws {
        #expect(try #require(IPNetwork(network)).contains(try #require(IPAddress(address))) == isContained)
    }

    @Test(arguments: [
        "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/99999999999999999999",
        "10.0.0.0/٨", "/8", "::1/129", "::ffff:10.0.0.0/8", "::ffff:10.0.0.0/104",
    ])
    func otherTextIsNoNetwork(text: String) { #expect(IPNetwork(text) == nil) }

    @Test(arguments: [
        ("10.9.8.7/8", "10.0.0.0"), ("10.9.8.7/31", "10.9.8.6"), ("fd01:2::/16", "fd01::"), ("::1", "::1"),
    ])
    func theFirstAddressHasNoBitsAfterThePrefix(network: String, first: String) throws {
        #expect(try #require(IPNetwork(network)).first.description == first)
    }
}
