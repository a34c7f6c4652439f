import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// Signs of a change that a person hides.
@Suite struct NotedAlarmTests {
    private static let card = Drift.Alarm(kind: .templateSilent, bank: "hdfc", subject: "hdfc/card")

    /// A ledger in which one template of a bank is silent.
    private func silent() throws -> (history: DriftTests.History, f: Fixture) {
        var history = DriftTests.History()
        history.add("hdfc/upi", 200, 0)
        history.add("hdfc/card", 200, 10)
        #expect(try history.alarms() == ["template_silent hdfc hdfc/card"])
        return (history, try #require(history.f))
    }

    /// Time passes in which the other template's mail comes, and the mail reader checks.
    private func pass(_ days: Int, _ history: inout DriftTests.History, alsoCard: Bool = false) throws {
        let f = try #require(history.f)
        f.clock.advance(Int64(days) * 86_400)
        history.add("hdfc/upi", ago: 0)
        if alsoCard { history.add("hdfc/card", ago: 0) }
        _ = try f.store.recording.record(history.entries)
        try check(f.store)
    }

    private func check(_ store: Store) throws {
        _ = try store.monitoring.recordAlarms(store.monitoring.drift(), details: \.bank)
    }

    private func displays(_ store: Store) throws -> [NotedAlarm.Display] {
        try store.monitoring.noted(store.monitoring.drift()).filter { $0.alarm.subject == "hdfc/card" }.map(\.display)
    }

    @Test func aSnoozedSignIsShownAfterItsTime() throws {
        let (before, f) = try silent()
        var history = before
        let web = try WriteRulesTests.web(f)
        #expect(throws: StoreError.self, "it is not recorded") { try web.monitoring.hide(Self.card, .days(7)) }
        #expect(try f.store.monitoring.noted(f.store.monitoring.drift()).map(\.isRecorded) == [false])
        try check(f.store)
        #expect(try displays(f.store) == [.shown])
        try web.monitoring.hide(Self.card, .days(7))
        #expect(try displays(f.store) == [.hiddenUntil(f.clock.now() + Int64(7 * 86_400))])
        try pass(6, &history)
        #expect(try displays(f.store).map { $0 == .shown } == [false])
        try pass(2, &history)
        #expect(try displays(f.store) == [.shown])
        try web.monitoring.hide(Self.card, .days(30))
        try web.monitoring.hide(Self.card, .ended)
        #expect(try displays(f.store) == [.shown])
    }

    @Test func anAcknowledgedSignComesBackOnlyIfItAroseAgain() throws {
        let (before, f) = try silent()
        var history = before
        let web = try WriteRulesTests.web(f)
        try check(f.store)
        try web.monitoring.hide(Self.card, .untilItEnds)
        try pass(40, &history)
        #expect(try displays(f.store) == [.hidden])
        // It ends, and arises again.
        try pass(1, &history, alsoCard: true)
        #expect(try displays(f.store) == [])
        #expect(throws: StoreError.self) { try web.monitoring.hide(Self.card, .untilItEnds) }
        for _ in 0..<3 { try pass(25, &history) }
        #expect(try displays(f.store) == [.shown])
    }
}
