import Chronology
import ChronologyFixture
import ExpositionFixture
import Foundation
import Store
import Testing

@testable import Monitoring
@testable import Web

@Suite struct MetricsTests {
    static func store(_ healths: [MailboxHealth]) throws -> Store {
        let store = try Store(path: NSTemporaryDirectory() + "metrics-" + UUID().uuidString + ".db")
        for health in healths { try store.mailboxes.setHealth(health) }
        return store
    }

    @Test func emptyLedgerHasFigures() throws {
        let page = try ExpositionParser(
            MetricsPage(Self.store([]).monitoring.snapshot(), version: "1", process: .now(startTime: 1_800_000_000))
                .text)
        func value(_ name: String) -> Double? { page.samples.first { $0.name == name }?.value }
        #expect(value("spendwise_build_info") == 1 && value("process_start_time_seconds") == 1_800_000_000)
        #expect(value("spendwise_review_queue_length") == 0)
        #expect(
            (value("spendwise_database_size_bytes") ?? 0) > 0
                && (value("process_resident_memory_bytes") ?? 0) > 1_048_576)
        #expect(Set(page.samples.map(\.name)) == Set(page.types.keys) && page.types.count == page.helps.count)
    }

    @Test(arguments: ["plain", "a\"b\\c\nd", "\\n", "{}=,\"", "☕ é", " "]) func aMailboxMayHaveAnyName(
        name: String
    ) throws {
        let now = UnixTime.now
        let health = MailboxHealth(mailbox: name, state: .refused, since: now - 5) {
            $0.reason = "x"
            $0.lastProbe = now - 60
            $0.attempts = 3
            $0.due = now - 1
        }
        let page = try ExpositionParser(
            MetricsPage(Self.store([health]).monitoring.snapshot(), version: "1", process: .now(startTime: 0)).text)
        func value(_ metric: String, _ more: [String: String] = [:]) -> Double? {
            page.samples.first { $0.name == metric && $0.labels == more.merging(["mailbox": name]) { $1 } }?.value
        }
        #expect(
            value("spendwise_mailbox_state", ["state": "refused"]) == 1
                && value("spendwise_mailbox_state", ["state": "watching"]) == 0)
        #expect(value("spendwise_mailbox_last_probe_timestamp_seconds") == Double((now - 60).seconds))
        #expect(value("spendwise_mailbox_failed_attempts") == 3 && value("spendwise_mailbox_overdue") == 1)
        #expect(value("spendwise_mailbox_last_mail_timestamp_seconds") == nil)
    }

    @Test func refusingSinkIsListedByName() async throws {
        let site = try PageSite()
        let now = UnixTime.now
        try site.store.outbox.setSinks(["pho\"ne", "<b>hook"], releasing: false, at: now)
        for sink in ["pho\"ne", "<b>hook"] {
            try site.store.outbox.post(
                [.message(events: [1], due: now, isUrgent: false), .message(events: [2], due: now, isUrgent: false)],
                of: sink, through: 2, at: now)
        }
        let message = try #require(try site.store.outbox.messages().last)
        try site.store.outbox.park(message, "Apple answers 403: check topic", at: now)
        let page = try ExpositionParser(
            MetricsPage(site.store.monitoring.snapshot(), version: "1", process: .now(startTime: 0)).text)
        func value(_ metric: String, _ sink: String) -> Double? {
            page.samples.first { $0.name == "spendwise_notification_" + metric && $0.labels == ["sink": sink] }?.value
        }
        #expect(
            value("messages_waiting", "pho\"ne") == 1 && value("messages_refused", "pho\"ne") == 1
                && value("messages_refused", "<b>hook") == 0 && value("messages_waiting", "<b>hook") == 2)
        #expect(
            value("failed_attempts", "<b>hook") == 0 && value("last_sent_timestamp_seconds", "<b>hook") == nil
                && value("oldest_waiting_timestamp_seconds", "<b>hook") == Double(now.seconds))
        let words = try await site.ask { try await $0.page("/app/mailboxes") }.words
        #expect(
            words.contains("1 refused") && words.contains("Apple answers 403: check topic")
                && words.contains("2 messages waiting") && !words.contains("<b>hook"))
    }

    static let values: [(Double, String)] = [
        (0, "0"), (1.5, "1.5"), (-3, "-3"), (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        (1_099_511_627_776, "1099511627776"),
    ]

    @Test(arguments: values) func numbers(value: Double, text: String) { #expect(Exposition.number(value) == text) }

    @Test(arguments: [
        ("localhost", true), ("localhost:8001", true), ("127.0.0.1:8001", true), ("127.9.9.9", true),
        ("[::1]:8001", true), ("", false),
        ("evil.example", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example", false),
        ("192.168.1.1", false), ("127.1", false), ("[::2]", false),
    ]) func onlyTheLoopbacksNamesAreServed(host: String, isServed: Bool) {
        #expect(isLoopback(authority: host) == isServed)
    }
}
