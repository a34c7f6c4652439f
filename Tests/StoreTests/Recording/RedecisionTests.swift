import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Recorded mails that are decided again.
@Suite struct RedecisionTests {
    static func unread(_ outcome: Outcome) -> Decision {
        switch outcome {
        case .review: decision(.review, draft(100))
        case .recorded: decision()
        default:
            Decision(
                disposition(outcome), by: outcome == .unclaimed ? nil : Decision.Source(profile: "hdfc"))
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var was: Outcome
        var now: Outcome
        var becomes: Outcome
        var testDescription: String { "\(was) and now \(now)" }
    }

    static let cases: [Case] = [
        Case(was: .unclaimed, now: .recorded, becomes: .recorded),
        Case(was: .unclaimed, now: .quarantined, becomes: .quarantined),
        Case(was: .unclaimed, now: .failed, becomes: .unclaimed),
        Case(was: .ignored, now: .recorded, becomes: .recorded),
        Case(was: .ignored, now: .unclaimed, becomes: .ignored),
        Case(was: .ignored, now: .quarantined, becomes: .ignored),
        Case(was: .quarantined, now: .recorded, becomes: .recorded),
        Case(was: .quarantined, now: .ignored, becomes: .ignored),
        Case(was: .quarantined, now: .unclaimed, becomes: .quarantined),
        Case(was: .review, now: .recorded, becomes: .recorded),
        Case(was: .review, now: .ignored, becomes: .ignored), Case(was: .review, now: .quarantined, becomes: .review),
        Case(was: .review, now: .unclaimed, becomes: .review), Case(was: .review, now: .failed, becomes: .review),
        Case(was: .recorded, now: .ignored, becomes: .recorded), Case(was: .recorded, now: .review, becomes: .recorded),
    ]

    @Test(arguments: cases) func anOutcomeOnlyImproves(_ item: Case) throws {
        let f = try Fixture()
        let first = try #require(try f.store.recording.record([mail(1, Self.unread(item.was))]).first)
        let again = Self.unread(item.now)
        let result = try #require(try f.store.recording.record([mail(1, again)], redeciding: Outcome.redecidable).first)
        #expect((result.outcome, result.mailID, result.isNew) == (item.becomes, first.mailID, false))
        #expect(result.was == (item.becomes == item.was ? nil : item.was))
        #expect(try f.value("SELECT status FROM processed_emails") == item.becomes.rawValue)
        #expect(try f.count("transactions") == ([.recorded, .review].contains(item.becomes) ? 1 : 0))
        #expect(try f.value("SELECT attempts FROM processed_emails") == 1)
        // A repetition changes nothing, and nothing is decided again without a request.
        let dump = try f.dump()
        #expect(try f.store.recording.record([mail(1, again)], redeciding: Outcome.redecidable).first?.was == nil)
        #expect(try f.dump() == dump)
    }

    @Test func nothingIsDecidedAgainWithoutARequest() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, Self.unread(.unclaimed))])
        #expect(try f.store.recording.record([mail(1, decision())]).first?.outcome == .unclaimed)
        #expect(
            try f.store.recording.record([mail(1, decision())], redeciding: [.ignored]).first?.outcome == .unclaimed)
    }

    @Test func draftIsDecidedAgainInItsRow() throws {
        let f = try Fixture()
        let waiting = try #require(
            try f.store.recording.record([mail(1, decision(.review, draft(100, merchant: "MERCH"), bank: "hdfc"))])
                .first)
        let better = decision(.recorded, draft(25_000, merchant: "MERCHANT", reference: "R7"))
        let result = try #require(
            try f.store.recording.record([mail(1, better)], redeciding: Outcome.redecidable).first)
        #expect(result.transactionID == waiting.transactionID && result.transactionID != nil)
        let row = try #require(try f.store.transactions.find(result.transactionID ?? 0))
        #expect(
            row.amount == rupees(25_000) && row.vendor == "MERCHANT" && row.reference == "R7"
                && row.status == .confirmed && row.revision == 2)
        #expect(try f.store.review.queue().isEmpty)
        // The new key counts: another mail about the event is a copy.
        #expect(try f.store.recording.record([mail(2, better)]).first?.outcome == .duplicate)
    }

    @Test func decisionsOfAPersonStay() throws {
        for settle: (Store, Int64) throws -> Void in [
            { try $0.review.reject(.transaction($1)) }, { try $0.review.accept(.transaction($1)) },
            { try $0.transactions.delete($1) },
            { store, id in
                try store.writeDatabase {
                    try $0.execute(
                        sql:
                            "UPDATE transactions SET user_edited_at = '2026-01-05T09:00:00Z', notes = 'mine' WHERE id = \(id)"
                    )
                }
            },
        ] {
            let f = try Fixture()
            let draft = try #require(try f.store.recording.record([mail(1, Self.unread(.review))]).first?.transactionID)
            try settle(f.store, draft)
            let dump = try f.store.readDatabase {
                try String.fetchAll(
                    $0, sql: "SELECT status || revision || amount_minor || coalesce(deleted_at, '-') FROM transactions")
            }
            for again in [decision(), Self.unread(.ignored), decision(.recorded, draft_(7))] {
                #expect(
                    try f.store.recording.record([mail(1, again)], redeciding: Outcome.redecidable).first?.was == nil)
            }
            #expect(
                try f.store.readDatabase {
                    try String.fetchAll(
                        $0,
                        sql: "SELECT status || revision || amount_minor || coalesce(deleted_at, '-') FROM transactions")
                } == dump)
        }
        // A mail without a draft that a person rejected.
        let f = try Fixture()
        let id = try #require(
            try f.store.recording.record([mail(1, Decision(.review(nil), by: Decision.Source(profile: "hdfc")))]).first?
                .mailID)
        try f.store.review.reject(.mail(id))
        #expect(try f.store.recording.record([mail(1, decision())], redeciding: Outcome.redecidable).first?.was == nil)
        #expect(try f.count("transactions") == 0)
    }

    private func draft_(_ minor: Int64) -> TransactionDraft { draft(minor) }

    @Test func bookedEventIsNotBookedAgain() throws {
        let f = try Fixture()
        let event = decision(.recorded, draft(reference: "R1"))
        _ = try f.store.recording.record([mail(1, Self.unread(.quarantined)), mail(2, event)])
        let result = try #require(try f.store.recording.record([mail(1, event)], redeciding: Outcome.redecidable).first)
        #expect(result.outcome == .duplicate && result.was == .quarantined)
        // A draft that repeats an event is deleted.
        _ = try f.store.recording.record([mail(3, Self.unread(.review))])
        #expect(
            try f.store.recording.record([mail(3, event)], redeciding: Outcome.redecidable).first?.outcome == .duplicate
        )
        #expect(try f.count("transactions") == 1)
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func draftWithADuplicateIsNotDeleted() throws {
        let f = try Fixture()
        let waiting = decision(.review, draft(reference: "R1"))
        #expect(
            try f.store.recording.record([mail(1, waiting), mail(2, waiting)]).map(\.outcome) == [.review, .duplicate])
        #expect(
            try f.store.recording.record([mail(1, Self.unread(.ignored))], redeciding: Outcome.redecidable).first?.was
                == nil)
        #expect(try f.count("transactions") == 1)
        #expect(
            try f.store.recording.record(
                [mail(1, decision(.recorded, draft(reference: "R1")))], redeciding: Outcome.redecidable
            )
            .first?.outcome == .recorded)
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func retainedMailsAreVisitedOnceWhileTheyChange() throws {
        let f = try Fixture()
        let bytes = Array("From: alerts@bank.example\r\n\r\n".utf8)
        _ = try f.store.recording.record(
            (1...10).map { mail($0, $0 == 4 ? decision() : Self.unread(.quarantined), raw: $0 == 5 ? nil : bytes) })
        var cut = mail(11, Self.unread(.failed), raw: bytes)
        cut.size = 99_000_000
        _ = try f.store.recording.record([cut])
        var seen: [UInt32] = []
        try f.store.rescans.retainedMails(Outcome.redecidable, atATime: 3) { mails in
            #expect(mails.count <= 3)
            for kept in mails {
                #expect(kept.bytes == bytes && kept.receivedAt == 1_767_599_100 + Int64(kept.row.uid))
                seen.append(kept.row.uid)
                _ = try f.store.recording.record(
                    [mail(kept.row.uid, decision(.recorded, draft(reference: "R\(kept.row.uid)")))],
                    redeciding: Outcome.redecidable)
            }
        }
        #expect(seen == [1, 2, 3, 6, 7, 8, 9, 10])
        #expect(try f.store.rescans.settledUIDs(of: f.inbox, uidValidity: 1) == [1, 2, 3, 4, 6, 7, 8, 9, 10])
    }
}
