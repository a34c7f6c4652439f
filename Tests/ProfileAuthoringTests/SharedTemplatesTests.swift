import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import ProfileAuthoring
@testable import Profiles

@Suite struct SharedTemplatesTests {
    static let bank = ProfileFolder.bank + "shared: [_shop]\n"
    static let other = "name: Other\ndomains: [other.example]\nshared: _shop\n"
    static let refund = #"""
        template: _shop/refund
        kind: transaction
        extract:
          body_pattern: 'Rs\.(?<amount>[\d,.]*\d) \s refunded \s by \s (?<merchant>.{1,60}?) \s on \s (?<date>\S{8})'
          channel_regex: '\s (?:by|through) \s (?<channel> UPI | cash \s withdrawal )'
          type: income
          channel: card
        samples:
          - name: a refund
            text: Rs.5 refunded by HILL COFFEE on 05-01-26 through UPI
            expect: { amount: '5', merchant: HILL COFFEE, date: 2026-01-05, channel: upi }
          - name: nothing
            text: Rs.5 is due
            expect: none

        """#
    static let proof = """
        samples:
          - name: as the bank writes it
            template: _shop/refund
            text: Rs.7 refunded by TIN ROOF on 05-01-26
            expect: { amount: '7', merchant: TIN ROOF, date: 2026-01-05, channel: card }

        """
    static let files = [
        "bank/_bank.yaml": bank, "bank/_samples.yaml": proof, "_shop/refund.yaml": refund, "other/_bank.yaml": other,
    ]

    static func set(_ more: [String: String] = [:]) throws -> ProfileSet {
        try ProfileFolder(files.merging(more, uniquingKeysWith: { $1 })).load()
    }

    static let refunded = "Rs.5 refunded by A on 05-01-26"

    func decide(_ set: ProfileSet, from: String = "alerts@bank.example", _ body: String = refunded) -> Decision {
        set.claim(mail(body, from: from)).decide(trusting: .unverified, receivedAt: nil)
    }

    @Test func banksReadByTheTemplatesThatTheyShare() throws {
        let set = try Self.set()
        #expect(
            set.banks.map(\.key) == ["bank", "other"] && set.shared.map(\.key) == ["_shop"] && set.templateCount == 1)
        for (bank, address) in [("bank", "alerts@bank.example"), ("other", "x@other.example")] {
            let decision = decide(set, from: address)
            #expect(decision.outcome == .recorded && decision.template == "_shop/refund" && decision.profile == bank)
        }
        #expect(set.senderDomains == ["bank.example", "other.example"])
    }

    @Test func sharedFolderIsNotABank() throws {
        #expect(decide(try Self.set(), from: "alerts@shop.example").outcome == .unclaimed)
    }

    @Test func bankTemplateTakesPrecedence() throws {
        let own = Self.refund.replacingOccurrences(of: "_shop/refund", with: "bank/back")
        let set = try Self.set(["bank/back.yaml": own])
        #expect(decide(set).template == "bank/back" && decide(set).outcome == .recorded)
        #expect(decide(set, from: "x@other.example").template == "_shop/refund")
        #expect(set.claim(mail(Self.refunded)).explain().nearest.map(\.template) == ["bank/back"])
    }

    @Test func sharedTemplatesInConflict() throws {
        let set = try Self.set([
            "_shop/rival.yaml": Self.refund.replacingOccurrences(of: "_shop/refund", with: "_shop/rival")
        ])
        #expect(decide(set).reasons.contains { $0.factor == .contested })
    }

    @Test func aLaterFolderOverridesASharedTemplate() throws {
        let (shipped, own) = (
            try ProfileFolder(Self.files),
            try ProfileFolder(["_shop/refund.yaml": Self.refund.replacingOccurrences(of: "refunded", with: "returned")])
        )
        let set = try ProfileSet(directories: [shipped.path, own.path])
        #expect(
            decide(set).template == "generic"
                && decide(set, "Rs.5 returned by A on 05-01-26").template == "_shop/refund")
    }

    @Test func theVersionOfABankFollowsWhatItShares() throws {
        let (before, after) = (try Self.set(), try Self.set(["_shop/refund.yaml": Self.refund + "# more\n"]))
        #expect(before.banks.map(\.version) != after.banks.map(\.version))
    }

    @Test(arguments: [("through UPI", Channel.upi), ("through CASH  WITHDRAWAL", .atm), ("", .card)])
    func theChannelMayBeRead(words: String, channel: Channel) throws {
        #expect(decide(try Self.set(), Self.refunded + " " + words).draft?.channel == channel)
    }

    @Test func samplesOfBothSortsAreRun() throws {
        let results = try Self.set().checkSamples()
        #expect(results.map(\.bank) == ["bank", "_shop", "_shop"] && results.allSatisfy(\.holds), "\(results)")
        let wrong = try Self.set([
            "bank/_samples.yaml": Self.proof.replacingOccurrences(of: "TIN ROOF, date", with: "TIN, date")
        ]).checkSamples().filter { !$0.holds }
        #expect(wrong.map(\.path.last) == ["l"] && wrong.first?.template == "_shop/refund" && wrong.first?.line == 2)
    }

    static let refused = [
        (
            "bank/_bank.yaml", ProfileFolder.bank + "shared: [_shed]\n",
            "_bank.yaml:6:10: there is no folder of shared templates named '_shed'"
        ),
        (
            "bank/_bank.yaml", ProfileFolder.bank + "shared: [_shop, _shop]\n",
            "_bank.yaml:6:17: '_shop' is listed twice"
        ),
        (
            "bank/_samples.yaml", proof.replacingOccurrences(of: "_shop/refund", with: "_shop/spend"),
            "_samples.yaml:3:15: '_shop/spend' is not a template of this bank"
        ),
        ("_shop/_bank.yaml", ProfileFolder.bank, "holds shared templates and is not a bank"),
        (
            "_shop/refund.yaml",
            refund.replacingOccurrences(of: "extract:", with: "match: { from: [a@bank.example] }\nextract:"),
            "a shared template has no senders"
        ),
    ]

    @Test(arguments: refused) func faultsAreNamedWithTheirPlace(file: String, text: String, says: String) throws {
        let error = #expect(throws: SourceErrors.self) { try Self.set([file: text]) }
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "loaded")")
    }

    @Test func lintFindsUnprovenAndUnusedPatterns() throws {
        let unproven = "other: no sample shows that '_shop' reads this bank's mails"
        #expect(try Self.set().lint().map { "\($0.template): \($0.message)" } == [unproven])
        let unused = try Self.set([
            "_shed/refund.yaml": Self.refund.replacingOccurrences(of: "_shop/refund", with: "_shed/refund")
        ])
        #expect(unused.lint(["_shed"]).map(\.message) == ["no bank uses the templates of '_shed'"])
        let rival = Self.refund.replacingOccurrences(of: "_shop/refund", with: "_shop/rival")
        let contested = try Self.set(["_shop/rival.yaml": rival]).lint(["bank"])
        #expect(
            contested.map(\.message) == [
                "sample 'as the bank writes it' is contested: _shop/refund and _shop/rival claim it"
            ] && contested.first?.line == 2)
    }
}
