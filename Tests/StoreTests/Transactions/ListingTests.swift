import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct ListingTests {
    func ledger() throws -> Fixture {
        let f = try Fixture()
        let results = try f.store.recording.record([
            mail(1, decision(.recorded, draft(1, on: "2026-01-03"))),
            mail(2, decision(.review, draft(2, on: "2026-01-01"))),
            mail(3, decision(.recorded, draft(3, on: "2026-01-02"))),
            mail(4, decision(.recorded, draft(4, on: "2026-01-02"))),
            mail(5, decision(.recorded, draft(5, on: "2026-01-04"))),
        ])
        try f.store.transactions.delete(results[4].transactionID ?? 0)
        return f
    }

    @Test(
        arguments: [
            (TransactionFilter(), [2, 3, 4, 1]), (TransactionFilter(newestFirst: true), [1, 4, 3, 2]),
            (TransactionFilter(since: date("2026-01-02")), [3, 4, 1]),
            (TransactionFilter(until: date("2026-01-02")), [2, 3, 4]),
            (TransactionFilter(since: date("2026-01-02"), until: date("2026-01-02")), [3, 4]),
            (TransactionFilter(statuses: [.needsReview]), [2]),
            (TransactionFilter(statuses: [.confirmed, .rejected]), [3, 4, 1]),
            (TransactionFilter(statuses: []), []),
        ] as [(TransactionFilter, [Int64])])
    func transactions(_ filter: TransactionFilter, _ expected: [Int64]) throws {
        let f = try ledger()
        var amounts: [Int64] = []
        try f.store.transactions.each(filter) {
            amounts.append($0.amount.minorUnits)
            return true
        }
        #expect(amounts == expected)
    }

    @Test(
        arguments: [
            ("HDFC 4410", "4410", "HDFC 4410"), ("Salary account", "4410", "Salary account 4410"),
            ("Cash", nil, "Cash"), (nil, "4410", "4410"), (nil, nil, ""),
        ] as [(String?, String?, String)])
    func theFilesAccountHasItsDigitsOnce(name: String?, digits: String?, expected: String) throws {
        let f = try Fixture()
        var new = NewTransaction(
            amount: Money(minorUnits: 12345, currency: .inr), type: .expense, date: date("2026-01-03"))
        (new.accountName, new.accountDigits, new.merchant) = (name, digits, "=SUM(A1)")
        let row = try f.store.transactions.add(new, by: Actor(.page, "test"))
        #expect((row.account ?? "") == expected)
    }

    @Test func stopsOnRequest() throws {
        let f = try ledger()
        var count = 0
        try f.store.transactions.each {
            _ = $0
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }

    @Test func ignoredMailHasAReason() throws {
        let f = try Fixture()
        var otp = decision(.ignored, nil)
        otp.source?.template = "hdfc/otp"
        otp.reasons = [Reason(name: "template", weight: 1, note: "an OTP")]
        var forged = decision(.quarantined, nil)
        forged.reasons = []
        forged.source?.authentication = "fail (dmarc)"
        let first = try f.store.recording.record([
            mail(1, otp), mail(2, forged), mail(3, Decision(.failed(.notFetched("larger than 25 MB")))),
        ])
        _ = try f.store.recording.record([
            mail(4, decision(), id: "<x>", digest: [1]), mail(5, decision(), id: "<x>", digest: [1]),
        ])
        #expect(try f.store.mails.latest([.ignored]).map(\.reason) == ["an OTP"])
        #expect(try f.store.mails.latest([.quarantined]).map(\.reason) == ["authentication: fail (dmarc)"])
        #expect(try f.store.mails.latest([.failed]).map(\.reason) == ["larger than 25 MB"])
        #expect(try f.store.mails.latest([.duplicate]).map(\.reason) == ["the same mail was recorded before"])
        #expect(try f.store.mails.latest([.recorded]).map(\.reason) == [nil])
        #expect(try f.store.mails.latest([.ignored, .quarantined, .failed]).map(\.uid) == [3, 2, 1])
        #expect(try f.store.mails.latest([.ignored, .quarantined, .failed], limit: 1).map(\.uid) == [3])
        #expect(try f.store.mails.find(first[0].mailID)?.template == "hdfc/otp")
        #expect(try f.store.mails.find("none") == nil)
    }

    @Test func summary() throws {
        let f = try Fixture()
        _ = try f.store.recording.record(
            [
                mail(1, decision(.recorded, draft(1))), mail(9, decision(.ignored, nil)),
                mail(3, decision(.review, draft(2))),
                mail(4, Decision(.unclaimed)),
            ],
            advancing: (f.inbox, FolderCursor(uidValidity: 1, nextUID: 10, searchedDomains: ["bank.example"])))
        f.clock.advance(60)
        _ = try f.store.recording.record([mail(2, decision(.ignored, nil))])
        _ = try f.store.recording.record([mail(77, decision(.ignored, nil), folder: "Other")])
        try f.store.mailboxes.setHealth(MailboxHealth(mailbox: "personal", state: .watching, since: 1_767_600_000))
        let summary = try f.store.monitoring.status()
        #expect(summary.folders.map(\.key.folder) == ["INBOX", "Other"])
        #expect(
            summary.folders[0].cursor == FolderCursor(uidValidity: 1, nextUID: 10, searchedDomains: ["bank.example"]))
        #expect(summary.folders[0].counts == [.recorded: 1, .ignored: 2, .review: 1, .unclaimed: 1])
        #expect(summary.folders[0].lastReceivedAt == "2026-01-05T07:45:09Z", "the newest, not the last recorded")
        #expect(summary.folders[0].lastProcessedAt == "2026-01-05T08:01:00Z")
        #expect(summary.folders[1].cursor == nil)
        #expect(summary.templates.filter { $0.outcome == .ignored }.map(\.count) == [2, 1])
        #expect(summary.templates.first { $0.outcome == .unclaimed }?.template == nil)
        #expect(summary.transactions == [.confirmed: 1, .needsReview: 1])
        #expect(summary.waiting == 1)
        #expect(summary.mailboxes.map(\.state) == [.watching])
    }

    @Test func mailboxHealth() throws {
        let f = try Fixture()
        let second: UnixTime = 1_767_600_000
        var health = MailboxHealth(mailbox: "personal", state: .refused, since: second) {
            $0.reason = "the server refuses the password"
            $0.lastProbe = second - 5
            $0.lastMail = second - 60
            $0.attempts = 3
            $0.nextAttempt = second + 900
            $0.due = second + 960
        }
        try f.store.mailboxes.setHealth(health)
        #expect(try f.store.mailboxes.health() == [health])
        // Known values stay if the next row has none. They may go back: a clock that was ahead wrote the old ones.
        (health.lastProbe, health.lastMail, health.state, health.reason, health.attempts) = (
            nil, second - 70, .watching, nil, 0
        )
        (health.nextAttempt, health.since) = (nil, second + 7)
        try f.store.mailboxes.setHealth(health)
        health.lastProbe = second - 5
        #expect(try f.store.mailboxes.health() == [health])
        try f.store.mailboxes.setHealth(MailboxHealth(mailbox: "family", state: .stopped, since: second))
        #expect(try f.store.mailboxes.health().map(\.mailbox) == ["family", "personal"])
        #expect(!health.isOverdue(at: second + 960) && health.isOverdue(at: second + 961))
        health.state = .stopped
        #expect(!health.isOverdue(at: second + 961))
    }

    /// Only authentic mails of banks, the newest arrival, in the same transaction as the mails.
    @Test func lastBankMail() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision(.recorded, draft(1)))])
        #expect(try f.store.mailboxes.health().isEmpty, "an unwatched mailbox has no health")
        try f.store.mailboxes.setHealth(MailboxHealth(mailbox: "personal", state: .watching, since: 1_767_600_000))
        let (second, fourth) = (mail(2, decision(.recorded, draft(2))), mail(4, decision(.ignored, nil)))
        _ = try f.store.recording.record([fourth, second, mail(9, Decision(.unclaimed))])
        #expect(
            try f.store.mailboxes.health().map(\.lastBankMail) == [max(second.receivedAt ?? 0, fourth.receivedAt ?? 0)])
        _ = try f.store.recording.record([mail(3, decision(.ignored, nil))])
        #expect(try f.store.mailboxes.health().map(\.lastBankMail) == [fourth.receivedAt])
    }

    @Test func pruning() throws {
        let f = try Fixture()
        let old = try f.store.recording.record([
            mail(1, decision(.recorded, draft(1)), raw: [1]), mail(2, decision(.review, draft(2)), raw: [2]),
        ])
        f.clock.advance(86400)
        let new = try f.store.recording.record([mail(3, decision(.recorded, draft(3)), raw: [])])
        #expect(try f.store.archive.prune(storedBefore: f.clock.now() - 3600) == 1)
        #expect(try f.store.mails.raw(ofMail: old[0].mailID) == nil)
        #expect(try f.store.mails.raw(ofMail: old[1].mailID) == [2], "waits for a person")
        #expect(try f.store.mails.raw(ofMail: new[0].mailID) == [])
        #expect(try f.count("processed_emails") == 3)
        try f.store.review.accept(.mail(old[1].mailID))
        #expect(try f.store.archive.prune(storedBefore: f.clock.now() + 1) == 2)
        #expect(try f.store.archive.prune(storedBefore: f.clock.now() + 1) == 0)
    }

    @Test func maintenance() throws {
        let f = try ledger()
        try f.store.optimize()
        try f.store.checkpoint()
        #expect(try f.store.integrityDefects() == [])
        try f.store.writer.writeWithoutTransaction { db in
            try db.execute(
                sql:
                    "PRAGMA foreign_keys = OFF; UPDATE transactions SET source_email_id = 'gone' WHERE id = 1; PRAGMA foreign_keys = ON"
            )
        }
        #expect(try f.store.integrityDefects() == ["row 1 of transactions points at no row of processed_emails"])
    }
}
