import Chronology
import ChronologyFixture
import Glibc
import Ledger
import Profiles
import Review
import Store
import Testing

@testable import ReviewScreen

/// The screen on a real database that other programs write to as well.
@Suite struct ReviewActionsTests {
    final class Ledger {
        let path: String
        let store: Store

        init() throws {
            var template = Array("/tmp/spendwise-screen-XXXXXX".utf8CString)
            path =
                template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } }
                ?? "/tmp"
            store = try Store(path: path + "/ledger.db")
            try store.categories.seed([
                CategorySeed(name: "Food", subcategories: [.init(name: "Cafés", keywords: ["cafe"])])
            ])
            _ = try store.recording.record((1...3).map(entry))
        }

        deinit {
            for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] { unlink("\(path)/\(name)") }
            rmdir(path)
        }

        private static let names = ["ZEPHYR BAKES", "QUILLON BOOKS", "TARANTO SOAPS"]

        private func entry(_ uid: UInt32) -> MailEntry {
            var draft = TransactionDraft(
                amount: Money(minorUnits: Int64(uid) * 100, currency: .inr), type: .expense, channel: .upi,
                date: CalendarDate(daysSince1970: 20_000), occurredAt: 1_767_600_000)
            draft.merchant = Self.names[Int(uid) % 3]
            draft.account = "4410"
            draft.reference = "61000000000\(uid)"
            let decision = Decision(
                .review(draft), by: Decision.Source(profile: "hdfc", bank: "HDFC Bank", template: "hdfc/x"),
                confidence: 0.6,
                reasons: [Reason(.newSender, weight: 0.6, note: "new")])
            return MailEntry(at: MailLocation(mailbox: "m", folder: "INBOX", uidValidity: 1, uid: uid), decision) {
                $0.messageID = "<\(uid)@x>"
                $0.contentDigest = [UInt8(uid)]
                $0.fromAddress = "a@x.example"
                $0.subject = "Mail \(uid)"
                $0.sentAt = 1_767_600_000
                $0.raw = Array(
                    "From: a@x.example\r\nSubject: Mail \(uid)\r\n\r\nRs.\(uid).00 paid to CAFE MOON\r\n".utf8)
            }
        }

        func session() -> ReviewSession<ReviewActions> {
            struct No: Error {}
            let handler = ReviewActions(
                ReviewService(store), editor: TemplateEditor(store, folders: []),
                files: TemplateFiles(write: { _ in throw No() }, remove: { _ in throw No() }),
                autoConfirmAt: { _ in 0.85 })
            var session = ReviewSession(
                ReviewModel(size: Size(columns: 80, rows: 24), isLettered: true), handler: handler)
            session.start()
            return session
        }
    }

    private func text(_ session: ReviewSession<ReviewActions>) -> String {
        session.model.picture().lines.joined(separator: "\n")
    }

    private func current(_ session: ReviewSession<ReviewActions>) throws -> Int64 {
        guard case .transaction(let id) = try #require(session.model.current?.id) else { return 0 }
        return id
    }

    @Test func acceptsCorrectsRejectsAndUndoes() throws {
        let ledger = try Ledger()
        var session = ledger.session()
        #expect(text(session).contains("1 of 3") && text(session).contains("CAFE MOON"))
        let first = try current(session)
        let printed = try ledger.store.transactions.find(first)?.vendor
        for key: Key in [.character("e"), .character("m"), .enter] { session.handle(key) }
        let corrected = try #require(try ledger.store.transactions.find(first))
        #expect(corrected.vendor == "CAFE MOON" && corrected.category == "Food" && corrected.subcategory == "Cafés")
        session.handle(.character("a"))
        let second = try current(session)
        session.handle(.character("r"))
        #expect(
            try ledger.store.transactions.find(first)?.status == .confirmed
                && ledger.store.transactions.find(second)?.status == .rejected)
        #expect(session.model.done == 2)
        for _ in 0..<3 { session.handle(.character("u")) }
        #expect(try current(session) == first)
        #expect(try ledger.store.transactions.find(first)?.vendor == printed)
        #expect(try ledger.store.review.queue().count == 3 && session.model.done == 0)
        session.handle(.character("u"))
        #expect(text(session).contains("nothing was done in this session"))
    }

    /// A draft that the daemon or the page changed after it was shown is not decided unseen.
    @Test(arguments: ["a", "r"]) func showsADraftAgainThatChangedMeanwhile(key: Character) throws {
        let ledger = try Ledger()
        var session = ledger.session()
        let id = try current(session)
        var edit = TransactionEdit()
        edit.amount = Money(minorUnits: 99_900, currency: .inr)
        try ledger.store.transactions.change(id, edit, by: Actor(.page))
        session.handle(.character(key))
        #expect(try ledger.store.transactions.find(id)?.status == .needsReview)
        #expect(text(session).contains("changed meanwhile") && text(session).contains("INR 999.00"))
        session.handle(.character(key))
        #expect(try ledger.store.transactions.find(id)?.status == (key == "a" ? .confirmed : .rejected))
    }

    @Test(arguments: ["a", "r", "e"]) func skipsItemsDecidedElsewhere(key: Character) throws {
        let ledger = try Ledger()
        var session = ledger.session()
        let id = try current(session)
        try ledger.store.review.reject(.transaction(id), by: Actor(.page))
        session.handle(key == "e" ? .tick : .character(key))
        #expect(try ledger.store.transactions.find(id)?.status == .rejected)
        #expect(text(session).contains("elsewhere") && text(session).contains("1 of 2"))
    }

    @Test func offersARuleForACategory() throws {
        let ledger = try Ledger()
        var session = ledger.session()
        let id = try current(session)
        session.handle(.character("c"))
        for letter in "foo" { session.handle(.character(letter)) }
        session.handle(.enter)
        #expect(text(session).contains("always Food for"))
        session.handle(.character("y"))
        #expect(try ledger.store.mappings.all(userDefined: true).count == 1)
        session.handle(.character("u"))
        #expect(
            try ledger.store.mappings.all(userDefined: true).isEmpty
                && ledger.store.transactions.find(id)?.category == "Food")
        session.handle(.character("u"))
        #expect(try ledger.store.transactions.find(id)?.category == CategoryRow.uncategorized)
    }

    @Test func reportsFailures() throws {
        let ledger = try Ledger()
        var session = ledger.session()
        session.handle(.character("i"))
        session.handle(.enter)
        #expect(text(session).contains("no profile folder is known"))
    }
}
