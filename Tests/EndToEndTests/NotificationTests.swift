import AuthorizationFixture
import DovecotFixture
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Notifications {
        private static let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

        private func station(_ hook: HookServer, _ more: String = "") throws -> Station {
            let station = try Station()
            try station.scratch.write(Self.secret + "\n", to: "hook-secret")
            station.settings = "notifications:\n  - { name: hook, kind: webhook, url: '\(hook.url)', secret_file: hook-secret, events: [transaction, review], max_age: 10d\(more) }"
            return station
        }

        @Test(.timeLimit(.minutes(3))) func aMailThatArrivesIsToldAtOnce() throws {
            let hook = try HookServer()
            let station = try station(hook)
            let daemon = try station.start(["ingest"])
            try daemon.says("watching")
            let mail = Watching.coffee("new", minutes: 2)
            try station.deliver([mail])
            try waitUntil("the webhook") { !hook.deliveries.isEmpty }
            let delivery = try #require(hook.deliveries.first)
            #expect(delivery.method == "POST" && delivery.body.contains(#""type":"transaction.booked""#) && delivery.body.contains(#""amount":"123.00""#), "\(delivery.body)")
            #expect(delivery.headers["webhook-signature"]?.hasPrefix("v1,") == true && delivery.headers["webhook-id"]?.count == 36)
            try waitUntil("the note that it is sent") { try station.ledger.column("SELECT state FROM notification_messages") == ["sent"] }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            station.expectDiscreet(daemon)
            #expect(!daemon.errors.contains(Self.secret))
        }

        @Test(.timeLimit(.minutes(3))) func killedBeforeTheAnswerItIsToldAgainUnderTheSameName() throws {
            let hook = try HookServer()
            let station = try station(hook)
            try station.pass()
            // It takes the request and never answers.
            hook.answer(nil)
            let daemon = try station.start(["ingest"])
            try daemon.says("watching")
            try station.deliver([Watching.coffee("new", minutes: 2)])
            try waitUntil("the webhook") { !hook.deliveries.isEmpty }
            try daemon.crash()
            #expect(try station.ledger.column("SELECT state FROM notification_messages") == ["waiting"])
            hook.answer(200)
            let second = try station.start(["ingest"])
            try waitUntil("the webhook again") { hook.deliveries.count == 2 }
            #expect(hook.deliveries[0].headers["webhook-id"] == hook.deliveries[1].headers["webhook-id"])
            #expect(hook.deliveries[0].body == hook.deliveries[1].body)
            try waitUntil("the note that it is sent") { try station.ledger.column("SELECT state FROM notification_messages") == ["sent"] }
            try second.crash()
            // A third start tells nothing new.
            try station.pass()
            #expect(hook.deliveries.count == 2)
        }

        @Test(.timeLimit(.minutes(3))) func aRefusalIsShownAndRepeatedByHand() throws {
            let hook = try HookServer()
            hook.answer(401)
            let station = try station(hook, ", amount: hidden, merchant: hidden")
            // A first pass over a thousand mails is one message.
            try station.deliver((0..<30).map { Watching.coffee("c\($0)", minutes: $0) })
            try station.pass()
            #expect(hook.deliveries.count == 1)
            #expect(try station.control(["status"]).contains("notifications to hook: 1 refused (the webhook answers 401"))
            let list = try station.control(["notify", "list", "--json"])
            #expect(list.contains(#""state":"parked""#) && list.contains(#""events":30"#), "\(list)")
            #expect(try station.control(["notify", "test"], expecting: 1).contains("hook: not taken: the webhook answers 401"))
            hook.answer(200)
            #expect(try station.control(["notify", "test", "hook"]).contains("hook: taken"))
            #expect(try station.control(["notify", "retry"]).contains("1 message will be sent"))
            try station.pass()
            let digest = try #require(hook.deliveries.last)
            #expect(digest.body.contains(#""count":30"#) && !digest.body.contains("123.00") && !digest.body.contains("COFFEE"), "\(digest.body)")
            #expect(hook.deliveries.count == 4 && hook.deliveries[0].headers["webhook-id"] == digest.headers["webhook-id"])
            #expect(try !station.control(["status"]).contains("notifications to hook"))
        }
    }
}
