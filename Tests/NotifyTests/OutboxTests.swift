import AuthorizationFixture
import Chronology
import ChronologyFixture
import Foundation
import GRDB
import IMAP
import Ledger
import Settings
import Testing

@testable import Notify
@testable import Store

@Suite struct OutboxTests {
    private static let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func setUp(_ more: String = "") throws -> (Desk, Store, HookServer, String) {
        let desk = try Desk()
        let hook = try HookServer()
        try desk.write(Self.secret, to: "secret")
        return (
            desk, try desk.open(), hook,
            "  - { name: hook, kind: webhook, url: '\(hook.url)', secret_file: secret\(more) }\n"
        )
    }

    private func count(_ store: Store, _ table: String) throws -> Int {
        try store.readDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    @Test func nothingIsWrittenWithoutSinks() throws {
        let (desk, store, _, _) = try setUp()
        try store.recording.record([desk.mail()])
        try store.mailboxes.setHealth(.init(mailbox: "personal", state: .refused, since: monday) { $0.reason = "no" })
        #expect(try count(store, "notification_events") == 0 && count(store, "mailbox_alarms") == 0)
    }

    /// A test that the page requested is sent once, and its result is stored.
    @Test func requestedTestIsSent() throws {
        let (desk, store, hook, yaml) = try setUp()
        let delivery = try desk.delivery(yaml, store)
        try delivery.prepare()
        try store.outbox.requestTrial(of: "hook", at: monday)
        try delivery.runOnce()
        #expect(hook.deliveries.count == 1 && hook.deliveries.first?.body.contains(#""test""#) ?? false)
        let state = try #require(try store.outbox.sinkStates().first)
        #expect(state.trialRequestedAt == nil && state.trialAt != nil && state.trialProblem == nil)
        try delivery.runOnce()
        #expect(hook.deliveries.count == 1)
        hook.answer(500)
        try store.outbox.requestTrial(of: "hook", at: monday)
        try delivery.runOnce()
        #expect(try store.outbox.sinkStates().first?.trialProblem?.contains("500") ?? false)
        #expect(throws: StoreError.self) { try store.outbox.requestTrial(of: "other", at: monday) }
        #expect(try count(store, "notification_messages") == 0)
    }

    @Test func eventIsCommittedWithItsTransaction() throws {
        let (desk, store, _, yaml) = try setUp()
        try desk.delivery(yaml, store).prepare()
        // The second mail violates a constraint: nothing of either may remain.
        try store.writeDatabase {
            try $0.execute(
                sql:
                    "CREATE TRIGGER t BEFORE INSERT ON processed_emails WHEN new.uid = 2 BEGIN SELECT raise(ABORT, 'broken'); END"
            )
        }
        #expect(throws: StoreError.self) { try store.recording.record([desk.mail(), desk.mail()]) }
        #expect(try count(store, "notification_events") == 0 && count(store, "transactions") == 0)
        try store.writeDatabase { try $0.execute(sql: "DROP TRIGGER t") }
        try store.recording.record([desk.mail(), desk.mail("X", 1, .review), desk.mail("Y", 1, .ignored)])
        #expect(try store.outbox.unposted(of: "hook", limit: 10).events.map(\.kind) == [.transaction, .review])
    }

    @Test func oldMailAndDuplicatesAreSilent() throws {
        let (desk, store, _, yaml) = try setUp(", max_age: 2h")
        try desk.delivery(yaml, store).prepare()
        let fresh = desk.mail()
        try store.recording.record((0..<300).map { desk.mail("OLD", 100, ago: 7201 + Int64($0) * 3600) } + [fresh])
        #expect(try count(store, "notification_events") == 1)
        var again = fresh
        again.location.uid = 5000
        try store.recording.record([again])
        #expect(try count(store, "notification_events") == 1)
    }

    @Test(.timeLimit(.minutes(5))) func crashBeforeTheAnswerRepeatsTheMessage() throws {
        let (desk, store, hook, yaml) = try setUp()
        let first = try desk.delivery(yaml, store)
        try first.prepare()
        try store.recording.record([desk.mail("FIRST"), desk.mail("SECOND")])
        // Posted and sent, but the process is killed before it can record the answer.
        let posted = try store.outbox.unposted(of: "hook", limit: 10)
        try store.outbox.post(
            EventGrouping(first.sinks[0]).plan(posted.events, open: nil, blockedUntil: nil, recent: 0, at: monday),
            of: "hook",
            through: try #require(posted.last), at: monday)
        for message in try store.outbox.dueMessages(at: monday, limit: 10).prefix(1) {
            let notice = try #require(Notice(try store.outbox.events(message.events), of: message, for: first.sinks[0]))
            guard case .accepted = SinkSender(first.sinks[0]).send(notice, to: nil, at: monday, wake: first.wake) else {
                throw CocoaError(.fileNoSuchFile)
            }
        }
        let second = try desk.delivery(yaml, try desk.open())
        try second.prepare()
        try second.runOnce()
        let ids = hook.deliveries.compactMap { $0.headers["webhook-id"] }
        #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
        #expect(hook.deliveries.map { $0.body.contains("FIRST") } == [true, true, false])
        try second.runOnce()
        #expect(hook.deliveries.count == 3)
    }

    @Test(.timeLimit(.minutes(5))) func eventsDuringAnOutageAreSentInOrder() throws {
        let (desk, store, hook, yaml) = try setUp()
        try desk.delivery(yaml, store).prepare()
        for name in ["A", "B", "C"] { try store.recording.record([desk.mail("SHOP \(name)")]) }
        let delivery = try desk.delivery(yaml, try desk.open())
        try delivery.prepare()
        try delivery.runOnce()
        #expect(
            hook.deliveries.map { body in ["A", "B", "C"].first { body.body.contains("SHOP \($0)") } } == [
                "A", "B", "C",
            ])
    }

    @Test(.timeLimit(.minutes(5))) func newSinkStartsWithTheNextEvent() throws {
        let (desk, store, hook, yaml) = try setUp()
        try desk.delivery(yaml, store).prepare()
        try store.recording.record([desk.mail("BEFORE")])
        let other = yaml.replacing("name: hook", with: "name: other")
        let delivery = try desk.delivery(other, store)
        try delivery.prepare()
        try store.recording.record([desk.mail("AFTER")])
        try delivery.runOnce()
        #expect(hook.deliveries.count == 1 && hook.deliveries[0].body.contains("AFTER"))
        #expect(try store.outbox.sinkStates().map(\.name) == ["other"])
    }

    /// The receiver has the message, and only the ledger does not know it.
    @Test func anAcceptedMessageThatCannotBeRecordedIsNotSentAgain() throws {
        let (desk, store, hook, yaml) = try setUp()
        let delivery = try desk.delivery(yaml, store)
        try delivery.prepare()
        try store.recording.record([desk.mail()])
        func trigger(_ sql: String) throws { try store.writeDatabase { try $0.execute(sql: sql) } }
        try trigger(
            """
            CREATE TRIGGER full BEFORE UPDATE OF state ON notification_messages
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
        for _ in 0..<3 { #expect(delivery.turn() == Delivery.pollInterval) }
        #expect(hook.deliveries.count == 1)
        try trigger("DROP TRIGGER full")
        #expect(delivery.turn() == Delivery.housekeeping)
        #expect(hook.deliveries.count == 1)
        #expect(try store.outbox.messages().map(\.state) == [.sent])
    }

    @Test(.timeLimit(.minutes(5))) func seventhMessageWithinAMinuteWaits() throws {
        let (desk, store, hook, yaml) = try setUp()
        let delivery = try desk.delivery(yaml, store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        defer { withExtendedLifetime(delivery) {} }
        for number in 0..<6 {
            try store.recording.record([desk.mail()])
            #expect(try round.run() == nil && hook.deliveries.count == number + 1)
            desk.clock.advance(8)
        }
        for _ in 0..<2 {
            try store.recording.record([desk.mail()])
            #expect(try round.run() == monday + 60 && hook.deliveries.count == 6)
        }
        desk.clock.advance(12)
        #expect(try round.run() == nil && hook.deliveries.count == 7 && hook.deliveries[6].body.contains(#""count":2"#))
        // The next one fits when it is a minute old.
        desk.clock.advance(9)
        try store.recording.record([desk.mail()])
        #expect(try round.run() == nil && hook.deliveries.count == 8)
    }

    @Test(.timeLimit(.minutes(5))) func quietHoursEndInOneMessage() throws {
        // 13:30 in India.
        let (desk, store, hook, yaml) = try setUp(
            ", quiet: { from: '13:00', to: '14:00', timezone: Asia/Kolkata, urgent: [login] }")
        let delivery = try desk.delivery(yaml, store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        defer { withExtendedLifetime(delivery) {} }
        for _ in 0..<4 {
            try store.recording.record([desk.mail()])
            #expect(try round.run() == monday + 1800)
            desk.clock.advance(60)
        }
        #expect(hook.deliveries.isEmpty)
        try store.mailboxes.setHealth(
            .init(mailbox: "personal", state: .refused, since: desk.clock.now()) {
                $0.reason = "re-consent needed: gmail no longer accepts the refresh token"
            })
        _ = try round.run()
        #expect(hook.deliveries.count == 1 && hook.deliveries[0].body.contains("login.consent_needed"))
        desk.clock.advance(1800)
        #expect(try round.run() == nil)
        #expect(hook.deliveries.count == 2 && hook.deliveries[1].body.contains(#""count":4"#))
    }

    @Test(.timeLimit(.minutes(5))) func mailboxFaultAndRecoveryAreEachReportedOnce() throws {
        let (desk, store, _, yaml) = try setUp()
        try desk.delivery(yaml, store).prepare()
        func events(_ state: MailboxHealth.State, _ reason: String? = nil, after: Int64) throws -> [String] {
            desk.clock.advance(after)
            let before = try store.outbox.unposted(of: "hook", limit: 100).events.count
            try store.mailboxes.setHealth(
                .init(mailbox: "personal", state: state, since: desk.clock.now()) { $0.reason = reason })
            return try store.outbox.unposted(of: "hook", limit: 100).events.dropFirst(before).map {
                "\($0.kind.rawValue)\($0.isOver ? " over" : "")"
            }
        }
        // A connection failure that recovers soon is not reported.
        #expect(
            try events(.waiting, "broken", after: 0) == [] && events(.connecting, after: 60) == []
                && events(.watching, after: 5) == [])
        #expect(
            try events(.waiting, "broken", after: 60) == [] && events(.connecting, after: 300) == []
                && events(.waiting, "broken", after: 500) == [])
        #expect(
            try events(.waiting, "broken", after: 200) == ["mailbox"] && events(.waiting, "broken", after: 900) == [])
        #expect(
            try events(.refused, "re-consent needed: x", after: 1) == ["login"]
                && events(.refused, "re-consent needed: x", after: 1) == [])
        #expect(try events(.watching, after: 1) == ["login over"] && events(.watching, after: 1) == [])
        #expect(try events(.refused, "the password is wrong", after: 1) == ["mailbox"])
    }

    @Test(.timeLimit(.minutes(5))) func undeliverableMessageExpiresAndTheTableStaysSmall() throws {
        let (desk, store, hook, yaml) = try setUp()
        hook.answer(503)
        let delivery = try desk.delivery(yaml, store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        defer { withExtendedLifetime(delivery) {} }
        for _ in 0..<40 {
            try store.recording.record([desk.mail()])
            _ = try round.run()
            desk.clock.advance(7200)
        }
        let outbox = try store.outbox.messages()
        #expect(
            outbox.count == 3 && outbox.last?.state == .parked
                && outbox.last?.reason?.hasPrefix("given up after 3 days; the last try said: the webhook answers 503")
                    == true
        )
        #expect(outbox.reduce(0) { $0 + $1.eventCount } == 40)
        desk.clock.advance(30 * 86_400)
        _ = try round.run()
        desk.clock.advance(30 * 86_400)
        _ = try round.run()
        #expect(try store.outbox.messages().isEmpty && count(store, "notification_events") == 1)
        // Ids continue.
        hook.answer(200)
        desk.clock.advance(86_400)
        try store.recording.record([desk.mail("AT LAST")])
        _ = try round.run()
        #expect(hook.deliveries.last?.body.contains("AT LAST") == true)
    }

    @Test(.timeLimit(.minutes(5))) func unwritableLedgerIsReportedDirectly() throws {
        let (desk, store, hook, yaml) = try setUp()
        let delivery = try desk.delivery(yaml, store)
        try delivery.prepare()
        let round = DeliveryRound(delivery)
        defer { withExtendedLifetime(delivery) {} }
        round.reportDatabaseFault()
        #expect(hook.deliveries.isEmpty)
        // To SQLite a page limit is a full disk.
        try store.withoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        #expect(throws: StoreError.self) {
            for _ in 0..<200 { try store.recording.record([desk.mail(String(repeating: "X", count: 3000))]) }
        }
        round.reportDatabaseFault()
        round.reportDatabaseFault()
        #expect(
            hook.deliveries.count == 1 && hook.deliveries[0].body.contains("database.trouble")
                && hook.deliveries[0].body.contains("no space is left"))
        try store.withoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        desk.clock.advance(61)
        round.reportDatabaseFault()
        #expect(hook.deliveries.count == 2 && hook.deliveries[1].body.contains("database.recovered"))
    }

    @Test(.timeLimit(.minutes(5))) func theThreadSendsAtOnceAndStopsAtOnce() throws {
        let (desk, store, hook, yaml) = try setUp()
        let delivery = try desk.delivery(yaml, store)
        try delivery.prepare()
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            delivery.run()
            ended.signal()
        }
        try store.recording.record([desk.mail()])
        #expect(hook.await(1) && hook.deliveries.count == 1)
        // Also while a receiver delays it.
        hook.answer(nil)
        try store.recording.record([desk.mail()])
        #expect(hook.await(2))
        delivery.wake.stop()
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(try store.outbox.messages().first?.state == .waiting)
    }
}
