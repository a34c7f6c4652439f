import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// The same mail: the same Message-ID and the same content, in any folder.
@Suite struct SameMailTests {
    /// Outcome of a second mail after a first one with `<a>` and digest 1.
    @Test(
        arguments: [
            ("the same", "<a>", [1], 5, .duplicate),
            ("a Message-ID alone suppresses nothing: senders choose it", "<a>", [2], 5, .recorded),
            ("a digest alone is another sending of the same words", "<b>", [1], 5, .recorded),
            ("no Message-ID is not that one", nil, [1], 5, .recorded),
            ("no digest", "<a>", nil, 5, .recorded),
            ("another Date", "<a>", [1], 6, .recorded),
            ("no Date", "<a>", [1], nil, .recorded),
        ] as [(String, String?, [UInt8]?, UnixTime?, Outcome)])
    func second(name: String, id: String?, digest: [UInt8]?, sent: UnixTime?, outcome: Outcome) throws {
        let f = try Fixture()
        let first = try f.store.recording.record([
            mail(1, decision(.recorded, draft(100)), id: "<a>", sent: 5, digest: [1])
        ])
        let second = try #require(
            try f.store.recording.record([
                mail(2, decision(.recorded, draft(200)), id: .some(id), sent: sent, digest: .some(digest))
            ]).first)
        #expect(second.outcome == outcome)
        #expect(second.duplicateOf == (outcome == .duplicate ? first.first?.mailID : nil))
        #expect(try f.count("transactions") == (outcome == .duplicate ? 1 : 2))
    }

    @Test func withoutMessageIDAndDateTheDigestCounts() throws {
        let f = try Fixture()
        let results = try f.store.recording.record(
            (1...2).map { mail($0, decision(.recorded, draft(Int64($0))), id: .some(nil), sent: nil, digest: [1]) })
        #expect(results.map(\.outcome) == [.recorded, .duplicate])
    }

    @Test func nothingIsBookedTwiceAfterUIDVALIDITYChanged() throws {
        let f = try Fixture()
        let outcomes: [Outcome] = [.recorded, .review, .ignored, .unclaimed, .quarantined]
        let drafts: [TransactionDraft?] = [draft(at: "12:00:00"), draft(2, reference: "R1"), nil, nil, nil]
        let before = try f.store.recording.record(
            (0..<5).map { mail(UInt32($0 + 1), decision(outcomes[$0], drafts[$0])) })
        // All mails again: with other UIDs, in another order, and in another folder of another mailbox.
        let digest = { (uid: Int) in [UInt8](repeating: UInt8(uid), count: 31) + [0] }
        for (validity, box) in [(UInt32(2), "personal"), (1, "family")] {
            let after = try f.store.recording.record(
                (0..<5).reversed().map {
                    mail(
                        UInt32($0 + 100), decision(outcomes[$0], drafts[$0]), mailbox: box, validity: validity,
                        id: "<\($0 + 1)@bank.example>", digest: digest($0 + 1))
                })
            #expect(after.map(\.outcome) == [.duplicate, .unclaimed, .duplicate, .duplicate, .duplicate])
            #expect(
                after.map(\.duplicateOf) == [
                    before[4].mailID, nil, before[2].mailID, before[1].mailID, before[0].mailID,
                ])
        }
        #expect(try f.count("transactions") == 2)
        #expect(try f.count("processed_emails") == 15)
        #expect(try f.store.review.queue().count == 1)
    }

    /// A forged copy that arrives first must not suppress the genuine mail.
    @Test(
        arguments: [
            (.quarantined, .recorded, .recorded), (.ignored, .recorded, .recorded), (.unclaimed, .recorded, .recorded),
            (.failed, .recorded, .recorded),
            (.quarantined, .quarantined, .duplicate), (.recorded, .quarantined, .quarantined),
            (.recorded, .ignored, .duplicate),
            (.review, .recorded, .duplicate), (.unclaimed, .unclaimed, .unclaimed), (.recorded, .failed, .failed),
        ] as [(Outcome, Outcome, Outcome)])
    func weakerNeverSuppressesStronger(first: Outcome, second: Outcome, expected: Outcome) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision(first), id: "<a>", digest: [1])])
        #expect(
            try f.store.recording.record([mail(2, decision(second), id: "<a>", digest: [1])]).first?.outcome == expected
        )
    }

    @Test func bytesOfACopyAreNotKeptAgain() throws {
        let f = try Fixture()
        _ = try f.store.recording.record((1...2).map { mail($0, decision(), id: "<a>", digest: [1], raw: [1]) })
        #expect(try f.count("raw_messages") == 1)
    }

    @Test func rejectionAndDeletionSurviveTheSameMail() throws {
        let f = try Fixture()
        let ids = try f.store.recording.record([
            mail(1, decision(.recorded, draft(1))), mail(2, decision(.recorded, draft(2, reference: "R"))),
        ])
        .compactMap(\.transactionID)
        try f.store.review.reject(.transaction(ids[0]))
        try f.store.transactions.delete(ids[1])
        let again = try f.store.recording.record([
            mail(
                11, decision(.recorded, draft(1)), id: "<1@bank.example>",
                digest: [UInt8](repeating: 1, count: 31) + [0]),
            mail(12, decision(.recorded, draft(2, reference: "R"))), mail(1, decision(.recorded, draft(1))),
        ])
        #expect(again.map(\.outcome) == [.duplicate, .duplicate, .review])
        #expect(again.map(\.transactionID) == [ids[0], ids[1], ids[0]])
        #expect(try f.value("SELECT status FROM transactions WHERE id = \(ids[0])") == "rejected")
        #expect(try f.count("transactions", where: "deleted_at IS NOT NULL") == 1)
        #expect(try f.count("transactions") == 2)
    }
}
