import Chronology
import ChronologyFixture
import Ledger
import Settings
import Testing

@testable import Notify
@testable import Store

@Suite struct EventGroupingTests {
    private func grouping(_ more: String = "") throws -> EventGrouping {
        let desk = try Desk()
        return EventGrouping(
            try #require(
                try desk.sinks(
                    "  - { name: hook, kind: webhook, url: 'https://example.com/', secret_file: s\(more) }\n"
                ).first))
    }

    private func events(_ count: Int, _ kind: NotificationKind = .transaction, age: Int64 = 0) -> [Notification] {
        (1...max(count, 1)).prefix(count).map { id in
            Notification(kind: kind, at: monday) {
                $0.id = Int64(id)
                $0.receivedAt = monday - age
                $0.subject = "hdfc"
            }
        }
    }

    private let open = OutboxMessage(
        seq: 7, id: "x", sink: "hook", target: "", state: .waiting, isUrgent: false, events: [9], eventCount: 1,
        createdAt: monday, dueAt: monday + 40, attempts: 0)

    @Test func fewEventsAreSingleMessagesAndManyAreOne() throws {
        let grouping = try grouping()
        #expect(
            grouping.plan(events(3), open: nil, blockedUntil: nil, recent: 0, at: monday)
                == (1...3).map { .message(events: [$0], due: monday, isUrgent: false) })
        #expect(
            grouping.plan(events(4), open: nil, blockedUntil: nil, recent: 0, at: monday) == [
                .message(events: [1, 2, 3, 4], due: monday, isUrgent: false)
            ])
        #expect(grouping.plan([], open: nil, blockedUntil: nil, recent: 0, at: monday) == [])
    }

    @Test func tooManyAMinuteWaitForItsEnd() throws {
        let grouping = try grouping()
        #expect(
            grouping.plan(events(2), open: nil, blockedUntil: nil, recent: 5, at: monday) == [
                .message(events: [1, 2], due: monday + 60, isUrgent: false)
            ])
        #expect(
            grouping.plan(events(1), open: nil, blockedUntil: nil, recent: 6, oldest: monday - 34, at: monday) == [
                .message(events: [1], due: monday + 26, isUrgent: false)
            ])
        #expect(
            grouping.plan(events(1), open: open, blockedUntil: nil, recent: 6, oldest: monday - 34, at: monday) == [
                .added(to: 7, events: [1], due: monday + 40)
            ])
    }

    @Test func failingSinkCollectsEvents() throws {
        let grouping = try grouping()
        #expect(
            grouping.plan(events(2), open: nil, blockedUntil: monday + 900, recent: 0, at: monday) == [
                .message(events: [1, 2], due: monday + 900, isUrgent: false)
            ])
        #expect(
            grouping.plan(events(2), open: open, blockedUntil: monday + 900, recent: 0, at: monday) == [
                .added(to: 7, events: [1, 2], due: monday + 900)
            ])
        // The time of the next attempt has come, but its result is unknown.
        #expect(
            grouping.plan(events(1), open: open, blockedUntil: monday, recent: 0, at: monday) == [
                .added(to: 7, events: [1], due: monday + 40)
            ])
        #expect(
            grouping.plan(events(1), open: nil, blockedUntil: nil, recent: 0, at: monday) == [
                .message(events: [1], due: monday, isUrgent: false)
            ])
    }

    @Test func urgentMessagesPassInQuietHours() throws {
        let grouping = try grouping(
            ", quiet: { from: '13:00', to: '14:00', timezone: Asia/Kolkata, urgent: [mailbox] }")
        var both = events(2)
        both.append(
            Notification(kind: .mailbox, at: monday) {
                $0.id = 3
                $0.subject = "personal"
            })
        // 13:30 in India.
        #expect(
            grouping.plan(both, open: nil, blockedUntil: nil, recent: 0, at: monday) == [
                .message(events: [3], due: monday, isUrgent: true),
                .message(events: [1, 2], due: monday + 1800, isUrgent: false),
            ])
        #expect(
            grouping.plan(events(1), open: open, blockedUntil: nil, recent: 0, at: monday) == [
                .added(to: 7, events: [1], due: monday + 1800)
            ])
    }

    @Test func unwantedEventsSendNoNotification() throws {
        #expect(
            try grouping(", events: [review]").plan(events(1), open: nil, blockedUntil: nil, recent: 0, at: monday)
                == [])
        #expect(
            try grouping(", max_age: 1h").plan(
                events(1, age: 3601), open: nil, blockedUntil: nil, recent: 0, at: monday)
                == [])
        #expect(
            try grouping(", max_age: 1h").plan(
                events(1, age: 3600), open: nil, blockedUntil: nil, recent: 0, at: monday
            )
            .count == 1)
        // As in a first pass over years of mail: the default is a day.
        #expect(
            try grouping().plan(events(500, age: 90_000), open: nil, blockedUntil: nil, recent: 0, at: monday) == [])
    }

    @Test(
        arguments: [
            ("500", "INR", 50_000, true), ("500", "INR", 49_999, false), ("0.5", "INR", 50, true),
            ("500", "JPY", 500, true), ("500", "JPY", 499, false), ("500", "KWD", 500_000, true),
            ("{ USD: 10 }", "INR", 1, true), ("{ USD: 10 }", "USD", 999, false), ("{ USD: 10 }", "USD", 1000, true),
        ] as [(String, String, Int64, Bool)])
    func theMinimumIsOfEachCurrency(minimum: String, code: String, minor: Int64, isTold: Bool) throws {
        let sink = try grouping(", minimum_amount: \(minimum)").sink
        let currency = try #require(Currency(code: code))
        #expect(sink.minimum.admits(Money(minorUnits: minor, currency: currency)) == isTold)
    }
}
