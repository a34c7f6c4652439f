import AuthorizationFixture
import DovecotFixture
import Foundation
import GRDB
import Glibc
import PushFixture
import Testing

extension EndToEnd {
    @Suite struct Notifications {
        private static let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

        private func station(_ hook: HookServer, _ more: String = "") throws -> Station {
            let station = try Station()
            try station.scratch.write(Self.secret + "\n", to: "hook-secret")
            station.settings =
                "notifications:\n  - { name: hook, kind: webhook, url: '\(hook.url)', secret_file: hook-secret, events: [transaction, review], max_age: 10d\(more) }"
            return station
        }

        @Test(.timeLimit(.minutes(3))) func newMailIsNotifiedImmediately() throws {
            let hook = try HookServer()
            let station = try station(hook)
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            let mail = Watching.coffee("new", minutes: 2)
            try station.deliver([mail])
            try waitUntil("the webhook") { !hook.deliveries.isEmpty }
            let delivery = try #require(hook.deliveries.first)
            #expect(
                delivery.method == "POST" && delivery.body.contains(#""type":"transaction.booked""#)
                    && delivery.body.contains(#""amount":"123.00""#), "\(delivery.body)")
            #expect(
                delivery.headers["webhook-signature"]?.hasPrefix("v1,") == true
                    && delivery.headers["webhook-id"]?.count == 36)
            try waitUntil("the note that it is sent") {
                try station.ledger.column("SELECT state FROM notification_messages") == ["sent"]
            }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            station.expectDiscreet(daemon)
            #expect(!daemon.errors.contains(Self.secret))
        }

        @Test(.timeLimit(.minutes(3))) func killBeforeAnswerRepeatsNotificationWithSameID() throws {
            let hook = try HookServer()
            let station = try station(hook)
            try station.pass()
            // The server reads the request and never answers.
            hook.answer(nil)
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try station.deliver([Watching.coffee("new", minutes: 2)])
            try waitUntil("the webhook") { !hook.deliveries.isEmpty }
            try daemon.crash()
            #expect(try station.ledger.column("SELECT state FROM notification_messages") == ["waiting"])
            hook.answer(200)
            let second = try station.start(["ingest"])
            try waitUntil("the webhook again") { hook.deliveries.count == 2 }
            #expect(hook.deliveries[0].headers["webhook-id"] == hook.deliveries[1].headers["webhook-id"])
            #expect(hook.deliveries[0].body == hook.deliveries[1].body)
            try waitUntil("the note that it is sent") {
                try station.ledger.column("SELECT state FROM notification_messages") == ["sent"]
            }
            try second.crash()
            // A third start sends nothing.
            try station.pass()
            #expect(hook.deliveries.count == 2)
        }

        @Test(.timeLimit(.minutes(3))) func refusalIsShownAndRetriedByCommand() throws {
            let hook = try HookServer()
            hook.answer(401)
            let station = try station(hook, ", amount: hidden, merchant: hidden")
            // A first pass over a thousand messages is one notification.
            try station.deliver((0..<30).map { Watching.coffee("c\($0)", minutes: $0) })
            try station.pass()
            #expect(hook.deliveries.count == 1)
            #expect(
                try station.control(["status"]).contains("notifications to hook: 1 refused (the webhook answers 401"))
            let list = try station.control(["notify", "list", "--json"])
            #expect(list.contains(#""state":"parked""#) && list.contains(#""events":30"#), "\(list)")
            #expect(
                try station.control(["notify", "test"], expecting: 1).contains(
                    "hook: not accepted: the webhook answers 401"))
            hook.answer(200)
            #expect(try station.control(["notify", "test", "hook"]).contains("hook: accepted"))
            #expect(try station.control(["notify", "retry"]).contains("1 message will be sent"))
            try station.pass()
            let digest = try #require(hook.deliveries.last)
            #expect(
                digest.body.contains(#""count":30"#) && !digest.body.contains("123.00")
                    && !digest.body.contains("COFFEE"), "\(digest.body)")
            #expect(
                hook.deliveries.count == 4 && hook.deliveries[0].headers["webhook-id"] == digest.headers["webhook-id"])
            #expect(try !station.control(["status"]).contains("notifications to hook"))
        }

        /// The sinks of the configuration may change at run time.
        @Test(.timeLimit(.minutes(3))) func reloadReplacesSinks() throws {
            let (first, second) = (try HookServer(), try HookServer())
            let station = try Station()
            try station.scratch.write(Self.secret + "\n", to: "hook-secret")
            func sinks(_ text: String) throws {
                station.settings = text
                _ = try station.configuration()
            }
            func hook(_ name: String, _ server: HookServer, _ more: String = "") -> String {
                "  - { name: \(name), kind: webhook, url: '\(server.url)', secret_file: hook-secret, events: [transaction], max_age: 10d\(more) }\n"
            }
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try station.deliver([Watching.coffee("untold", minutes: 1)])
            try waitUntil("its row") { station.ledger.mails == 1 }

            try sinks("notifications:\n" + hook("one", first))
            daemon.signal(SIGHUP)
            try daemon.logs("notifications reloaded")
            try station.deliver([Watching.coffee("first", minutes: 2)])
            try waitUntil("the first webhook") { first.deliveries.count == 1 }
            #expect(first.deliveries[0].body.contains(#""amount":"123.00""#))

            // An invalid sink changes nothing and is reported with its position.
            try sinks("notifications:\n  - { name: one, kind: pigeon }")
            daemon.signal(SIGHUP)
            try daemon.logs("notifications not reloaded")
            #expect(
                daemon.errors.contains(try Regex(#"spendwise\.yaml:\d+:\d+: unknown kind 'pigeon'"#)),
                "\(daemon.errors)")
            try station.deliver([Watching.coffee("second", minutes: 3)])
            try waitUntil("the first webhook again") { first.deliveries.count == 2 }

            // A second sink, and fewer kinds for the first.
            try sinks("notifications:\n" + hook("one", first, ", amount: hidden") + hook("two", second))
            daemon.signal(SIGHUP)
            try waitUntil("both names") {
                try station.ledger.column("SELECT name FROM notification_sinks ORDER BY name") == ["one", "two"]
            }
            try station.deliver([Watching.coffee("third", minutes: 4)])
            try waitUntil("both webhooks") { first.deliveries.count == 3 && second.deliveries.count == 1 }
            #expect(!first.deliveries[2].body.contains("123.00") && second.deliveries[0].body.contains("123.00"))

            // No sink.
            try sinks("")
            daemon.signal(SIGHUP)
            try waitUntil("no names") { try station.ledger.column("SELECT name FROM notification_sinks") == [] }
            try station.deliver([Watching.coffee("fourth", minutes: 5)])
            try waitUntil("its row") { station.ledger.mails == 5 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(first.deliveries.count == 3 && second.deliveries.count == 1)
            station.expectDiscreet(daemon)
        }

        /// Apple's service: HTTP/2 over TLS. It may not answer, and reports removed devices.
        @Test(.timeLimit(.minutes(3))) func pushSurvivesKillAndRemovedDeviceIsSkipped() async throws {
            let station = try Station()
            let apple = PushServer()
            let url = try await apple.start(certificate: station.server.certificateFile, key: station.server.keyFile)
            nonisolated(unsafe) let here = station  // used by one thread at a time
            try await Self.blocking { try Self.push(here, apple, url) }
        }

        private static func push(_ station: Station, _ apple: PushServer, _ url: String) throws {
            try station.scratch.write(PushServer.newKey, to: "key.p8")
            station.settings = """
                notifications:
                  - { name: phone, kind: apns, key_file: key.p8, key_id: ABCDE12345, team_id: TEAM567890, topic: com.example.ledger, url: '\(url)', ca_file: \(station.server.caFile), events: [transaction], max_age: 10d }
                """
            try station.pass()
            try DatabaseQueue(path: station.database).write { db in
                for (id, token) in [("d1", "00FF"), ("d2", "00EE")] {
                    try db.execute(
                        sql:
                            "INSERT INTO devices (id, device_token, created_at, updated_at) VALUES (?, ?, '2026-01-05T00:00:00Z', '2026-01-05T00:00:00Z')",
                        arguments: [id, token])
                }
            }
            // The server reads the request and never answers; the daemon is killed.
            apple.answer(.never)
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try station.deliver([Watching.coffee("new", minutes: 2)])
            try waitUntil("a push") { apple.requests.count == 1 }
            try daemon.crash()
            #expect(try station.ledger.column("SELECT DISTINCT state FROM notification_messages") == ["waiting"])

            apple.answer(
                .status(200), .status(410, body: #"{"reason":"Unregistered","timestamp":1767600000000}"#), .status(200))
            let second = try station.start(["ingest"])
            try waitUntil("both devices") { apple.requests.count == 3 }
            try waitUntil("the notes") {
                try station.ledger.column("SELECT DISTINCT state FROM notification_messages") == ["sent"]
            }
            let requests = apple.requests
            #expect(
                requests[0].headers["apns-id"] == requests[1].headers["apns-id"] && requests[0].body == requests[1].body
                    && requests[1].headers["apns-id"] != requests[2].headers["apns-id"])
            #expect(requests.map(\.path) == ["/3/device/00ff", "/3/device/00ff", "/3/device/00ee"])
            #expect(
                try station.ledger.rows("SELECT id, is_active FROM devices ORDER BY id") == [
                    ["d1", "1"], ["d2", "0"],
                ])
            // From now on only the other device.
            try second.logs("watching")
            try station.deliver([Watching.coffee("next", minutes: 3)])
            try waitUntil("a push to the other") { apple.requests.count == 4 }
            try waitUntil("its note") {
                try station.ledger.column("SELECT DISTINCT state FROM notification_messages") == ["sent"]
            }
            #expect(apple.requests.count == 4 && apple.requests[3].path == "/3/device/00ff")
            second.signal(SIGTERM)
            #expect(try second.exit(within: 10) == 0)
            #expect(!second.errors.contains("00ee") && !second.errors.contains("00EE"), "\(second.errors)")
            station.expectDiscreet(second)
        }

        /// Runs blocking code on its own thread: the test's server needs the cooperative pool.
        private static func blocking(_ body: @escaping @Sendable () throws -> Void) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
            }
        }
    }
}
