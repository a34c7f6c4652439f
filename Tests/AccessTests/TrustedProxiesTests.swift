import Codecs
import Randomness
import Testing

@testable import Access

/// The peer is the proxy 10.0.0.1 unless a test says otherwise.
@Suite struct TrustedProxiesTests {
    private static let proxies = TrustedProxies(["10.0.0.0/8", "fd00::/8", "::1"].compactMap { IPNetwork($0) })
    private static let peer = "10.0.0.1"

    private static func client(
        of peer: String = peer, forwardedFor: [String] = [], forwarded: [String] = [],
        _ proxies: TrustedProxies = proxies
    ) throws -> String {
        proxies.client(of: try #require(IPAddress(peer)), forwardedFor: forwardedFor, forwarded: forwarded).description
    }

    @Test(arguments: [
        (["192.0.2.1"], "192.0.2.1"), (["192.0.2.1:4711"], "192.0.2.1"), (["2001:db8::1"], "2001:db8::1"),
        (["[2001:db8::1]"], "2001:db8::1"), (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["::ffff:192.0.2.1"], "192.0.2.1"), ([" \t192.0.2.1 "], "192.0.2.1"),
        // A chain of trusted proxies, in one value and in several.
        (["192.0.2.1, 10.0.0.3,fd00::2"], "192.0.2.1"), (["192.0.2.1", "10.0.0.3", "10.0.0.2"], "192.0.2.1"),
        // Invented by the client.
        (["10.0.0.9, 192.0.2.1"], "192.0.2.1"), (["127.0.0.1, ::1, 198.51.100.7, 192.0.2.1"], "192.0.2.1"),
        (["198.51.100.7, 192.0.2.1, 10.0.0.3"], "192.0.2.1"), (["198.51.100.7", "192.0.2.1"], "192.0.2.1"),
        (["\"", "192.0.2.1"], "192.0.2.1"), (["for=198.51.100.7, 192.0.2.1"], "192.0.2.1"),
        ([String(repeating: ",", count: 10_000), "192.0.2.1"], "192.0.2.1"),
        // All are proxies: the one that named no other.
        (["10.0.0.3"], "10.0.0.3"), (["10.0.0.3, 10.0.0.2"], "10.0.0.3"), ([], peer),
        // Of a proxy that does not name its client, nothing left of it counts.
        (["192.0.2.1, unknown, 10.0.0.3"], "10.0.0.3"), (["192.0.2.1, unknown"], peer), (["192.0.2.1,"], peer),
        (["192.0.2.1", ""], peer), (["_hidden"], peer), (["unix:"], peer), (["192.0.2.1 198.51.100.7"], peer),
        (["192.0.2.999"], peer), (["192.0.2.1:"], peer), (["192.0.2.1:123456"], peer), (["192.0.2.1:80:80"], peer),
        (["[192.0.2.1]"], peer), (["[2001:db8::1"], peer), (["[2001:db8::1]x"], peer), (["[]"], peer), ([":"], peer),
        (["2001:db8::1]"], peer), (["192.0.2.1\0"], peer), (["\"192.0.2.1\""], peer), (["for=192.0.2.1"], peer),
        ([String(repeating: " ", count: 10_000) + "192.0.2.1"], peer),
        (["192.0.2.1" + String(repeating: ",10.0.0.2", count: 15)], "192.0.2.1"),
        (["192.0.2.1" + String(repeating: ",10.0.0.2", count: 16)], "10.0.0.2"),
    ])
    func theListIsReadFromTheRight(values: [String], client: String) throws {
        #expect(try Self.client(forwardedFor: values) == client)
    }

    @Test(arguments: [
        (["for=192.0.2.1"], "192.0.2.1"), (["For=\"192.0.2.1:4711\""], "192.0.2.1"),
        (["for=\"[2001:db8:cafe::17]:4711\""], "2001:db8:cafe::17"), (["FOR=\"[2001:db8::1]\""], "2001:db8::1"),
        (["for=\"192.0.2.1:_port.1\""], "192.0.2.1"), (["for=\"\\192.0.2.\\1\""], "192.0.2.1"),
        (["for=192.0.2.60;proto=http;by=203.0.113.43"], "192.0.2.60"), (["proto=https; for=192.0.2.1 "], "192.0.2.1"),
        (["by=\"x,for=198.51.100.7\";for=192.0.2.1"], "192.0.2.1"), ([";;for=192.0.2.1;"], "192.0.2.1"),
        (["for=192.0.2.1, for=10.0.0.3,for=\"[fd00::2]\""], "192.0.2.1"),
        (["for=192.0.2.1", "for=10.0.0.3"], "192.0.2.1"),
        // Invented by the client.
        (["for=198.51.100.7, for=192.0.2.1"], "192.0.2.1"), (["for=_gazonk, for=192.0.2.1"], "192.0.2.1"),
        (["for=\"", "for=192.0.2.1"], "192.0.2.1"), (["for=\", for=192.0.2.1"], peer),
        (["for=198.51.100.7;by=\", for=\"[2001:db8::1]\""], peer),
        (["for=198.51.100.7;by=\"\\, for=\"[2001:db8::1]\""], peer),
        (["for=198.51.100.7;, for=192.0.2.1"], "192.0.2.1"),
        (["for=198.51.100.7; for=192.0.2.1"], peer), (["for=198.51.100.7;FOR=198.51.100.8, for=192.0.2.1"], peer),
        // A hidden client, or none.
        (["for=192.0.2.1, for=unknown"], peer), (["for=192.0.2.1, for=_hidden, for=10.0.0.3"], "10.0.0.3"),
        (["for=192.0.2.1, proto=https"], peer), (["for=192.0.2.1,"], peer), (["proto=https"], peer), ([""], peer),
        // Malformed.
        (["for=[2001:db8::1]"], peer), (["for=2001:db8::1"], peer), (["for=192.0.2.1:80"], peer),
        (["for = 192.0.2.1"], peer), (["for=192.0.2.1 for=192.0.2.1"], peer), (["for=\"192.0.2.1"], peer),
        (["for=\"192.0.2.1\\"], peer), (["for"], peer), (["for="], peer), (["=192.0.2.1"], peer),
        (["192.0.2.1"], peer), (["for=\"192.0.2.1\"x"], peer), (["für=192.0.2.1"], peer),
        (["for=192.0.2.1" + String(repeating: ";", count: 10_000)], peer),
    ])
    func theFieldOfTheStandardIsReadFromTheRight(values: [String], client: String) throws {
        #expect(try Self.client(forwarded: values) == client)
    }

    @Test(arguments: [
        ("192.0.2.1", "for=192.0.2.1", "192.0.2.1"), ("10.0.0.3", "for=10.0.0.3", "10.0.0.3"),
        ("2001:db8::1", "for=\"[2001:DB8::1]\"", "2001:db8::1"),
        // A proxy wrote one, its client the other.
        ("192.0.2.1", "for=198.51.100.7", peer), ("198.51.100.7", "for=192.0.2.1", peer), ("192.0.2.1", "", peer),
        ("", "for=192.0.2.1", peer), ("192.0.2.1", "for=unknown", peer),
    ])
    func bothFieldsMustAgree(forwardedFor: String, forwarded: String, client: String) throws {
        #expect(try Self.client(forwardedFor: [forwardedFor], forwarded: [forwarded]) == client)
    }

    @Test(arguments: ["192.0.2.1", "9.255.255.255", "11.0.0.0", "::2", "fe00::1", "2001:db8::1"])
    func othersAreNotBelieved(peer: String) throws {
        for value in ["198.51.100.7", "10.0.0.2", "198.51.100.7, 10.0.0.1"] {
            #expect(try Self.client(of: peer, forwardedFor: [value], forwarded: ["for=198.51.100.7"]) == peer)
        }
    }

    @Test func nobodyIsBelievedByDefault() throws {
        #expect(try Self.client(forwardedFor: ["192.0.2.1"], TrustedProxies()) == Self.peer)
        #expect(TrustedProxies().isEmpty && !Self.proxies.isEmpty)
    }

    /// Whatever a client writes, its proxy's word decides, or the proxy is the client.
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:4711", "192.0.2.1"), ("[2001:db8::1]:4711", "2001:db8::1"),
    ])
    func noPrefixChangesTheClient(node: String, client: String) throws {
        var random = SplitMix64(state: 7)
        let quoted = "for=\"\(node)\""
        let pieces = [
            "198.51.100.7", "10.0.0.2", "[2001:db8::7]", "for=", "by=", "for=\"", "unknown", "_x", "\"", "\\", ",", ";",
            "=", " ", "\t", ":", "[", "]", "\0", "é", "٣", ", ", "\u{FFFD}", "x",
        ]
        var answers: Set<String> = []
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            #expect(try Self.client(forwardedFor: [text + "," + node]) == client)
            #expect(try Self.client(forwardedFor: [text, node]) == client)
            #expect(try Self.client(forwarded: [text, quoted]) == client)
            let joined = try Self.client(forwarded: [text + ", " + quoted])
            #expect([client, Self.peer].contains(joined), "\(text)")
            answers.insert(joined)
            _ = try Self.client(forwardedFor: [text], forwarded: [text])
        }
        #expect(answers.count == 2)
    }
}
