import Access
import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternetMessage
import Ledger
import NIOCore
import Synchronization
import Testing

@testable import Store
@testable import Web

/// POST /shortcuts/transaction, with a reader that records what it is given.
@Suite struct ShortcutTests {
    final class Phone: Sendable {
        let given = Mutex<[ShortMessage]>([])

        var texts: [String] { given.withLock { $0.map(\.text) } }
        var last: ShortMessage? { given.withLock(\.last) }
    }

    private func site(
        _ policy: AccessPolicy = AccessPolicy(requestsPerMinute: 0), outcome: Outcome = .review
    ) throws -> (site: Site, phone: Phone, token: String, application: some ApplicationProtocol) {
        let site = try Site(policy)
        let phone = Phone()
        var services = site.services
        services.recordSMS = { sms in
            let isNew = phone.given.withLock { given in
                let isNew = !given.contains { $0.digest(now: .now) == sms.digest(now: .now) }
                given.append(sms)
                return isNew
            }
            return RecordedMail(uid: 1, mailID: "m", outcome: outcome, transactionID: 7, isNew: isNew)
        }
        let application = Application(router: WebApplication.router(services), logger: site.services.logger)
        return (site, phone, try site.token(Scopes([.shortcut]), name: "phone"), application)
    }

    private static let plain: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
    private static let path = "/shortcuts/transaction"

    @Test func threeFormsSayTheSame() async throws {
        let (_, phone, token, application) = try site()
        try await application.test(.router) { client in
            let json = try await client.ask(
                .post, Self.path, token: token,
                json:
                    #"{"sender":"JM-HDFCBK-S","text":"Sent Rs.60.00\nTo LANTERN & SONS","received_at":"2026-01-11T18:40:12+05:30"}"#
            )
            #expect(json.status == .created, "\(json.text)")
            #expect(json.text.contains(#""outcome":"review""#) && json.text.contains(#""transaction_id":7"#))
            let form = try await client.ask(
                .post, Self.path, token: token,
                form: "sender=HDFCBK&text=Sent+Rs.60.00%0ATo+LANTERN+%26+SONS&received_at=1768137012")
            #expect(form.status == .ok && form.text.contains("recorded before"), "\(form.text)")
            let text = try await client.execute(
                uri: Self.path + "?sender=VM-HDFCBK&received_at=1768137012000", method: .post,
                headers: Self.plain.with(token), body: ByteBuffer(string: "Sent Rs.60.00\nTo LANTERN & SONS"))
            #expect(text.status == .ok, "\(text)")
        }
        #expect(Set(phone.texts).count == 1 && phone.texts.count == 3)
        #expect(phone.last?.sender.name == "HDFCBK" && phone.last?.receivedAt == UnixTime(seconds: 1_768_137_012))
    }

    /// Senders that are no bank's: nothing is kept, and the automation does not try again.
    @Test(arguments: ["+919812345678", "Asha Example", "me@example.com", "VM-HDFCBK-S-S", "\\u0000"])
    func aPersonIsUnclaimed(sender: String) async throws {
        let (_, phone, token, application) = try site()
        try await application.test(.router) { client in
            let answer = try await client.ask(
                .post, Self.path, token: token, json: "{\"sender\":\"\(sender)\",\"text\":\"lunch?\"}")
            #expect(answer.status == .ok && answer.text.contains(#""outcome":"unclaimed""#), "\(answer.text)")
        }
        #expect(phone.texts.isEmpty)
    }

