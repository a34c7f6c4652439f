import Chronology
import ChronologyFixture
import Ledger
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

    @Test func outdatedBackupIsWordedWithItsRemedy() throws {
        let fixture = try ReviewFixture()
        fixture.store.expectBackups(within: 3)
        #expect(fixture.store.backupState.outdatedSentence.hasPrefix("the ledger was never backed up: run 'parserctl"))
        try BackupRecord(madeAt: 1_767_600_000, file: "x").write(of: fixture.path)
        #expect(
            fixture.store.backupState.outdatedSentence.hasPrefix(
                "the newest backup was made at 2026-01-05T08:00:00Z, more than 3 days ago: run 'parserctl"))
    }

    /// A sentence of a notification names what is due, and why it is reported.
    @Test(arguments: [(3, "is due on"), (-10, "was expected on")]) func duesAreWordedByTheirState(
        days: Int, words: String
    ) throws {
        let fixture = try ReviewFixture()
        let day = CalendarDate(daysSince1970: UnixTime.now.day().daysSince1970 + days)
        var decision = Decision(
            .ignored, by: Decision.Source(profile: "hdfc", template: "hdfc/notice", isAuthentic: true))
        var notice = BankNotice(.mandate)
        (notice.amount, notice.merchant, notice.date) = (Money(minorUnits: 64_900, currency: .inr), "Netflix", day)
        decision.notice = notice
        try fixture.record(1, decision)
        let sentences = try fixture.store.dues.list().map(\.sentence)
        #expect(sentences.count == 1 && sentences.first?.hasPrefix("Netflix: INR 649.00 \(words) \(day)") == true)
    }

    @Test func signsOfDriftNameTheirSubject() {
        let fell = Drift.Alarm.Measure.proportion(recent: Proportion(1, of: 4), before: Proportion(9, of: 10))
        let alarms: [(Drift.Alarm, String)] = [
            (
                .init(kind: .matchRate, bank: "hdfc", subject: "", measure: fell),
                "templates of hdfc claim 25 % of its mails about money, 90 % before"
            ),
            (
                .init(kind: .fieldMissing, bank: "hdfc", subject: "hdfc/upi merchant", measure: fell),
                "hdfc/upi finds the merchant in 25 % of its mails, 90 % before"
            ),
            (
                .init(
                    kind: .newShape, bank: "hdfc", subject: "a1",
                    measure: .mails(1, since: CalendarDate(daysSince1970: 0))),
                "1 mail of hdfc about money of a form that no template claims, since 1970-01-01"
            ),
        ]
        for (alarm, sentence) in alarms { #expect(alarm.sentence == sentence) }
    }
}
