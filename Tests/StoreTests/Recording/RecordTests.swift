import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct RecordTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var decision: Decision
        var outcome: Outcome
        var status: String?
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "recorded", decision: decision(), outcome: .recorded, status: "confirmed"),
        Case(name: "review with a draft", decision: decision(.review), outcome: .review, status: "needs_review"),
        Case(name: "review without a draft", decision: decision(.review, nil), outcome: .review),
        Case(name: "ignored", decision: decision(.ignored, nil), outcome: .ignored),
        Case(name: "unclaimed", decision: Decision(.unclaimed), outcome: .unclaimed),
        Case(name: "quarantined", decision: decision(.quarantined), outcome: .quarantined),
        Case(name: "failed", decision: Decision(.failed(.notFetched("larger than the limit"))), outcome: .failed),
    ]

    @Test(arguments: cases) func becomes(_ test: Case) throws {
        let f = try Fixture()
        let recorded = try f.store.recording.record([mail(7, test.decision)])
        let first = try #require(recorded.first)
        #expect(recorded.count == 1)
        #expect(first.outcome == test.outcome)
        #expect(first.isNew)
        #expect(try f.value("SELECT status FROM processed_emails WHERE uid = 7") == test.outcome.rawValue)
        #expect(try f.value("SELECT status FROM transactions") == test.status)
        #expect((first.transactionID != nil) == (test.status != nil))
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func everyColumn() throws {
        let f = try Fixture()
        var draft = draft(123_456, at: "12:13:14", reference: "600012345678", currency: Currency(code: "USD") ?? .inr)
        draft.vpa = "cafe@bank"
        draft.limit = rupees(5)
        draft.patterns = [
            .amount: .body(0, of: 2), .account: .field(.merchant), .merchant: .field(.merchant), .date: .body(0, of: 2),
        ]
        var sample = decision(.recorded, draft)
        var mapping = VendorMapping(id: 99, keyword: "cafe noir", categoryID: 1, category: "Food")
        mapping.subcategory = "Coffee"
        sample.category = CategoryMatch(mapping: mapping)
        let result = try f.store.recording.record([mail(7, sample, raw: [0, 1, 2])])
        let id = try #require(result.first?.transactionID)
        let row = try #require(try f.store.transactions.find(id))
        #expect(row.mailID == result.first?.mailID)
        #expect(row.amount == Money(minorUnits: 123_456, currency: Currency(code: "USD") ?? .inr))
        #expect((row.category, row.subcategory) == ("Food", "Coffee"))
        #expect((row.accountName, row.accountDigits) == ("HDFC Bank 4321", "4321"))
        #expect((row.date, row.time) == ("2026-01-05", "12:13:14"))
        #expect((row.vendor, row.vpa, row.reference) == ("CAFÉ NOIR", "cafe@bank", "600012345678"))
        #expect((row.balance, row.limit) == (rupees(1_000_000), rupees(5)))
        #expect(
            (row.type, row.channel, row.status, row.recorder, row.ledger) == (
                .expense, .upi, .confirmed, "Auto", "Personal"
            ))
        #expect(row.confidence == 0.9)
        #expect((row.occurredAt, row.createdAt) == ("2026-01-05T08:00:00Z", "2026-01-05T08:00:00Z"))
        #expect(
            row.provenance == """
                {"profile":"hdfc","version":"3f2a","template":"hdfc/upi-debit","authentication":"pass (dmarc)",\
                "category":"shipped keyword \\"cafe noir\\" -> Food / Coffee","spans":{"amount":[3,10],"merchant":[20,29]},\
                "patterns":{"body_pattern 1 of 2":["amount","date"],"merchant_regex":["merchant","account"]},\
                "reasons":[{"factor":"template","weight":0.9,"note":"read by a template with the words \\"a\\\\b\\""}]}
                """)
        let stored = try #require(try f.store.mails.find(row.mailID ?? ""))
        #expect((stored.mailbox, stored.folder, stored.uidValidity, stored.uid) == ("personal", "INBOX", 1, 7))
        #expect(
            (stored.messageID, stored.fromAddress, stored.subject) == (
                "<7@bank.example>", "alerts@bank.example", "Payment of ₹250"
            ))
        #expect(
            (stored.sentAt, stored.receivedAt, stored.processedAt) == (
                "2026-01-05T07:43:20Z", "2026-01-05T07:45:07Z", "2026-01-05T08:00:00Z"
            ))
        #expect(
            (stored.profile, stored.template, stored.attempts, stored.transactionID) == (
                "hdfc", "hdfc/upi-debit", 1, id
            ))
        #expect(try f.store.mails.raw(ofMail: stored.id) == [0, 1, 2])
    }

    @Test func unknownMerchantIsUncategorized() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision())])
        #expect(try f.value("SELECT category_name FROM transactions") == "Uncategorized")
    }

    @Test func repetitionChangesNothing() throws {
        let f = try Fixture()
        let entries = (1...20).map {
            mail(
                $0,
                decision([.recorded, .review, .ignored, .unclaimed, .quarantined][Int($0) % 5], draft(Int64($0) * 100)))
        }
        let cursor = (f.inbox, FolderCursor(uidValidity: 1, nextUID: 21))
        let first = try f.store.recording.record(entries, advancing: cursor)
        let before = try f.dump()
        let second = try f.store.recording.record(entries, advancing: cursor)
        #expect(try f.dump() == before)
        #expect(second.allSatisfy { !$0.isNew })
        #expect(second.map(\.outcome) == first.map(\.outcome))
        #expect(second.map(\.transactionID) == first.map(\.transactionID))
        #expect(second.map(\.mailID) == first.map(\.mailID))
    }

    @Test func sameUIDTwiceInOneBatch() throws {
        let f = try Fixture()
        let results = try f.store.recording.record([mail(3, decision()), mail(3, decision())])
        #expect(results.map(\.isNew) == [true, false])
        #expect(try f.count("processed_emails") == 1)
    }

    @Test func foldersMayAlternateInOneBatch() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, decision(.ignored, nil)), mail(2, decision(.ignored, nil), folder: "Bank"),
        ])
        let again = try f.store.recording.record([
            mail(2, decision(.ignored, nil), folder: "Bank"), mail(1, decision(.ignored, nil)),
            mail(2, decision(.ignored, nil), folder: "Bank"),
            mail(2, decision(.ignored, nil), validity: 2),
        ])
        #expect(again.map(\.isNew) == [false, false, false, true])
    }

    @Test func failedIsRetried() throws {
        let f = try Fixture()
        let broken = Decision(.failed(.notFetched("a limit was hit")))
        let id = try #require(try f.store.recording.record([mail(1, broken)]).first?.mailID)
        f.clock.advance(60)
        _ = try f.store.recording.record([mail(1, broken)])
        let waiting = try f.store.mails.failed()
        #expect(waiting.map(\.mail.uid) == [1])
        #expect(waiting.first?.mail.attempts == 2)
        #expect(waiting.first?.mail.processedAt == "2026-01-05T08:01:00Z")
        #expect(waiting.first?.mail.reason == "a limit was hit")
        let result = try #require(try f.store.recording.record([mail(1, decision())]).first)
        #expect((result.mailID, result.outcome, result.isNew) == (id, .recorded, true))
        #expect(try f.value("SELECT attempts FROM processed_emails") == 3)
        #expect(try f.value("SELECT error_message FROM processed_emails") as String? == nil)
        #expect(try f.store.mails.failed().isEmpty)
        // A recorded mail stays: a late failure changes nothing.
        #expect(try f.store.recording.record([mail(1, broken)]).first?.outcome == .recorded)
    }

    @Test func failedMailNeverSuppressesItsCopy() throws {
        let f = try Fixture()
        let entry = mail(1, Decision(.failed(.notFetched("a limit was hit"))), id: "<a>", digest: [1])
        _ = try f.store.recording.record([entry])
        #expect(try f.store.recording.record([mail(2, decision(), id: "<a>", digest: [1])]).first?.outcome == .recorded)
        #expect(
            try f.store.recording.record([mail(1, decision(), id: "<a>", digest: [1])]).first?.outcome == .duplicate)
    }

    @Test func hostileStringsAreKept() throws {
        let f = try Fixture()
        let hostile = "'); DROP TABLE transactions; --\u{0}\u{1F}\"\\₹\u{202E}"
        var entry = mail(1, decision(.recorded, draft(merchant: hostile)))
        entry.subject = hostile
        entry.messageID = ""
        entry.contentDigest = []
        var reviewed = entry.decision
        reviewed.reasons = [Reason(name: "x", weight: .infinity, note: hostile)]
        reviewed.confidence = .nan
        entry.decision = reviewed
        let id = try #require(try f.store.recording.record([entry]).first?.transactionID)
        let row = try #require(try f.store.transactions.find(id))
        #expect(row.vendor == hostile)
        #expect(row.confidence == 0)
        #expect(try f.store.mails.latest([.recorded]).first?.subject == hostile)
        let note: String? = try f.value("SELECT provenance ->> '$.reasons[0].note' FROM transactions")
        #expect(note?.hasPrefix("'); DROP TABLE transactions; --") == true)
    }

    @Test func matchesAreCounted() throws {
        let f = try Fixture()
        try f.store.categories.seed([CategorySeed(name: "Food", keywords: ["cafe noir"])])
        let rules = try f.store.categories.rules()
        let entries =
            (1...3).map { mail($0, decision(.recorded, draft(Int64($0))).categorized(by: rules)) } + [
                mail(4, decision(.ignored).categorized(by: rules))
            ]
        _ = try f.store.recording.record(entries)
        _ = try f.store.recording.record(entries)
        #expect(try f.value("SELECT match_count FROM vendor_mappings") == 3)
        #expect(try f.value("SELECT group_concat(DISTINCT category_name) FROM transactions") == "Food")
    }
}
