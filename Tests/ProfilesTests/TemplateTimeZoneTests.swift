import Chronology
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

/// A template with a time zone of its own, in a bank of another.
@Suite struct TemplateTimeZoneTests {
    private func draft(_ zone: String?, at date: String, day: String) throws -> TransactionDraft {
        let spend = ProfileFolder.spend + (zone.map { "\n  timezone: \($0)" } ?? "")
        let set = try ProfileFolder.set(["bank/spend.yaml": spend])
        let text = "Rs.500.00 spent at HILL COFFEE on \(day) at 00:10:00 card 1234"
        let message = Message(
            parsing: Array(
                "From: alerts@bank.example\r\nSubject: Alert\r\nDate: \(date)\r\n\r\n\(text)\r\n".utf8))
        return try #require(set.claim(message).decide(trusting: .unverified, receivedAt: nil).draft)
    }

    /// 00:10 in Singapore is 21:40 of the day before in India.
    @Test func theTimeIsThatOfTheZone() throws {
        let arrival = "Sun, 04 Jan 2026 16:11:00 +0000"
        let here = try draft("Asia/Singapore", at: arrival, day: "05-01-26")
        let bank = try draft(nil, at: arrival, day: "05-01-26")
        #expect(here.date == bank.date && here.time == bank.time)
        let offset = try #require(IANATimeZone(identifier: "Asia/Singapore")).offset(at: here.occurredAt)
        #expect(bank.occurredAt - here.occurredAt == offset - IANATimeZone.kolkata.offset(at: bank.occurredAt))
        #expect(!here.spans.isEmpty && here.time?.description == "00:10:00")
    }

    @Test func anUnknownZoneIsRefused() throws {
        let spend = ProfileFolder.spend + "\n  timezone: Asia/Atlantis"
        let error = #expect(throws: SourceErrors.self) { try ProfileFolder.set(["bank/spend.yaml": spend]) }
        #expect(error.map { "\($0)".contains("unknown time zone 'Asia/Atlantis'") } ?? false)
    }
}
