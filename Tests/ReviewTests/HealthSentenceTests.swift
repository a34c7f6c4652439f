import Chronology
import ChronologyFixture
import Review
import Store
import Testing

@Suite struct HealthSentenceTests {
    /// Every fault names what it is about, and a fault that a person can mend the way to mend it.
    @Test func faultsAreWordedWithTheirRemedies() throws {
        let fixture = try ReviewFixture()
        let now = UnixTime.now
        for health in [
            MailboxHealth(mailbox: "a", state: .stopped, since: now),
            MailboxHealth(mailbox: "b", state: .refused, since: now) { $0.reason = "re-consent needed" },
        ] {
            try fixture.store.mailboxes.setHealth(health)
        }
        let snapshot = try fixture.store.monitoring.snapshot()
        #expect(
            HealthReport(snapshot, configured: ["a", "b", "c"]).reasons == [
                "mailbox a: is not read at present; start 'spendwised ingest'", "mailbox b: re-consent needed",
                "mailbox c: has not been read yet; start 'spendwised ingest'",
            ])
    }
}
