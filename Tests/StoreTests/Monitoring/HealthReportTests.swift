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

    @Test(arguments: [
        (health(.watching), HealthReport.Level.ok, ""), (health(.reading), .ok, ""), (health(.connecting), .ok, ""),
        (health(.watching, "folder gone"), .degraded, "mailbox a: folder gone"),
        (health(.stopped, due: nil), .degraded, "start 'spendwised ingest'"),
        (health(.waiting, "no line"), .degraded, "mailbox a: no line"),
        (health(.waiting, "no line", since: 3600), .failing, "mailbox a: no line"),
        (health(.refused, "re-consent needed"), .failing, "mailbox a: re-consent needed"),
        (health(.watching, due: -1), .failing, "nothing was heard"),
    ]) func levels(health: MailboxHealth, level: HealthReport.Level, says: String) throws {
        let report = try Self.report([health])
        #expect(report.level == level && report.reasons.count == (level == .ok ? 0 : 1))
        #expect(says.isEmpty || report.reasons[0].contains(says), "\(report.reasons)")
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
        #expect(
            try Self.report([], configured: ["new"]).reasons == [
                "mailbox new: has not been read yet; start 'spendwised ingest'"
            ])
    }
}
