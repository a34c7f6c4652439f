import Testing

@testable import Store

@Suite struct HealthReportTests {
    /// As ``TestClock`` has it.
    static let now: Int64 = 1_767_600_000

    static func report(_ healths: [Store.MailboxHealth], configured: [String] = ["a"]) throws -> HealthReport {
        let fixture = try Fixture()
        for health in healths { try fixture.store.setHealth(health) }
        return HealthReport(try fixture.store.figures(), configured: configured)
    }

    static func health(_ state: Store.MailboxHealth.State, _ reason: String? = nil, since: Int64 = 10, due: Int64? = 100) -> Store.MailboxHealth {
        Store.MailboxHealth(mailbox: "a", state: state, reason: reason, since: now - since, due: due.map { now + $0 })
    }

    @Test(arguments: [
        (health(.watching), HealthReport.Level.ok, ""), (health(.reading), .ok, ""), (health(.connecting), .ok, ""),
        (health(.watching, "folder gone"), .degraded, "mailbox a: folder gone"), (health(.stopped, due: nil), .degraded, "start 'spendwised ingest'"),
        (health(.waiting, "no line"), .degraded, "mailbox a: no line"), (health(.waiting, "no line", since: 3600), .failing, "mailbox a: no line"),
        (health(.refused, "re-consent needed"), .failing, "mailbox a: re-consent needed"), (health(.watching, due: -1), .failing, "nothing was heard"),
    ]) func levels(health: Store.MailboxHealth, level: HealthReport.Level, says: String) throws {
        let report = try Self.report([health])
        #expect(report.level == level && report.reasons.count == (level == .ok ? 0 : 1))
        #expect(says.isEmpty || report.reasons[0].contains(says), "\(report.reasons)")
    }

    @Test func whatTheConfigurationNoLongerNamesIsOfNoInterest() throws {
        #expect(try Self.report([Self.health(.refused, "x")], configured: []).level == .ok)
        #expect(try Self.report([], configured: ["new"]).reasons == ["mailbox new: has not been read yet; start 'spendwised ingest'"])
    }
}
