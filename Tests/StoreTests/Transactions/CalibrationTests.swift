import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct CalibrationTests {
    /// A draft of that confidence; its transaction.
    static func add(
        _ f: Fixture, _ uid: UInt32, _ confidence: Double, _ outcome: Outcome = .review, bank: String = "hdfc"
    ) throws -> Int64 {
        var verdict = decision(outcome, draft(Int64(uid), reference: "R\(uid)"), bank: bank)
        verdict.confidence = confidence
        return try #require(try f.store.recording.record([mail(uid, verdict)]).first?.transactionID)
    }

    @Test func countsDecisionsOnDrafts() throws {
        let f = try Fixture()
        try f.store.review.accept(.transaction(Self.add(f, 1, 0.8)))
        try f.store.review.reject(.transaction(Self.add(f, 2, 0.8)))
        try f.store.transactions.delete(Self.add(f, 3, 0.82))
        let edited = try Self.add(f, 4, 0.81)
        var correction = TransactionEdit()
        correction.merchant = .set("TEA")
        correction.amount = rupees(5)
        #expect(try f.store.review.edit(draft: .transaction(edited), correction, by: .terminal))
        #expect(try !f.store.review.edit(draft: .transaction(edited), correction, by: .terminal))
        try f.store.review.accept(.transaction(edited))
        _ = try Self.add(f, 5, 0.8)
        let bank = try #require(try f.store.statistics.calibration().banks.first)
        let bin = try #require(bank.bins.first)
        #expect(bank.bank == "hdfc" && bank.bins.count == 1 && bank.settled == 4)
        #expect(bin.from == 0.8 && bin.to == 0.85)
        #expect(bin.accepted == 1 && bin.rejected == 2 && bin.corrected == 1 && bin.untouched == 0)
        #expect(bin.fields == [.merchant: 1, .amount: 1])
        #expect(bin.right == Proportion(1, of: 4))
        #expect(bank.thresholds.map(\.value) == [0.8, 0.81, 0.82])
    }

    @Test func aCorrectionMovesTheInstantAndSurvivesItsMail() throws {
        let f = try Fixture()
        let entry = mail(1, decision(.recorded, draft(on: "2026-01-05", at: "13:30:00", reference: "R1")))
        let id = try #require(try f.store.recording.record([entry]).first?.transactionID)
        let before = try #require(try f.store.transactions.find(id))
        var correction = TransactionEdit()
        correction.date = date("2026-01-04")
        correction.time = TimeOfDay(iso: "12:30:00").map { .set($0) } ?? .keep
        correction.type = .income
        #expect(try f.store.review.edit(draft: .transaction(id), correction, by: .terminal))
        let after = try #require(try f.store.transactions.find(id))
        #expect(
            after.date == "2026-01-04" && after.time == "12:30:00" && after.type == .income
                && after.amount == before.amount && after.revision == before.revision + 1)
        #expect(after.occurredAt == before.occurredAt - 25 * 3600)
        #expect(try f.store.recording.record([mail(2, entry.decision)]).first?.outcome == .duplicate)
        #expect(try f.store.transactions.find(id) == after)
        #expect(throws: StoreError.self) { try f.store.review.edit(draft: .transaction(77), correction, by: .terminal) }
    }

    @Test func bookedDraftCountsAfterTheSettlingTime() throws {
        let f = try Fixture()
        _ = try Self.add(f, 1, 0.95, .recorded)
        #expect(try f.store.statistics.calibration().banks.isEmpty)
        f.clock.advance(Int64(Calibration.settlingDays) * 86400 + 1)
        #expect(try f.store.statistics.calibration().banks.first?.bins.first?.untouched == 1)
        // A later edit is a correction, even of a transaction booked long ago.
        try f.store.writeDatabase {
            try $0.execute(
                sql: "UPDATE transactions SET user_edited_at = '2026-03-05T08:00:00Z', parsed_date = '2026-01-04'")
        }
        #expect(try f.store.statistics.calibration().banks.first?.bins.first?.fields == [.date: 1])
    }

    @Test func categoryChangeIsNotACorrection() throws {
        let f = try Fixture()
        let id = try Self.add(f, 1, 0.8)
        try f.store.writeDatabase {
            try $0.execute(
                sql:
                    "UPDATE transactions SET user_edited_at = '2026-03-05T08:00:00Z', category_name = 'Food', parsed_vendor = parsed_vendor"
            )
        }
        try f.store.review.accept(.transaction(id))
        #expect(try f.store.statistics.calibration().banks.first?.bins.first?.accepted == 1)
    }

    @Test func suggestsTheLowestReliableThreshold() throws {
        var bank = Calibration.Bank(bank: "hdfc", bins: [], thresholds: [])
        bank.thresholds = [
            Calibration.Threshold(value: 0.4, right: Proportion(80, of: 100)),
            Calibration.Threshold(value: 0.7, right: Proportion(75, of: 75)),
            Calibration.Threshold(value: 0.9, right: Proportion(40, of: 40)),
        ]
        #expect(bank.suggestion()?.value == 0.7)
        #expect(bank.suggestion(target: 0.7)?.value == 0.4)
        #expect(bank.suggestion(target: 0.7)?.wronglyBooked == 20)
        #expect(bank.suggestion(target: 0.99) == nil)
    }

    @Test func theBinsAreWholeTwentieths() throws {
        let f = try Fixture()
        for (index, confidence) in [0.0, 0.049, 0.05, 0.85, 0.95, 1.0].enumerated() {
            try f.store.review.accept(.transaction(Self.add(f, UInt32(index + 1), confidence)))
        }
        let bank = try #require(try f.store.statistics.calibration().banks.first)
        #expect(bank.bins.map(\.from) == [0, 0.05, 0.85, 0.95] && bank.bins.map(\.accepted) == [2, 1, 1, 2])
        #expect(bank.thresholds.first?.value == 0.049)
    }
}
