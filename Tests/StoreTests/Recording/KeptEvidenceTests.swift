import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

@Suite struct KeptEvidenceTests {
    @Test("Two drafts are never possible duplicates of each other after one is decided again")
    func noMutualDuplicates() throws {
        let f = try Fixture()
        let first = try f.store.recording.record([mail(1, decision(.review)), mail(2, decision(.review))])
        let (earlier, later) = (try #require(first[0].transactionID), try #require(first[1].transactionID))
        #expect(first[1].possibleDuplicateOf == earlier)
        for _ in 1...2 {
            let again = try f.store.recording.record(
                [mail(1, decision(.recorded))], redeciding: Outcome.redecidable)
            #expect(again[0].possibleDuplicateOf == nil)
            _ = try f.store.recording.record([mail(2, decision(.recorded))], redeciding: Outcome.redecidable)
        }
        #expect(try f.store.transactions.find(earlier)?.duplicateOf == nil)
        #expect(try f.store.transactions.find(later)?.duplicateOf == earlier)
    }

    @Test("The link points from the later mail to the earlier, in whatever order their drafts are made")
    func earlierDraftComesLast() throws {
        let f = try Fixture()
        let late = mail(2, decision(.review), sent: 1_767_599_100)
        // The earlier mail is unreadable at first.
        let unread = try f.store.recording.record([mail(1, decision(.review, nil)), late])
        let second = try #require(unread[1].transactionID)
        let first = try #require(
            try f.store.recording.record([mail(1, decision(.recorded))], redeciding: Outcome.redecidable).first)
        #expect(first.outcome == .recorded && first.possibleDuplicateOf == nil)
        let later = try #require(try f.store.transactions.find(second))
        #expect(later.duplicateOf == first.transactionID && later.confidence == 0.45)
        let item = try #require(try f.store.review.queue().first { $0.transaction?.id == second })
        #expect(item.possibleDuplicate?.id == first.transactionID)
        #expect(item.reasons.map(\.name) == ["template", "possible_duplicate"])
        #expect(item.reasons.last?.note.contains("transaction \(first.transactionID ?? 0),") == true)
        // Decided again, it says the same.
        _ = try f.store.recording.record([late], redeciding: Outcome.redecidable)
        #expect(try f.store.transactions.find(second)?.duplicateOf == first.transactionID)
    }

    @Test("The draft of a later mail that a person has edited keeps its place")
    func editedLaterDraft() throws {
        let f = try Fixture()
        let later = try #require(
            try f.store.recording.record([mail(2, decision(.review), sent: 1_767_599_100)]).first?.transactionID)
        var edit = TransactionEdit()
        edit.merchant = .set("Café")
        _ = try f.store.transactions.change(later, edit, by: .terminal)
        let earlier = try #require(
            try f.store.recording.record([mail(1, decision(.recorded, draft(merchant: nil)))]).first)
        #expect(earlier.outcome == .review && earlier.possibleDuplicateOf == later)
        #expect(try f.store.transactions.find(later)?.duplicateOf == nil)
    }

    @Test("The same reference three days apart is one event, four days apart two", arguments: [3, 4])
    func referenceDays(_ days: Int) throws {
        let f = try Fixture()
        let second = draft(on: "2026-01-0\(5 + days)", reference: "R")
        let recorded = try f.store.recording.record([
            mail(1, decision(.recorded, draft(on: "2026-01-05", reference: "R"))), mail(2, decision(.recorded, second)),
        ])
        #expect(recorded[1].outcome == (days == 3 ? .duplicate : .review))
        let id = try #require(recorded[1].transactionID)
        let provenance = try #require(try f.store.transactions.find(id)?.provenance)
        #expect(provenance.contains("reference_reused") == (days == 4))
    }

    @Test("A mail given up stays failed, with the reason, and is not tried again")
    func givenUp() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, RetryTests.broken)])
        try f.store.mailboxes.giveUp([1], of: f.inbox, uidValidity: 1, reason: "gone from the server")
        f.clock.advance(365 * 86_400)
        let failed = try #require(try f.store.mails.failed().first)
        #expect(failed.mail.outcome == .failed && failed.mail.reason == "gone from the server")
        #expect(failed.nextAttemptAt == nil)
        #expect(try f.store.mailboxes.dueRetries(of: f.inbox, uidValidity: 1).isEmpty)
    }

    @Test("The bytes of quarantined mail are kept, and it can be released")
    func quarantinedBytes() throws {
        let f = try Fixture()
        let bytes = Array("From: alerts@bank.example\r\n\r\nspent".utf8)
        let recorded = try f.store.recording.record([mail(1, decision(.quarantined, nil), raw: bytes)])
        #expect(try f.store.mails.raw(ofMail: recorded[0].mailID) == bytes)
        let released = try f.store.review.release(
            mail: recorded[0].mailID, as: mail(1, decision(.recorded, draft(reference: "A")), raw: bytes))
        #expect(released?.outcome == .recorded && released?.was == .quarantined)
        #expect(try f.store.mails.raw(ofMail: recorded[0].mailID) == bytes)
    }

    @Test(
        "A Gmail copy of a mail that was not believed or not a bank's is judged anew",
        arguments: [
            (Outcome.unclaimed, true), (.quarantined, true), (.failed, true), (.recorded, false), (.ignored, false),
        ])
    func gmailCopies(_ outcome: Outcome, judgedAnew: Bool) throws {
        let f = try Fixture()
        var entry = mail(1, decision(outcome, outcome == .recorded ? draft() : nil))
        entry.gmailMessageID = 77
        let id = try f.store.recording.record([entry])[0].mailID
        let known = try f.store.mailboxes.mails(gmailMessageIDs: [77, 78], of: "personal")
        #expect(known == (judgedAnew ? [:] : [77: id]))
    }

    @Test("A mapping that was made and deleted can be undone, step by step")
    func undoOfADeletedMapping() throws {
        let f = try Fixture()
        try f.store.categories.seed([CategorySeed(name: "Food", keywords: ["cafe"])])
        let applied = try f.store.mappings.apply(keyword: "lotus", category: "Food", to: false, by: .terminal)
        let made = try #require(applied.group)
        try f.store.mappings.delete(applied.mapping.id, by: .terminal)
        let deleted = try #require(try f.store.journal.changes().first)
        #expect(deleted.kind == .mapped && deleted.group != made)
        try f.store.journal.undo(group: deleted.group)
        #expect(try f.store.mappings.all(userDefined: true).map(\.keyword) == ["lotus"])
        try f.store.journal.undo(group: made)
        #expect(try f.store.mappings.all(userDefined: true).isEmpty)
    }

    @Test("A deleted mapping is not restored over another of its keyword")
    func keywordUsedByAnotherMapping() throws {
        let f = try Fixture()
        try f.store.categories.seed([CategorySeed(name: "Food", keywords: ["cafe"])])
        let old = try f.store.mappings.apply(keyword: "lotus", category: "Food", to: false, by: .terminal).mapping
        try f.store.mappings.delete(old.id, by: .terminal)
        let group = try #require(try f.store.journal.changes().first?.group)
        try f.store.mappings.add(
            NewMapping(keyword: "lotus") {
                $0.category = "Food"
            }, by: .terminal)
        let error = #expect(throws: StoreError.self) { try f.store.journal.undo(group: group) }
        #expect(error?.kind == .conflict)
    }
}
