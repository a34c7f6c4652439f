import Chronology
import ChronologyFixture
import Testing

@testable import Store

@Suite struct HealthReportTests {
    /// As ``TestClock`` has it.
    static let now: UnixTime = 1_767_600_000

    static func report(_ healths: [MailboxHealth], configured: [String] = ["a"]) throws -> HealthReport {
        let fixture = try Fixture()
        for health in healths { try fixture.store.mailboxes.setHealth(health) }
        return HealthReport(try fixture.store.monitoring.snapshot(), configured: configured)
    }

    static func health(
        _ state: MailboxHealth.State, _ reason: String? = nil, since: Int64 = 10, due: Int64? = 100
    ) -> MailboxHealth {
        MailboxHealth(mailbox: "a", state: state, since: now - since) {
            $0.reason = reason
            $0.due = due.map { now + $0 }
        }
    }

    @Test(
        arguments: [
            (health(.watching), HealthReport.Level.ok, nil), (health(.reading), .ok, nil),
            (health(.connecting), .ok, nil),
            (health(.watching, "folder gone"), .degraded, "folder gone"),
            (health(.stopped, due: nil), .degraded, "stopped"),
            (health(.waiting, "no line"), .degraded, "no line"),
            (health(.waiting, "no line", since: 3600), .failing, "no line"),
            (health(.refused, "re-consent needed"), .failing, "re-consent needed"),
            (health(.watching, due: -1), .failing, "silent"),
        ] as [(MailboxHealth, HealthReport.Level, String?)])
    func levels(health: MailboxHealth, level: HealthReport.Level, fault: String?) throws {
        let report = try Self.report([health])
        let found = report.faults.map { found in
            switch found {
            case .mailbox(let box): box.reason ?? box.state.rawValue
            case .silent: "silent"
            default: "\(found)"
            }
        }
        #expect(report.level == level && found == (fault.map { [$0] } ?? []))
    }

    /// Values written with a clock that was ahead are corrected.
    @Test func clockThatWasAheadIsCorrected() throws {
        let fixture = try Fixture()
        let ahead = fixture.clock.now() + 30 * 86_400
        var health = MailboxHealth(mailbox: "a", state: .watching, since: ahead) {
            $0.lastProbe = ahead
            $0.lastMail = ahead
            $0.due = ahead + 300
        }
        fixture.clock.advance(30 * 86_400)
        try fixture.store.mailboxes.setHealth(health)
        fixture.clock.advance(-30 * 86_400)
        let now = fixture.clock.now()
        // The process that wrote it has ended: only the time in the future shows it, because no process sets one so far
        // ahead.
        #expect(try fixture.store.mailboxes.health()[0].isOverdue(at: now))
        health = MailboxHealth(mailbox: "a", state: .connecting, since: now) {
            $0.due = now + 150
        }
        try fixture.store.mailboxes.setHealth(health)
        #expect(try fixture.store.mailboxes.health() == [health], "neither lies in the future any more")
        (health.lastProbe, health.lastMail) = (now, now - 60)
        try fixture.store.mailboxes.setHealth(health)
        (health.lastProbe, health.lastMail) = (nil, nil)
        fixture.clock.advance(600)
        try fixture.store.mailboxes.setHealth(health)
        #expect(
            try fixture.store.mailboxes.health().map { [$0.lastProbe, $0.lastMail] } == [[now, now - 60]],
            "of before the start")
    }

    @Test func formerMailboxesAreIgnored() throws {
        #expect(try Self.report([Self.health(.refused, "x")], configured: []).level == .ok)
        let faults = try Self.report([], configured: ["new"]).faults
        guard case .notReadYet(mailbox: "new") = try #require(faults.first) else {
            Issue.record("\(faults)")
            return
        }
    }
}
