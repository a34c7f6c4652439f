import Codecs
import Testing
import YAMLSource

@testable import Settings

@Suite struct WebSettingsTests {
    func web(_ text: String) throws -> WebSettings {
        try Settings(
            YAMLFile(
                path: "/srv/spendwise.yaml", bytes: Array("database: spendwise.db\nparsers: parsers\n\(text)\n".utf8))
        ).web
    }

    @Test func defaults() throws {
        let web = try web("")
        #expect(
            web.host == "127.0.0.1" && web.port == 8001 && web.tls == .none && web.asksForLogin && web.isLoopback
                && web.names.isEmpty && web.clientCA == nil && web.trustedProxies.isEmpty)
        #expect(
            web.idleSeconds == 300 && web.longestSeconds == 43_200 && web.requestsPerMinute == 60
                && web.auditDays == 365)
    }

    @Test func everyKey() throws {
        let web = try web(
            """
            web:
              listen: '[::]:8443'
              names: [Books.Home.example, 192.168.1.5, 'fd00::5']
              tls: { certificate: tls/cert.pem, key: /etc/key.pem, client_ca: ca.pem }
              authentication: login
              session_idle: 10m
              session_longest: 1d
              requests_per_minute: 0
              trusted_proxies: [10.0.0.0/8, '::1', 'fd00::/8']
              audit: 30d
            """)
        #expect(
            web.host == "::" && web.port == 8443 && web.names == ["books.home.example", "192.168.1.5", "fd00::5"]
                && !web.isLoopback)
        #expect(
            web.tls == .files(certificate: "/srv/tls/cert.pem", key: "/etc/key.pem") && web.clientCA == "/srv/ca.pem")
        #expect(
            web.idleSeconds == 600 && web.longestSeconds == 86_400 && web.requestsPerMinute == 0 && web.auditDays == 30)
        #expect(web.trustedProxies == ["10.0.0.0/8", "::1", "fd00::/8"].map { IPNetwork($0) })
    }

    @Test(arguments: ["tls: self-signed", "tls: self-made", "tls: {}", "tls: { client_ca: ca.pem }"])
    func selfSignedCertificateIsStoredBesideTheLedger(tls: String) throws {
        #expect(
            try web("web:\n  \(tls)").tls
                == .selfSigned(certificate: "/srv/web-certificate.pem", key: "/srv/web-key.pem")
        )
    }

    @Test(arguments: ["127.0.0.1:80", "localhost:80", "'[::1]:80'", "127.8.9.1:80"])
    func theLoopbackNeedsNoTLSAndNoLogin(listen: String) throws {
        #expect(try !web("web: { listen: \(listen), authentication: none }").asksForLogin)
    }

    static let faults: [(String, String, String)] = [
        ("web:\n  listen: 192.168.1.5:8001", "4:11: 192.168.1.5 is not a loopback address", "tls: self-signed"),
        (
            "web:\n  listen: 127.0.0.1.example:8001", "4:11: 127.0.0.1.example is not a loopback address",
            "tls: self-signed"
        ),
        ("web:\n  listen: '[::]:8001'", "4:11: :: is not a loopback address", "tls: self-signed"),
        (
            "web:\n  listen: 192.168.1.5:8001\n  tls: self-signed\n  authentication: none",
            "6:19: 192.168.1.5 is not a loopback address, and no login is required", "parserctl passphrase set"
        ),
        ("web:\n  listen: 0.0.0.0:8001\n  tls: self-signed", "4:11: 0.0.0.0 matches every address", "names:"),
        ("web:\n  listen: 8001", "4:11: '8001' is not ADDRESS:PORT", "127.0.0.1:8001"),
        ("web:\n  listen: 127.0.0.1:0", "4:11: '127.0.0.1:0' is not ADDRESS:PORT", "127.0.0.1:8001"),
        ("web:\n  names: https://books.example", "4:10: 'https://books.example' is not a name", "between"),
        ("web:\n  tls: yes", "4:8: unknown value 'yes'", "self-signed"),
        ("web:\n  tls: { certificate: a.pem }", "4:23: a certificate and its key must be set together", "both files"),
        ("web:\n  authentication: off", "4:19: unknown value 'off'", "none on the loopback"),
        ("web:\n  session_idle: 1s", "4:17: a length of time from 30s to 1d", "5m"),
        ("web:\n  session_longest: forever", "4:20: 'forever' is not a length of time", "5m or 90d"),
        ("web:\n  requests_per_minute: many", "4:24: a number from 0", "60 is usual"),
        ("web:\n  trusted_proxies: balancer", "4:20: 'balancer' is not an address or a network", "192.0.2.7"),
        ("web:\n  trusted_proxies: ['::1', 10.0.0.0/33]", "4:28: '10.0.0.0/33' is not an address", "10.0.0.0/8"),
        ("web:\n  trusted_proxies: 0.0.0.0/0", "4:20: '0.0.0.0/0' contains every address", "the balancer only"),
        (
            "web:\n  trusted_proxies: 10.1.2.3/8", "4:20: '10.1.2.3/8' is an address in a network",
            "Write 10.0.0.0/8 for the network, or 10.1.2.3 alone."
        ),
        (
            "web:\n  authentication: none\n  trusted_proxies: ::1", "4:19: clients of a proxy are on other machines",
            "parserctl passphrase set"
        ),
        ("web:\n  listne: 127.0.0.1:80", "4:3: unknown key 'listne'", "listen"),
    ]

    @Test(arguments: faults) func aFaultIsNamedWithItsPlaceAndRemedy(
        text: String, message: String, remedy: String
    ) throws {
        let error = #expect(throws: SourceError.self) { try web(text) }
        let description = error?.description ?? ""
        #expect(
            description.hasPrefix("/srv/spendwise.yaml:" + message) && description.contains(remedy), "\(description)")
    }
}
