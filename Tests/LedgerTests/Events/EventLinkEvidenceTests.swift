import Ledger
import Testing

/// The words of evidence in the database, which belong to a kind of link.
@Suite struct EventLinkEvidenceTests {
    private static let returns = ["reference", "whole", "partial", "person"]

    @Test(arguments: [
        (EventLinkKind.refund, returns), (.reversal, returns),
        (.settles, ["reference", "statement", "rate", "person"]),
        (.sameEvent, ["reference", "moment", "payee", "time", "person"]), (.instalment, ["plan", "payee", "person"]),
    ])
    func readsTheWordsOfItsKind(kind: EventLinkKind, words: [String]) {
        #expect(words.map { EventLinkEvidence($0, of: kind)?.word } == words)
        let others = Set(["", "Reference", "whole", "rate", "moment", "plan", "account"]).subtracting(words)
        #expect(others.allSatisfy { EventLinkEvidence($0, of: kind) == nil })
    }

    @Test func oneWordOfTwoKindsIsTwoKindsOfEvidence() {
        #expect(EventLinkEvidence("reference", of: .settles) == .finalAmount(.reference))
        #expect(EventLinkEvidence("reference", of: .sameEvent) == .sameEvent(.reference))
        #expect(EventLinkEvidence("person", of: .refund) == .person)
    }
}
