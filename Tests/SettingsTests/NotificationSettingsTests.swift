import Ledger
import Testing
import YAMLSource

@testable import Settings

@Suite struct NotificationSettingsTests {
    private func sinks(_ yaml: String) throws -> [SinkSettings] {
        try Settings(
            YAMLFile(
                path: "/srv/spendwise.yaml", bytes: Array("database: a.db\nparsers: p\nnotifications:\n\(yaml)\n".utf8))
        ).notifications
    }

    @Test func everyKind() throws {
        let sinks = try sinks(
            """
              - { name: hook, kind: webhook, url: 'https://example.com/a?b=c', secret_file: s }
              - name: phone
                kind: ntfy
                url: https://ntfy.example.com:8443/my-topic
                events: [transaction, login]
                quiet: { from: '22:30', to: '07:05', timezone: Asia/Kolkata, urgent: login }
                amount: hidden
                minimum_amount: { INR: 499.5 }
                max_age: 6h
                priority: 4
              - { name: app, kind: apns, key_file: k, key_id: ABCDE12345, team_id: ABCDE12345, topic: com.example.app }
              - { name: mail, kind: email, host: smtp.example.com, tls: starttls, from: a@example.com, to: b@example.com }
            """)
        #expect(sinks.map(\.name) == ["hook", "phone", "app", "mail"])
        #expect(sinks[0].events == Set(NotificationKind.allCases) && sinks[0].maxAge == 86_400 && !sinks[0].hidesAmount)
        #expect(
            sinks[1].events == [.transaction, .login] && sinks[1].hidesAmount && !sinks[1].hidesMerchant
                && sinks[1].maxAge == 21_600)
        #expect(sinks[1].quiet == QuietSettings(from: 1350, to: 425, timeZone: "Asia/Kolkata", urgent: [.login]))
        #expect(sinks[1].minimum == MinimumAmount(["INR": 499_500]))
        guard case .ntfy(let ntfy) = sinks[1].receiver else { throw SourceError(file: "", message: "no ntfy") }
        #expect(ntfy.server == "https://ntfy.example.com:8443/" && ntfy.topic == "my-topic" && ntfy.priority == 4)
        guard case .email(let mail) = sinks[3].receiver else { throw SourceError(file: "", message: "no email") }
        #expect(mail.port == 587 && mail.user == nil && mail.to == ["b@example.com"])
    }

    @Test func templateIsSplitIntoPieces() throws {
        let sink = try #require(
            try sinks(
                "  - { name: h, kind: webhook, url: 'https://x.example/', secret_file: s, title: '{{{amount}}}: {merchant}', body: '' }"
            ).first)
        #expect(sink.title?.pieces == [.text("{"), .placeholder(.amount), .text("}: "), .placeholder(.merchant)])
        #expect(sink.body?.pieces == [])
    }

    /// An invalid setting, and text of its message.
    @Test(arguments: [
        ("kind: pigeon", "pigeon", "unknown kind 'pigeon'"),
        ("kind: webhook, url: 'http://example.com/', secret_file: s", "'http://example", "would be sent without TLS"),
        (
            "kind: webhook, url: 'http://127.0.0.1@example.com/', secret_file: s", "'http://127",
            "not an address of a server"
        ),
        (
            "kind: webhook, url: 'http://localhost.example.com/', secret_file: s", "'http://local",
            "would be sent without TLS"
        ),
        ("kind: webhook, url: 'ftp://example.com/', secret_file: s", "'ftp", "not an https address"),
        ("kind: webhook, url: \"https://example.com/\\r\\nx: y\", secret_file: s", "\"https", "not an https address"),
        ("kind: webhook, url: 'https://example.com/', secret_file: s, evnts: [review]", "evnts", "unknown key 'evnts'"),
        (
            "kind: webhook, url: 'https://example.com/', secret_file: s, events: [reviews]", "reviews",
            "unknown event 'reviews'"
        ),
        (
            "kind: webhook, url: 'https://example.com/', secret_file: s, title: 'At {shop}'", "{shop}",
            "unknown placeholder '{shop}'"
        ),
        (
            "kind: webhook, url: 'https://example.com/', secret_file: s, title: 'At {amount'", "{amount'",
            "'{' is not closed"
        ),
        ("kind: webhook, url: 'https://example.com/', secret_file: s, amount: no", "no }", "unknown value 'no'"),
        (
            "kind: webhook, url: 'https://example.com/', secret_file: s, quiet: { from: '25:00', to: '07:00' }",
            "'25:00'", "not a time of day"
        ),
        (
            "kind: webhook, url: 'https://example.com/', secret_file: s, quiet: { from: '7:00', to: '07:00' }",
            "'07:00' }", "end when they begin"
        ),
        ("kind: webhook, url: 'https://example.com/', secret_file: s, minimum_amount: 1e3", "1e3", "not an amount"),
        ("kind: webhook, url: 'https://example.com/'", "{ name", "'secret_file' is missing"),
        ("kind: ntfy, url: 'https://ntfy.sh/'", "'https://ntfy.sh/'", "names no topic"),
        ("kind: ntfy, url: 'https://ntfy.sh'", "'https://ntfy.sh'", "names no topic"),
        (
            "kind: email, host: smtp.example.com, from: 'a@example.com>', to: b@example.com", "'a@example.com>'",
            "not a mail address"
        ),
        (
            "kind: email, host: smtp.example.com, from: a@example.com, to: \"b@example.com\\r\\nDATA\"", "\"b@",
            "not a mail address"
        ),
        (
            "kind: email, host: smtp.example.com, tls: none, from: a@example.com, to: b@example.com", "none",
            "never sent without TLS"
        ),
        (
            "kind: email, host: smtp.example.com, user: a, from: a@example.com, to: b@example.com", "{ name",
            "must be set together"
        ),
        ("kind: apns, key_file: k, key_id: short, team_id: ABCDE12345, topic: x", "short", "is not the ten letters"),
    ]) func aMistakeHasItsPlace(sink: String, place: String, words: String) throws {
        let error = try #require(throws: SourceError.self) { try sinks("  - { name: a, \(sink) }") }
        #expect(error.line == 4 && error.description.contains(words), "\(error)")
        #expect(error.excerpt?.dropFirst(error.column - 1).hasPrefix(place) == true, "\(error)")
    }

    @Test func namesAreUnique() throws {
        let one = "  - { name: a, kind: webhook, url: 'https://example.com/', secret_file: s }\n"
        #expect(try #require(throws: SourceError.self) { try sinks(one + one) }.line == 5)
    }
}
