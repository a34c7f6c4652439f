import Ledger
import Testing

@testable import Store

@Suite struct TrustedSenderTests {
    static let new = Reason(.newSender, weight: 0.6, note: "not in the profile")

    /// A waiting draft from an address that no profile lists.
    static func waiting(
        _ f: Fixture, reasons: [Reason] = [new], authentication: String = "pass: genuine by dmarc"
    ) throws -> Int64 {
        var waiting = decision(.review, draft(7))
        waiting.source?.profile = "meghna"
        waiting.reasons = reasons
        waiting.source?.authentication = authentication
        var entry = mail(7, waiting)
        entry.fromAddress = "new@meghna.example"
        return try #require(try f.store.recording.record([entry])[0].transactionID)
    }

    @Test func acceptanceTrustsTheSenderAndUndoReverts() throws {
        let f = try Fixture()
        let id = try Self.waiting(f)
        let generation = try f.store.accounts.generation()
        #expect(try f.store.trustedSenders.all().isEmpty)
        try f.store.review.accept(.transaction(id))
        let row = try #require(try f.store.trustedSenders.all().first)
        #expect(
            row.sender == TrustedSender(address: "new@meghna.example", bank: "meghna") && row.transactionID == id
                && row.actor == .terminal)
        #expect(try f.store.trustedSenders.learned(by: .transaction(id)) == row)
        #expect(try f.store.accounts.generation() > generation, "other processes see it")
        let change = try #require(try f.store.journal.changes(ofTransaction: id).first)
        try f.store.journal.undo(change: change.id)
        #expect(try f.store.trustedSenders.all().isEmpty)
    }

    static let others: [(String, [Reason], String)] = [
        ("another misgiving", [new, Reason(.secondAmount, weight: 0.8, note: "")], "pass: genuine by dmarc"),
        ("none", [], "pass: genuine by dmarc"),
        ("not known to be genuine", [new], "unverified"),
        ("read by no template", [Reason(.genericReader, weight: 0.4, note: ""), new], "pass: genuine by dmarc"),
    ]

    @Test(arguments: others) func onlyAcceptanceTrustsASender(
        name: String, reasons: [Reason], authentication: String
    ) throws {
        let f = try Fixture()
        let id = try Self.waiting(f, reasons: reasons, authentication: authentication)
        try f.store.review.accept(.transaction(id))
        #expect(try f.store.trustedSenders.all().isEmpty, "\(name)")
    }

    @Test func correctedAndRejectedDraftsTrustNoSender() throws {
        let f = try Fixture()
        let id = try Self.waiting(f)
        var edit = TransactionEdit()
        edit.merchant = .set("Somebody Else")
        try f.store.review.accept(.transaction(id), edit)
        #expect(try f.store.trustedSenders.all().isEmpty)
        let g = try Fixture()
        let second = try Self.waiting(g)
        try g.store.review.reject(.transaction(second))
        #expect(try g.store.trustedSenders.all().isEmpty)
    }

    @Test func byHand() throws {
        let f = try Fixture()
        #expect(try f.store.trustedSenders.trust(TrustedSender(address: "Alerts@Meghna.example", bank: "meghna")))
        #expect(try !f.store.trustedSenders.trust(TrustedSender(address: "alerts@meghna.example", bank: "meghna")))
        #expect(try f.store.trustedSenders.all().map(\.sender.address) == ["alerts@meghna.example"])
        #expect(try f.store.trustedSenders.forget("ALERTS@meghna.example"))
        #expect(try !f.store.trustedSenders.forget("alerts@meghna.example"))
    }
}
