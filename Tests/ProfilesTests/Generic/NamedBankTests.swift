import Chronology
import ChronologyFixture
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

/// A bank that the user names by its domain alone.
@Suite struct NamedBankTests {
    static func place(_ text: String = "banks: [x]") throws -> SourcePlace {
        try YAMLFile(path: "spendwise.yaml", bytes: Array(text.utf8)).root().place
    }

    static let alert =
        "Dear Customer, INR 250.00 was paid to CORNER STORE on 05-01-26 at 17:41 from A/c XX9876. Avl Bal: INR 9,000.00"
    static let from = "alerts@examplebank.example"

    static func sets() throws -> [(String, ProfileSet)] {
        [
            (
                "in the configuration",
                try ProfileFolder.set().adding(
                    ProfileAdditions(banks: [.init(domain: "examplebank.example", place: place())]))
            ),
            (
                "by a profile of one line",
                try ProfileFolder.set(["other/_bank.yaml": "domains: [examplebank.example]\n"])
            ),
        ]
    }

    @Test func itsMailsWaitPrefilled() throws {
        for (name, set) in try Self.sets() {
            #expect(set.senderDomains == ["bank.example", "examplebank.example"])
            let decision = set.claim(mail(Self.alert, from: Self.from)).decide(
                trusting: .unverified, receivedAt: nil, autoConfirmAt: 0)
            #expect(decision.outcome == .review && decision.template == "generic" && decision.shape != nil, "\(name)")
            let draft = try #require(decision.draft)
            #expect(
                draft.amount.decimal == "250.00" && draft.account == "9876" && draft.date.description == "2026-01-05"
                    && draft.balance?.decimal == "9000.00", "\(name)")
            #expect(draft.merchant == "CORNER STORE", "\(name)")
        }
    }

    @Test func noThresholdBooksThem() throws {
        let set = try ProfileFolder.set().adding(
            ProfileAdditions(
                banks: [.init(domain: "examplebank.example", place: Self.place())],
                thresholds: [("examplebank.example", 0, Self.place())]
            ))
        #expect(
            set.claim(mail(Self.alert, from: Self.from)).decide(trusting: .unverified, receivedAt: nil).outcome
                == .review)
    }

    @Test(arguments: [
        ("a forged one", alert, from, AuthenticationPolicy.pinned(authservID: "mx.example"), Outcome.quarantined),
        ("nothing about money", "Our office has moved", from, .unverified, .ignored),
        ("another domain", alert, "alerts@mail.examplebank.example", .unverified, .unclaimed),
    ]) func isStillABank(
        name: String, body: String, from: String, policy: AuthenticationPolicy, outcome: Outcome
    ) throws {
        for (_, set) in try Self.sets() {
            #expect(set.claim(mail(body, from: from)).decide(trusting: policy, receivedAt: nil).outcome == outcome)
        }
    }

    @Test func configuredThresholdTakesPrecedence() throws {
        let text = "Rs.5.00 spent at A on 25-12-25 card 1111"
        let set = try ProfileFolder.set(["bank/_bank.yaml": ProfileFolder.bank + "auto_confirm_at: 0.9\n"])
        #expect(
            set.claim(mail(text)).decide(trusting: .unverified, receivedAt: nil, autoConfirmAt: 0.1).outcome == .review)
        let eased = try set.adding(ProfileAdditions(thresholds: [("bank", 0.6, Self.place())]))
        #expect(eased.claim(mail(text)).decide(trusting: .unverified, receivedAt: nil).outcome == .recorded)
    }

    static let faults: [([String], [String], String)] = [
        (["bank.example"], [], "spendwise.yaml:1:1: bank.example is a domain of Test Bank already"),
        ([], ["hdcf"], "spendwise.yaml:1:1: no profile is of a bank 'hdcf'"),
    ]

    @Test(arguments: faults) func mismatchesAreReportedWithTheirPlace(
        domains: [String], thresholds: [String], says: String
    ) throws {
        let place = try Self.place()
        let error = #expect(throws: SourceErrors.self) {
            try ProfileFolder.set().adding(
                ProfileAdditions(
                    banks: domains.map { .init(domain: $0, place: place) },
                    thresholds: thresholds.map { ($0, 0.5, place) }))
        }
        #expect(error?.description.hasPrefix(says) == true, "\(error?.description ?? "")")
    }
}
