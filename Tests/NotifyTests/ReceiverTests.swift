import AuthorizationFixture
import Chronology
import ChronologyFixture
import Codecs
import Crypto
import DovecotFixture
import Foundation
import GRDB
import IMAP
import Ledger
import PushFixture
import Review
import Settings
import Testing

@testable import Notify
@testable import Store

/// Certificates for the servers of all these tests.
let authority: Result<DovecotFixture, any Error> = Result { try DovecotFixture() }

/// A folder with a ledger, a server that speaks HTTP/2 over TLS, and a delivery to one sink there.
struct Post {
    let desk: Desk
    let store: Store
    let server = PushServer()
    let url: String
    let caFile: String
    let key = P256.Signing.PrivateKey()
    static let secret = [UInt8](repeating: 7, count: 32)

    init() async throws {
        desk = try Desk()
        store = try desk.open()
        let certificates = try authority.get()
        caFile = certificates.caFile
        url = try await server.start(certificate: certificates.certificateFile, key: certificates.keyFile)
        try desk.write(key.pemRepresentation, to: "key.p8")
        try desk.write("whsec_" + Base64.standard.encode(Self.secret) + "\n", to: "secret")
        try desk.write("tk_abc\n", to: "token")
    }

    var apns: String {
        "  - { name: phone, kind: apns, key_file: key.p8, key_id: ABCDE12345, team_id: TEAM567890, topic: com.example.ledger, url: '\(url)', ca_file: \(caFile) }\n"
    }
    var hook: String {
        "  - { name: hook, kind: webhook, url: '\(url)/hook?x=1', secret_file: secret, ca_file: \(caFile) }\n"
    }
    var ntfy: String {
        "  - { name: topic, kind: ntfy, url: '\(url)/my-topic', token_file: token, tags: [moneybag], click: 'https://example.com/', ca_file: \(caFile) }\n"
    }

    func register(_ id: String, _ token: String, environment: String = "production") throws {
        try store.writeDatabase {
            try $0.execute(
                sql:
                    "INSERT INTO devices (id, device_token, environment, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, token, environment, monday.description, monday.description])
        }
    }

    /// Runs a round of delivery like the daemon's thread.
    func run(_ round: DeliveryRound) async throws -> UnixTime? {
        nonisolated(unsafe) let round = round  // one after the other
        return try await blocking { try round.run() }
    }

    func outbox() throws -> [OutboxMessage] { try store.outbox.messages().reversed() }
}

@Suite struct APNsTests {
    private struct Claims: Decodable { var iss: String, iat: Int64 }
    private struct Header: Decodable { var alg: String, kid: String }

    private func unsafe(_ text: Substring) -> [UInt8] {
        Base64.standard.decode(text.replacing("-", with: "+").replacing("_", with: "/").utf8.map { $0 }) ?? []
    }

