import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// Schedule of retries of failed mail.
@Suite struct RetryTests {
    static let broken = Decision(.failed(.notFetched("the server has no text for it")))

    @Test func pausesGrowAndEnd() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, Self.broken)])
        for pause in RetrySchedule.pauses {
            f.clock.advance(pause - 1)
            #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1).isEmpty)
            f.clock.advance(1)
            #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1) == [1])
            #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 2).isEmpty)
            _ = try f.store.recording.record([mail(1, Self.broken)])
        }
        f.clock.advance(365 * 86_400)
        #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1).isEmpty)
        #expect(try f.value("SELECT attempts FROM processed_emails") == RetrySchedule.pauses.count + 1)
    }

    /// The clock was a year ahead when the mail failed, and was corrected.
    @Test func clockThatWasAheadPostponesNothing() throws {
        let f = try Fixture()
        try f.store.mailboxes.setCursor(FolderCursor(uidValidity: 1, nextUID: 9), of: f.inbox)
        f.clock.advance(365 * 86_400)
        _ = try f.store.recording.record([mail(1, Self.broken)])
        try f.store.mailboxes.addDownload(5000, by: "personal")
        f.clock.advance(-365 * 86_400)
        #expect(
            try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1) == [1]
                && f.store.mailboxes.pendingWork().retries == [f.inbox])
        #expect(try f.store.mailboxes.downloads(by: "personal").isEmpty)
        try f.store.mailboxes.addDownload(1, by: "personal")
        #expect(try f.value("SELECT sum(bytes) FROM downloads") == 1)
    }

    @Test func limitIsRetriedOnRequestOnly() throws {
        let f = try Fixture()
        let recorded = try f.store.recording.record([
            mail(1, Decision(.failed(.messageLimit(.messageBytes)))),
            mail(2, Decision(.failed(.messageLimit(.mimeDepth)))), mail(3, decision()),
            mail(4, Decision(.failed(.patternLimit(.match)))), mail(5, Decision(.failed(.patternLimit(.heap)))),
        ])
        f.clock.advance(1_000_000)
        #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1).isEmpty)
        #expect(try f.store.mailboxes.retryNow([recorded[1].mailID, recorded[2].mailID]) == 1)
        #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1) == [2])
        #expect(try f.store.mailboxes.retryNow(nil) == 4)
        #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1) == [1, 2, 4, 5])
    }

    @Test func failedAttemptKeepsKnownValues() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, Self.broken)])
        var nothing = mail(
            1, Decision(.failed(.notFetched("the server said NO"))), id: .some(nil), sent: nil, digest: .some(nil))
        (nothing.fromAddress, nothing.subject) = (nil, nil)
        _ = try f.store.recording.record([nothing])
        let row = try #require(try f.store.mails.failed().first)
        #expect(row.mail.messageID != nil && row.mail.fromAddress == "alerts@bank.example" && row.mail.attempts == 2)
        #expect(row.mail.reason == "the server said NO" && row.nextAttemptAt != nil)
    }

    @Test func missingMailIsGivenUpAndRecordedMailIsNotDue() throws {
        let f = try Fixture()
        try f.store.mailboxes.setCursor(FolderCursor(uidValidity: 1, nextUID: 9), of: f.inbox)
        _ = try f.store.recording.record([
            mail(1, Self.broken), mail(2, Self.broken), mail(3, Self.broken, validity: 7),
        ])
        #expect(try f.store.mailboxes.pendingWork().secondsToNextRetry == 60)
        f.clock.advance(60)
        let work = try f.store.mailboxes.pendingWork()
        #expect(work.retries == [f.inbox] && work.secondsToNextRetry == nil)
        try f.store.mailboxes.giveUp([1], of: f.inbox, uidValidity: 1, reason: "gone")
        #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1) == [2])
        _ = try f.store.recording.record([mail(2, decision())])
        #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1).isEmpty)
        // Mail that failed under another UIDVALIDITY is found again as new mail.
        #expect(try f.store.mailboxes.pendingWork().retries.isEmpty)
        #expect(try f.count("processed_emails", where: "next_attempt_at IS NULL") == 2)
    }
}