    static let refused: [(String, HTTPResponse.Status, String)] = [
        (#"{"text":"x"}"#, .unprocessableContent, "sender"), (#"{"sender":"HDFCBK"}"#, .unprocessableContent, "text"),
        (#"{"sender":"HDFCBK","text":" \n "}"#, .unprocessableContent, "text"),
        (#"{"sender":"HDFCBK","text":7}"#, .unprocessableContent, "text"),
        (#"{"sender":null,"text":"x"}"#, .unprocessableContent, "sender"),
        (#"{"sender":["HDFCBK"],"text":"x"}"#, .unprocessableContent, "sender"),
        (#"{"sender":"HDFCBK","text":"x","amount":"5"}"#, .unprocessableContent, "amount"),
        (#"{"sender":"HDFCBK","text":"x","received_at":"yesterday"}"#, .unprocessableContent, "received_at"),
        (#"{"sender":"HDFCBK","text":"x","received_at":true}"#, .unprocessableContent, "received_at"),
        (#"{"sender":"HDFCBK","text":"x","received_at":0}"#, .unprocessableContent, "received_at"),
        (#"{"sender":"HDFCBK","text":"x","received_at":99999999999999999}"#, .unprocessableContent, "received_at"),
        (#"{"sender":"HDFCBK","text":"x","received_at":-9223372036854775808}"#, .unprocessableContent, "received_at"),
        ("[]", .unprocessableContent, "object"), ("\"x\"", .unprocessableContent, "object"),
        ("", .badRequest, "object"),
        ("{", .badRequest, "not JSON"), ("sender=HDFCBK&text=x", .badRequest, "not JSON"),
        ("{\"sender\":\"HDFCBK\",\"text\":\"\(String(repeating: "a", count: 2001))\"}", .unprocessableContent, "2000"),
        ("{\"sender\":\"\(String(repeating: "A", count: 5000))\",\"text\":\"x\"}", .unprocessableContent, "sender"),
        ("{\"sender\":\"HDFCBK\",\"text\":\"\(String(repeating: "a", count: 40_000))\"}", .contentTooLarge, "32768"),
        (String(repeating: "[", count: 20_000), .badRequest, "not JSON"),
    ]

    @Test(arguments: refused) func refusals(body: String, status: HTTPResponse.Status, word: String) async throws {
        let (_, phone, token, application) = try site()
        try await application.test(.router) { client in
            let answer = try await client.ask(.post, Self.path, token: token, json: body)
            #expect(answer.status == status && answer.text.contains(word), "\(answer.status) \(answer.text)")
        }
        #expect(phone.texts.isEmpty)
    }

    @Test func otherBodiesAndQueries() async throws {
        let (_, phone, token, application) = try site()
        try await application.test(.router) { client in
            for (uri, type, body, status) in [
                (Self.path, "application/xml", "<x/>", .unsupportedMediaType),
                (Self.path, "multipart/form-data; boundary=x", "--x--", .unsupportedMediaType),
                (Self.path, "text/plain", "Rs.1", .unprocessableContent),
                (Self.path + "?sender=HDFCBK", "application/json", #"{"text":"x"}"#, .unprocessableContent),
                (Self.path + "?sender=HDFCBK&token=x", "text/plain", "x", .unprocessableContent),
                (Self.path, "application/x-www-form-urlencoded", "sender=HDFCBK&text=a&text=b", .unprocessableContent),
                (Self.path, "application/x-www-form-urlencoded", "sender=HDFCBK", .unprocessableContent),
            ] as [(String, String, String, HTTPResponse.Status)] {
                let answer = try await client.execute(
                    uri: uri, method: .post, headers: HTTPFields(type).with(token), body: ByteBuffer(string: body))
                #expect(answer.status == status, "\(uri) \(type): \(answer.status) \(answer.text)")
            }
            #expect(try await client.ask(.get, Self.path, token: token).status == .methodNotAllowed)
        }
        #expect(phone.texts.isEmpty)
    }

    /// Texts as anyone can send them to a phone.
    static let hostile = [
        "Rs.1\u{0}\u{1}\u{7F}", "\u{202E}00.06.sR", "<script>alert(1)</script>", "'; DROP TABLE transactions; --",
        "Rs.1\r\nFrom: <alerts@hdfcbank.net>\r\n\r\nRs.9", "🪔🪔🪔", "न", "\u{FFFD}",
    ]

    @Test(arguments: hostile) func hostileTextsArrive(text: String) async throws {
        let (_, phone, token, application) = try site()
        try await application.test(.router) { client in
            let body = JSON.object([("sender", .string("VM-HDFCBK")), ("text", .string(text))]).text
            let answer = try await client.ask(.post, Self.path, token: token, json: body)
            #expect(answer.status == .created && !answer.text.contains("script"), "\(answer.text)")
        }
        #expect(phone.texts == [text])
    }

    @Test func bytesThatAreNotUTF8() async throws {
        let (_, phone, token, application) = try site()
        try await application.test(.router) { client in
            let answer = try await client.execute(
                uri: Self.path + "?sender=VM-HDFCBK", method: .post, headers: Self.plain.with(token),
                body: ByteBuffer(bytes: [0x52, 0x73, 0xFF, 0xC3]))
            #expect(answer.status == .created)
        }
        #expect(phone.texts == ["Rs\u{FFFD}\u{FFFD}"])
    }

    /// The sentences for the phone contain no value of the ledger.
    @Test(arguments: Outcome.allCases) func theAnswerOfEachOutcome(outcome: Outcome) async throws {
        let (_, _, token, application) = try site(outcome: outcome)
        try await application.test(.router) { client in
            let answer = try await client.ask(
                .post, Self.path, token: token, json: #"{"sender":"VM-HDFCBK","text":"Rs.1"}"#)
            #expect(answer.text.contains("\"outcome\":\"\(outcome.rawValue)\"") && !answer.text.contains("Rs"))
        }
    }

    @Test func withoutAReaderItSaysSo() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.post, Self.path, json: #"{"sender":"VM-HDFCBK","text":"Rs.1"}"#)
            #expect(answer.status == .serviceUnavailable)
        }
    }

    /// Every route of the router with a token that may pass SMS on: it can do that, and nothing else.
    @Test(.timeLimit(.minutes(5))) func theTokenCanDoNothingElse() async throws {
        let (site, _, token, application) = try site()
        try site.setPassphrase()
        let routes = WebApplication.router(site.services).routes.map { (method: $0.method, path: "\($0.path)") }
        #expect(routes.count > 200, "\(routes.count) routes")
        // What needs no credential, and what a token is called.
        let open: Set = [
            "/", "/health", "/metrics", "/login", "/login/passkey", "/start", "/logout", "/pair", "/session",
            "/favicon.ico",
        ]
        let reached = try await application.test(.router) { client in
            var reached: Set<String> = []
            for route in routes where !open.contains(route.path) && !route.path.hasPrefix("/static") {
                let target = route.path.replacing(#/\{[^}]*\}/#, with: "1")
                let answer = try await client.ask(route.method, target, token: token, json: "{}")
                if answer.status != .forbidden { reached.insert(route.path) }
            }
            // Without a page and without figures of the ledger.
            #expect(try await client.ask(.get, "/", token: token, [.accept: "text/html"]).status == .forbidden)
            return reached
        }
        #expect(reached == [Self.path])
    }

    @Test func otherTokensMayNotPassSMSOn() async throws {
        let (site, phone, _, application) = try site()
        let body = #"{"sender":"VM-HDFCBK","text":"Rs.1"}"#
        try await application.test(.router) { client in
            for scope in Scope.allCases where scope != .shortcut && scope != .admin {
                let token = try site.token(Scopes([scope]), name: scope.rawValue)
                #expect(try await client.ask(.post, Self.path, token: token, json: body).status == .forbidden)
            }
            #expect(try await client.ask(.post, Self.path, json: body).status == .unauthorized)
            let admin = try site.token(.all, name: "admin")
            #expect(try await client.ask(.post, Self.path, token: admin, json: body).status == .created)
        }
        #expect(phone.texts.count == 1)
    }

    @Test func theRateIsLimited() async throws {
        let (_, phone, token, application) = try site(AccessPolicy(requestsPerMinute: 5))
        try await application.test(.router) { client in
            var statuses: [HTTPResponse.Status] = []
            for number in 0..<20 {
                let body = "{\"sender\":\"VM-HDFCBK\",\"text\":\"Rs.\(number)\"}"
                statuses.append(try await client.ask(.post, Self.path, token: token, json: body).status)
            }
            #expect(statuses.contains(.tooManyRequests))
        }
        #expect(phone.texts.count < 20)
    }

    @Test func thePageExplainsTheSetUp() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            let page = try await client.ask(.get, "/app/settings/sms", [.accept: "text/html"])
            #expect(page.status == .ok)
            for word in ["--scope shortcut", Self.path, "iOS Shortcuts", "%SMSRB", "{sms_message}", "auto_confirm"] {
                #expect(page.text.contains(word), "\(word)")
            }
        }
    }
}

extension HTTPFields {
    fileprivate init(_ type: String) { self = [.contentType: type] }

    fileprivate func with(_ token: String) -> HTTPFields {
        var fields = self
        fields[.authorization] = "Bearer \(token)"
        return fields
    }
}
