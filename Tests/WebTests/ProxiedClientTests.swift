import Access
import Codecs
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import YAMLSource

@testable import Settings
@testable import Web

/// A real server whose peer, this test, is a proxy or a client.
@Suite struct ProxiedClientTests {
    private static let client = "203.0.113.5"

    private func serve(
        trusting proxies: [String], perMinute: Int = 0,
        _ body: @Sendable (Site, any TestClientProtocol) async throws -> Void
    ) async throws {
        var policy = AccessPolicy(requestsPerMinute: perMinute)
        policy.proxies = TrustedProxies(proxies.compactMap { IPNetwork($0) })
        let site = try Site(policy)
        try site.setPassphrase()
        try await WebApplication.make(host: "127.0.0.1", port: 0, services: site.services).test(.live) {
            try await body(site, $0)
        }
    }

    private static func fields(_ values: String..., forwarded: String? = nil) -> HTTPFields {
        var fields = HTTPFields()
        fields[values: .forwardedFor] = values
        fields[.forwarded] = forwarded
        return fields
    }

    private func expect(
        _ status: Int, _ client: any TestClientProtocol, _ fields: HTTPFields,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await client.ask(.post, "/login", fields, form: "passphrase=wrong")
        #expect(answer.status.code == status, "\(fields)", sourceLocation: place)
    }

    /// Pauses after wrong passphrases are those of the client, whatever it writes into the fields.
    @Test func aPauseIsTheClients() async throws {
        try await serve(trusting: ["127.0.0.0/8", "::1"]) { _, client in
            for number in 1...3 {
                try await expect(401, client, Self.fields("192.0.2.\(number), \(Self.client)"))
            }
            for fields in [
                Self.fields(Self.client), Self.fields("198.51.100.7, \(Self.client):4711"),
                Self.fields("127.0.0.1", "::1", Self.client), Self.fields(Self.client, "127.0.0.1"),
                Self.fields(forwarded: "for=198.51.100.7, for=\(Self.client)"),
                Self.fields("::ffff:\(Self.client)", forwarded: "for=\"\(Self.client):1\""),
            ] { try await expect(429, client, fields) }
            let others = [
                Self.fields("203.0.113.6"), Self.fields(forwarded: "for=\"[2001:db8:1:2::1]\""),
                Self.fields(Self.client, forwarded: "for=203.0.113.6"),
            ]
            for fields in others { try await expect(401, client, fields) }
        }
    }

    @Test func anotherPeerIsNotBelieved() async throws {
        for proxies in [[], ["192.0.2.0/24", "fd00::/8"]] {
            try await serve(trusting: proxies) { _, client in
                for number in 1...3 { try await expect(401, client, Self.fields("192.0.2.\(number)")) }
                let last = Self.fields("192.0.2.4", forwarded: "for=192.0.2.4")
                try await expect(429, client, last)
            }
        }
    }

    /// An address may make ten times as many requests as a client.
    @Test func requestsAreLimitedByTheClientsAddress() async throws {
        try await serve(trusting: ["127.0.0.1", "::1"], perMinute: 1) { _, client in
            for number in 1...11 {
                let status = try await client.ask(.get, "/health", Self.fields("2001:db8::\(number)")).status
                #expect(status == (number < 11 ? .ok : .tooManyRequests), "of one network")
            }
            #expect(try await client.ask(.get, "/health", Self.fields("2001:db8:0:1::1")).status == .ok)
        }
    }

    @Test(arguments: [("", true, 0), ("trusted_proxies: ::1", false, 1)])
    func aServerBehindAProxyIsReachedFromElsewhere(keys: String, isLoopback: Bool, count: Int) throws {
        let text = "database: x.db\nparsers: parsers\nweb:\n  listen: 127.0.0.1:8001\n  \(keys)\n"
        let web = try Settings(YAMLFile(path: "/srv/spendwise.yaml", bytes: Array(text.utf8))).web
        #expect(web.isLoopback && web.policy.isLoopback == isLoopback && web.trustedProxies.count == count)
        #expect(web.policy.proxies.isEmpty == isLoopback)
    }
}