    @Test(.timeLimit(.minutes(5))) func pushMatchesApplesFormat() async throws {
        let post = try await Post()
        try post.register("d1", "00FF12ab")
        let delivery = try post.desk.delivery(post.apns, post.store)
        try delivery.prepare()
        try post.store.recording.record([post.desk.mail()])
        #expect(try await post.run(DeliveryRound(delivery)) == nil)
        let request = try #require(post.server.requests.first)
        #expect(post.server.requests.count == 1 && request.method == "POST" && request.path == "/3/device/00ff12ab")
        let headers = request.headers
        let message = try #require(try post.outbox().first)
        #expect(
            message.state == .sent && message.target == "d1" && headers["apns-id"] == message.id
                && headers["apns-collapse-id"]?.isEmpty == false)
        #expect(
            headers["apns-topic"] == "com.example.ledger" && headers["apns-push-type"] == "alert"
                && headers["apns-priority"] == "10")
        #expect(headers["apns-expiration"] == "\((monday + 86_400).seconds)")
        let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
        let alert = try #require((body["aps"] as? [String: Any])?["alert"] as? [String: Any])
        #expect(alert["title"] as? String == "INR 1234.50 spent")
        // The token: ES256 by the public key.
        let token = try #require(headers["authorization"]?.dropFirst("bearer ".count)).split(separator: ".")
        try #require(token.count == 3)
        let header = try JSONDecoder().decode(Header.self, from: Data(unsafe(token[0])))
        #expect(header.alg == "ES256" && header.kid == "ABCDE12345")
        let claims = try JSONDecoder().decode(Claims.self, from: Data(unsafe(token[1])))
        #expect(claims.iss == "TEAM567890" && claims.iat == monday.seconds)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: unsafe(token[2]))
        #expect(post.key.publicKey.isValidSignature(signature, for: Data("\(token[0]).\(token[1])".utf8)))
    }

    @Test(.timeLimit(.minutes(5))) func theTokenLastsFiftyMinutes() async throws {
        let post = try await Post()
        try post.register("d1", "00ff")
        let delivery = try post.desk.delivery(post.apns, post.store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        for pause: Int64 in [0, 1200, 1700, 200] {
            post.desk.clock.advance(pause)
            try post.store.recording.record([post.desk.mail()])
            _ = try await post.run(round)
        }
        let tokens = post.server.requests.compactMap { $0.headers["authorization"] }
        #expect(tokens.count == 4 && tokens[0] == tokens[1] && tokens[1] == tokens[2] && tokens[2] != tokens[3])
    }

    @Test(.timeLimit(.minutes(5))) func expiredTokenIsRenewedAtOnce() async throws {
        let post = try await Post()
        try post.register("d1", "00ff")
        let delivery = try post.desk.delivery(post.apns, post.store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(round)
        post.desk.clock.advance(1300)
        post.server.answer(.status(403, body: #"{"reason":"ExpiredProviderToken"}"#), .status(200))
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(round)
        let tokens = post.server.requests.compactMap { $0.headers["authorization"] }
        #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
        #expect(try post.outbox().allSatisfy { $0.state == .sent })
        // At most as often as Apple allows: one that it refuses at once is not made again.
        post.server.answer(.status(403, body: #"{"reason":"ExpiredProviderToken"}"#))
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(round)
        #expect(post.server.requests.count == 4)
        let last = try #require(try post.outbox().last)
        #expect(
            last.state == .waiting && last.dueAt == post.desk.clock.now() + 1200
                && last.reason?.contains("clock") == true)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (410, #"{"reason":"Unregistered","timestamp":1767600000000}"#), (400, #"{"reason":"BadDeviceToken"}"#),
        ])
    func unregisteredDeviceGetsNoMoreMessages(status: Int, body: String) async throws {
        let post = try await Post()
        try post.register("d1", "00ff")
        let delivery = try post.desk.delivery(post.apns, post.store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        post.server.answer(.status(status, body: body))
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(round)
        #expect(try post.store.devices.activePushDevices() == [])
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(round)
        #expect(post.server.requests.count == 1)
        #expect(try post.outbox().map(\.state) == [.sent, .sent])
    }

    @Test(.timeLimit(.minutes(5))) func oneDeviceDoesNotDelayAnother() async throws {
        let post = try await Post()
        try post.register("d1", "0001")
        try post.register("d2", "0002", environment: "sandbox")
        let delivery = try post.desk.delivery(post.apns, post.store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        post.server.answer(
            .status(429, body: #"{"reason":"TooManyRequests"}"#, headers: ["Retry-After": "77"]), .status(200))
        try post.store.recording.record([post.desk.mail()])
        #expect(try await post.run(round) == monday + 77)
        #expect(try post.outbox().map(\.state) == [.waiting, .sent])
        post.desk.clock.advance(77)
        #expect(try await post.run(round) == nil)
        let paths = post.server.requests.map(\.path)
        #expect(paths == ["/3/device/0001", "/3/device/0002", "/3/device/0001"])
        try #require(post.server.requests.count > 2)
        #expect(post.server.requests[0].headers["apns-id"] == post.server.requests[2].headers["apns-id"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [PushServer.Answer.status(500), .status(503), .cut])
    func temporaryFailureIsRetried(answer: PushServer.Answer) async throws {
        let post = try await Post()
        try post.register("d1", "0001")
        let delivery = try post.desk.delivery(post.apns, post.store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        post.server.answer(answer, answer, .status(200))
        try post.store.recording.record([post.desk.mail()])
        #expect(try await post.run(round) == monday + 15)
        post.desk.clock.advance(15)
        #expect(try await post.run(round) == post.desk.clock.now() + 30)
        post.desk.clock.advance(30)
        #expect(try await post.run(round) == nil)
        #expect(
            Set(post.server.requests.compactMap { $0.headers["apns-id"] }).count == 1 && post.server.requests.count == 3
        )
        #expect(try post.store.outbox.sinkStates().first?.failures == 0)
    }

    @Test(.timeLimit(.minutes(5))) func aRefusedKeyIsParkedAndShown() async throws {
        let post = try await Post()
        try post.register("d1", "0001")
        let delivery = try post.desk.delivery(post.apns, post.store)
        try delivery.prepare()
        post.server.answer(.status(403, body: #"{"reason":"InvalidProviderToken"}"#))
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(DeliveryRound(delivery))
        let message = try #require(try post.outbox().first)
        #expect(
            message.state == .parked && message.reason?.contains("403 InvalidProviderToken: check key_file") == true)
        let report = HealthReport(try post.store.monitoring.snapshot(), configured: [])
        #expect(
            report.level == .degraded
                && report.reasons.first?.hasPrefix("notifications to phone: 1 refused (") == true,
            "\(report.reasons)")
    }

    @Test(
        arguments: [
            (#"{"reason":"Unregistered"}"#, "Unregistered"), (#"{ "reason" : "X" }"#, "X"), (#"{"reason":5}"#, nil),
            ("", nil), (#"{"reason":"a b"}"#, nil), (#"{"reason":"#, nil),
            (#"{"id":"1","reason":"Bad\u0054opic"}"#, "BadTopic"),
        ] as [(String, String?)])
    func reasons(body: String, reason: String?) { #expect(APNsSender.reason(in: Array(body.utf8)) == reason) }
}

@Suite struct HTTPReceiverTests {
    /// From the reference implementations' tests.
    @Test func signatureOfTheStandard() throws {
        let key = try #require(Base64.standard.decode(Array("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8)))
        let signature = WebhookSender.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330, Array(#"{"test": 2432232314}"#.utf8), key: key)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test(.timeLimit(.minutes(5))) func aWebhookIsSigned() async throws {
        let post = try await Post()
        let delivery = try post.desk.delivery(post.hook, post.store)
        try delivery.prepare()
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(DeliveryRound(delivery))
        let request = try #require(post.server.requests.first)
        let id = try #require(request.headers["webhook-id"])
        let stamp = try #require(request.headers["webhook-timestamp"])
        let expected = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(stamp).\(request.body)".utf8), using: SymmetricKey(data: Post.secret))
        #expect(
            request.headers["webhook-signature"] == "v1," + Base64.standard.encode(Array(expected))
                && stamp == "\(monday.seconds)"
                && request.path == "/hook")
        #expect(request.body.contains(#""amount":"1234.50""#) && request.headers["content-type"] == "application/json")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [301, 401, 403, 404, 410]) func refusingSinkIsRetriedOnceADay(
        status: Int
    ) async throws {
        let post = try await Post()
        let delivery = try post.desk.delivery(post.hook, post.store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        post.server.answer(.status(status, headers: ["Location": "\(post.url)/elsewhere"]), .status(200))
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(round)
        // Later events are collected.
        for _ in 0..<5 {
            post.desk.clock.advance(100)
            try post.store.recording.record([post.desk.mail()])
            #expect(try await post.run(round) == monday + 86_400)
        }
        #expect(post.server.requests.count == 1)
        #expect(try post.outbox().map(\.state) == [.parked, .waiting] && post.outbox().map(\.eventCount) == [1, 5])
        // A person fixes the cause.
        #expect(try post.store.outbox.retry() == 2)
        #expect(try await post.run(round) == nil)
        #expect(try post.outbox().map(\.state) == [.sent, .sent])
        #expect(post.server.requests.map(\.path) == ["/hook", "/hook", "/hook"])
        try #require(post.server.requests.count > 2)
        #expect(post.server.requests[0].headers["webhook-id"] == post.server.requests[1].headers["webhook-id"])
        #expect(post.server.requests[2].body.contains(#""type":"digest""#))
    }

    @Test(.timeLimit(.minutes(5))) func faultyMessageDoesNotBlockOthers() async throws {
        let post = try await Post()
        let delivery = try post.desk.delivery(post.hook, post.store)
        try delivery.prepare()
        post.server.answer(.status(400), .status(200))
        try post.store.recording.record([post.desk.mail(), post.desk.mail()])
        _ = try await post.run(DeliveryRound(delivery))
        #expect(try post.outbox().map(\.state) == [.parked, .sent])
    }

    @Test(.timeLimit(.minutes(5))) func ntfyGetsJSONWithItsToken() async throws {
        let post = try await Post()
        let delivery = try post.desk.delivery(post.ntfy, post.store)
        try delivery.prepare()
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(DeliveryRound(delivery))
        let request = try #require(post.server.requests.first)
        #expect(request.path == "/" && request.headers["authorization"] == "Bearer tk_abc")
        let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
        #expect(
            body["topic"] as? String == "my-topic" && body["title"] as? String == "INR 1234.50 spent"
                && body["priority"] as? Int == 3)
        #expect(body["tags"] as? [String] == ["moneybag"] && body["click"] as? String == "https://example.com/")
        #expect((body["message"] as? String)?.hasPrefix("CAFÉ NOIR") == true)
    }

    @Test(.timeLimit(.minutes(5))) func anotherAuthorityIsNotTrusted() async throws {
        let post = try await Post()
        let delivery = try post.desk.delivery(
            post.hook.replacing(post.caFile, with: try authority.get().otherCAFile), post.store)
        try delivery.prepare()
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(DeliveryRound(delivery))
        let message = try #require(try post.outbox().first)
        #expect(
            message.state == .waiting && message.reason?.contains("certificate") == true && post.server.requests.isEmpty
        )
        #expect(message.reason?.contains("/hook") == false, "the address of a hook is a secret")
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["short", "whsec_not base64!", ""])
    func invalidSecretIsReportedAndNothingIsSent(
        secret: String
    ) async throws {
        let post = try await Post()
        try post.desk.write(secret, to: "secret")
        let delivery = try post.desk.delivery(post.hook, post.store)
        try delivery.prepare()
        try post.store.recording.record([post.desk.mail()])
        _ = try await post.run(DeliveryRound(delivery))
        let message = try #require(try post.outbox().first)
        #expect(
            message.state == .parked && message.reason?.contains("signing secret") == true
                && post.server.requests.isEmpty)
        if !secret.isEmpty { #expect(message.reason?.contains(secret) == false) }
    }
}

@Suite struct EmailTests {
    private func setUp(
        startTLS: Bool = false, setting: String = ""
    ) throws -> (Desk, Store, SubmissionServer, Delivery) {
        let certificates = try authority.get()
        let server = try SubmissionServer(certificate: certificates.certificateFile, key: certificates.keyFile)
        let desk = try Desk()
        let store = try desk.open()
        try desk.write("secret\n", to: "password")
        let portSetting = startTLS ? "port: \(server.startTLSPort), tls: starttls" : "port: \(server.port)"
        let delivery = try desk.delivery(
            "  - { name: mail, kind: email, host: localhost, \(portSetting), user: spend, password_file: password\(setting), from: spend@example.org, to: [a@example.com, b@example.com], ca_file: \(certificates.caFile) }\n",
            store)
        try delivery.prepare()
        return (desk, store, server, delivery)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true]) func aMailIsSentOverTLS(startTLS: Bool) throws {
        let (desk, store, server, delivery) = try setUp(startTLS: startTLS)
        try store.recording.record([desk.mail()])
        try delivery.runOnce()
        let mail = try #require(server.received.first)
        #expect(mail.isEncrypted && mail.login == Base64.standard.encode(Array("\0spend\0secret".utf8)))
        #expect(
            mail.from.hasPrefix("MAIL FROM:<spend@example.org>")
                && mail.recipients == ["RCPT TO:<a@example.com>", "RCPT TO:<b@example.com>"])
        let message = try #require(try store.outbox.messages().first)
        #expect(
            message.state == .sent && mail.text.contains("Message-ID: <\(message.id)@example.org>")
                && mail.text.contains("Subject: INR 1234.50 spent"))
    }

    /// A server that offers a mechanism which it cannot check with its hashed passwords: PLAIN comes first.
    @Test(.timeLimit(.minutes(5))) func correctPasswordIsNotRefused() throws {
        let (desk, store, server, delivery) = try setUp()
        server.refuse { $0.mechanisms = "CRAM-MD5 DIGEST-MD5 PLAIN" }
        try store.recording.record([desk.mail()])
        try delivery.runOnce()
        #expect(try store.outbox.messages().first?.state == .sent && server.received.count == 1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [("X-OTHER", ""), ("CRAM-MD5", ", mechanism: plain")])
    func serverWithoutTheMechanismIsReported(offer: String, setting: String) throws {
        let (desk, store, server, delivery) = try setUp(setting: setting)
        server.refuse { $0.mechanisms = offer }
        try store.recording.record([desk.mail()])
        try delivery.runOnce()
        let message = try #require(try store.outbox.messages().first)
        #expect(message.state == .parked && message.reason?.contains("no mechanism for the login") == true)
    }

    @Test(.timeLimit(.minutes(5))) func serverWithoutSTARTTLSGetsNoSecret() throws {
        let (desk, store, server, delivery) = try setUp(startTLS: true)
        server.refuse { $0.offersStartTLS = false }
        try store.recording.record([desk.mail()])
        try delivery.runOnce()
        let message = try #require(try store.outbox.messages().first)
        #expect(message.state == .parked && message.reason?.contains("STARTTLS") == true && server.received.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [("535 no", OutboxMessage.State.parked), ("454 later", .waiting)])
    func aRefusedLogin(reply: String, state: OutboxMessage.State) throws {
        let (desk, store, server, delivery) = try setUp()
        server.refuse { $0.login = reply }
        try store.recording.record([desk.mail()])
        try delivery.runOnce()
        let message = try #require(try store.outbox.messages().first)
        #expect(
            message.state == state && message.reason?.contains("refuses the login") == true
                && message.reason?.contains("secret") == false)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [("451 busy", OutboxMessage.State.waiting), ("554 spam", .parked)])
    func aRefusedMail(reply: String, state: OutboxMessage.State) throws {
        let (desk, store, server, delivery) = try setUp()
        server.refuse { $0.data = reply }
        try store.recording.record([desk.mail()])
        try delivery.runOnce()
        #expect(try store.outbox.messages().first?.state == state)
        server.refuse { $0.data = nil }
        try store.outbox.retry()
        try delivery.runOnce()
        #expect(server.received.count == 1)
    }
}
