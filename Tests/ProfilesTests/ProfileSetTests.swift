import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

@Suite struct DecisionTests {
    func decide(
        _ message: Message, _ set: ProfileSet? = nil, policy: AuthenticationPolicy = .unverified
    ) throws -> Decision {
        try (set ?? ProfileFolder.set()).claim(message).decide(trusting: policy, receivedAt: nil)
    }

    static let genuine = "Rs.1,234.50 spent at SHOP ONE on 05-01-26 at 17:58:01 card 4321"

    @Test func aClaimedAlertIsRecordedWithItsSpans() throws {
        let decision = try decide(mail(Self.genuine))
        #expect(decision.outcome == .recorded && decision.template == "bank/spend" && decision.confidence == 1)
        let draft = try #require(decision.draft)
        #expect(draft.amount.description == "INR 1234.50" && draft.merchant == "SHOP ONE" && draft.account == "4321")
        #expect(draft.date.description == "2026-01-05" && draft.time?.description == "17:58:01")
        // 17:58:01 in India is 12:28:01 UTC.
        #expect(draft.occurredAt == 1_767_616_081)
        #expect(draft.spans[.amount] == 3..<11)
        #expect(draft.patterns[.amount]?.name == "body_pattern" && Set(draft.patterns.keys) == Set(draft.spans.keys))
    }

    @Test func eachFieldNamesThePatternThatSetIt() throws {
        let spend = """
            template: bank/spend
            kind: transaction
            extract:
              body_pattern:
                - 'Rs\\.(?<amount>[\\d,.]+) \\s paid \\s to \\s (?<merchant>.{1,60}?) \\s on'
                - 'Rs\\.(?<amount>[\\d,.]+) \\s spent \\s at \\s (?<merchant>.{1,60}?) \\s on'
              date_regex: '\\bon \\s (\\d\\d-\\d\\d-\\d\\d)'
              account_regex: 'card \\s (?<account>\\d{4})'
              type: expense
              channel: card

            """
        let draft = try #require(try decide(mail(Self.genuine), ProfileFolder.set(["bank/spend.yaml": spend])).draft)
        #expect(
            draft.patterns.mapValues(\.name) == [
                .amount: "body_pattern 2 of 2", .merchant: "body_pattern 2 of 2", .date: "date_regex",
                .account: "account_regex",
            ])
        #expect(try decide(mail("Avl Bal: Rs.9. INR 250.00 paid to CORNER STORE on 05-01-26")).draft?.patterns == [:])
    }

    @Test func subjectCompletesTheText() throws {
        let spend = """
            template: bank/spend
            kind: transaction
            match:
              subject_pattern: 'card \\s (?<account>\\d{4}) \\s at \\s (?<merchant>.{1,60})'
            extract:
              body_pattern: 'Rs\\.(?<amount>[\\d,.]+) \\s spent (?: \\s at \\s (?<merchant>.{1,60}?) \\s on \\b )?'
              type: expense
              channel: card

            """
        let set = try ProfileFolder.set(["bank/spend.yaml": spend])
        func read(_ text: String) throws -> TransactionDraft? {
            try decide(
                Message(
                    parsing: Array(
                        "From: alerts@bank.example\r\nSubject: Spent on card 4321 at SHOP TWO\r\nDate: Mon, 05 Jan 2026 18:00:00 +0530\r\n\r\n\(text)"
                            .utf8)), set
            ).draft
        }
        let draft = try #require(try read("Rs.5.00 spent."))
        #expect(
            draft.account == "4321" && draft.merchant == "SHOP TWO" && draft.spans[.account] == nil
                && draft.patterns[.account]?.name == "subject_pattern")
        #expect(try read("Rs.5.00 spent at SHOP ONE on 05-01-26")?.merchant == "SHOP ONE")
    }

    @Test(arguments: [
        ("from another sender", "Rs.5 spent at A on 05-01-26 card 1111", "friend@elsewhere.example", Outcome.unclaimed),
        ("from a look-alike domain", genuine, "alerts@bank.example.evil.example", .unclaimed),
        ("a display name that is a bank's address", genuine, "\"alerts@bank.example\" <x@evil.example>", .unclaimed),
        ("from two, one of them the bank", genuine, "alerts@bank.example, x@evil.example", .quarantined),
        ("from a new address of the bank", genuine, "cards@bank.example", .review),
        ("an OTP", "482910 is your OTP for Rs.5,000.00 at SHOP", "alerts@bank.example", .ignored),
        (
            "nothing that a template knows, with an amount", "Your account was debited by Rs.70.00",
            "alerts@bank.example", .review
        ),
        ("no transaction at all", "We have moved our office", "alerts@bank.example", .ignored),
        ("an impossible date", "Rs.5 spent at A on 31-02-26 card 1111", "alerts@bank.example", .review),
        ("a date in the future", "Rs.5 spent at A on 25-01-26 card 1111", "alerts@bank.example", .review),
        ("a date long past", "Rs.5 spent at A on 25-12-25 card 1111", "alerts@bank.example", .review),
        ("an amount that may be two", "Rs.1.234 spent at A on 05-01-26 card 1111", "alerts@bank.example", .review),
        ("an amount of nothing", "Rs.0.00 spent at A on 05-01-26 card 1111", "alerts@bank.example", .review),
    ]) func outcomes(name: String, body: String, from: String, expected: Outcome) throws {
        #expect(try decide(mail(body, from: from)).outcome == expected)
    }

    @Test func templatesInConflict() throws {
        let rival = ProfileFolder.spend.replacingOccurrences(of: "bank/spend", with: "bank/rival").replacingOccurrences(
            of: "Rs", with: "rs")
        let decision = try decide(mail(Self.genuine), ProfileFolder.set(["bank/rival.yaml": rival]))
        #expect(decision.outcome == .review && decision.reasons.contains { $0.factor == .contested })
        #expect(decision.draft?.amount.decimal == "1234.50")
    }

    @Test func alertWithoutRequiredAuthenticationIsQuarantined() throws {
        #expect(try decide(mail(Self.genuine), policy: .pinned(authservID: "mx.example")).outcome == .quarantined)
        let signed = "Authentication-Results: mx.example; dmarc=pass header.from=bank.example\r\n"
        #expect(
            try decide(mail(Self.genuine, headers: signed), policy: .pinned(authservID: "mx.example")).outcome
                == .recorded)
    }

    @Test func theGenericReaderSkipsBalancesAndLimits() throws {
        let decision = try decide(
            mail("Avl Bal: Rs.90,000.00. INR 250.00 paid to CORNER STORE on 05-01-26 from A/c XX9876"))
        #expect(decision.outcome == .review && decision.template == "generic")
        #expect(decision.draft?.amount.decimal == "250.00" && decision.draft?.account == "9876")
    }

    @Test(arguments: [
        ("04:03:50", "Mon, 05 Jan 2026 16:04:01 +0530", "16:03:50"),
        ("04:03:50", "Mon, 05 Jan 2026 04:04:10 +0530", "04:03:50"),
        ("12:30:00", "Mon, 05 Jan 2026 12:31:00 +0530", "12:30:00"),
        ("12:30:00", "Mon, 05 Jan 2026 00:31:00 +0530", "00:30:00"),
        ("17:58:01", "Mon, 05 Jan 2026 18:00:00 +0530", "17:58:01"),
    ])
    func anUnmarkedTwelveHourTimeIsTheNearestBeforeArrival(printed: String, arrival: String, expected: String) throws {
        let set = try ProfileFolder.set(["bank/spend.yaml": ProfileFolder.spend + "\n  time_format: hh:mm:ss\n"])
        let decision = try decide(mail("Rs.5 spent at A on 05-01-26 at \(printed) card 1111", date: arrival), set)
        #expect(decision.draft?.time?.description == expected)
    }

    @Test func aMissingDateIsTheDayOfArrivalInTheBanksZone() throws {
        let set = try ProfileFolder.set([
            "bank/spend.yaml": ProfileFolder.spend.replacingOccurrences(
                of: #"\s on \s (?<date>\S+) (?: \s at \s (?<time>[\d:]+) )?"#, with: "")
        ])
        // Sent at 20:00 UTC on the 4th: already the 5th in India.
        let decision = try decide(mail("Rs.5 spent at A card 1111", date: "Sun, 04 Jan 2026 20:00:00 +0000"), set)
        #expect(decision.draft?.date.description == "2026-01-05" && decision.reasons.map(\.name) == ["date_missing"])
        #expect(decision.outcome == .recorded)
    }

    @Test func aMerchantsNameCannotForgeTheAmount() throws {
        let decision = try decide(mail("Rs.10.00 spent at X Rs.9,999.00 spent at Y on 05-01-26 card 1111"))
        #expect(decision.draft?.amount.decimal == "10.00")
    }
}

@Suite struct LoaderErrorTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var file: String
        var text: String
        var says: String
        var testDescription: String { says }
    }

    static let faults = [
        Fault(
            file: "bank/spend.yaml",
            text: ProfileFolder.spend.replacingOccurrences(of: "type: expense", with: "typ: expense"),
            says: "spend.yaml:5:3: unknown key 'typ'"),
        Fault(
            file: "bank/spend.yaml",
            text: ProfileFolder.spend.replacingOccurrences(of: "(?<merchant>", with: "(?<shop>"),
            says: "the group 'shop' is not a field"),
        Fault(
            file: "bank/spend.yaml",
            text: ProfileFolder.spend.replacingOccurrences(of: "spent \\s at", with: "spent ( \\s at"),
            says: "spend.yaml:4:"),
        Fault(
            file: "bank/spend.yaml", text: ProfileFolder.spend.replacingOccurrences(of: "(?<amount>", with: "(?<date>"),
            says: "nothing here reads an amount"),
        Fault(file: "bank/other.yaml", text: ProfileFolder.otp, says: "named 'bank/otp' but is in bank/other.yaml"),
        Fault(
            file: "bank/otp.yaml",
            text: ProfileFolder.otp.replacingOccurrences(of: "reason: otp", with: "reason: because"),
            says: "unknown value 'because'"),
        Fault(
            file: "bank/spend.yaml",
            text: ProfileFolder.spend.replacing(
                "extract:", with: "match:\n  subject_pattern: '(?<amount>\\d{1,9})'\nextract:"),
            says: "a subject cannot set amount"),
        Fault(
            file: "bank/otp.yaml", text: "template: bank/otp\nkind: ignore\nreason: otp\n",
            says: "needs a subject_pattern or a body_pattern"),
        Fault(
            file: "bank/_bank.yaml",
            text: ProfileFolder.bank.replacingOccurrences(of: "Asia/Kolkata", with: "Asia/Nowhere"),
            says: "unknown time zone"),
        Fault(
            file: "bank/_bank.yaml",
            text: ProfileFolder.bank.replacingOccurrences(of: "alerts@bank.example", with: "alerts@other.example"),
            says: "is not at one of the bank's domains"),
        Fault(file: "twin/_bank.yaml", text: ProfileFolder.bank, says: "the domain bank.example is also bank's"),
        Fault(file: "stray/x.yaml", text: ProfileFolder.otp, says: "has no _bank.yaml"),
        Fault(file: "_common.yaml", text: "define: '(?(DEFINE)(?<x>a)'", says: "_common.yaml:1:"),
    ]

    @Test(arguments: faults) func areNamedWithTheirPlace(fault: Fault) throws {
        let error = #expect(throws: SourceErrors.self) { try ProfileFolder.set([fault.file: fault.text]) }
        #expect(error?.description.contains(fault.says) == true, "\(error?.description ?? "loaded")")
    }

    @Test func allErrorsAreReportedTogether() throws {
        let error = #expect(throws: SourceErrors.self) {
            try ProfileFolder.set(["bank/otp.yaml": "x: 1", "bank/spend.yaml": "y: 1"])
        }
        #expect(error?.errors.count == 2)
    }

    @Test func aPatternsErrorPointsIntoABlockScalar() throws {
        let block =
            "template: bank/spend\nkind: transaction\nextract:\n  body_pattern: |-\n    (?<amount>\\d+)\n    \\s spent ( \n  type: expense\n  channel: card\n"
        let error = #expect(throws: SourceErrors.self) { try ProfileFolder.set(["bank/spend.yaml": block]) }
        #expect(error?.errors.first?.line == 6, "\(error?.description ?? "")")
    }
}

@Suite struct CommonPieceTests {
    /// Three pieces of which two exceed the 64 KiB of one compiled pattern.
    static func common(_ last: String) -> String {
        let words = String(repeating: "a", count: 20_000)
        return "define: '(?(DEFINE) (?<x> \(words) ) (?<y> \(words) ) (?<word> \(last) ))'\n"
    }

    static let spend = ProfileFolder.spend.replacingOccurrences(of: "spent", with: "(?&word)")

    @Test func mayExceedOnePattern() throws {
        let set = try ProfileFolder.set(["_common.yaml": Self.common("spent"), "bank/spend.yaml": Self.spend])
        let decision = set.claim(mail(DecisionTests.genuine)).decide(trusting: .unverified, receivedAt: nil)
        #expect(decision.template == "bank/spend")
    }

    @Test func anErrorInOneOfManyNamesThePiece() throws {
        let error = #expect(throws: SourceErrors.self) {
            try ProfileFolder.set(["_common.yaml": Self.common("(?&none)"), "bank/spend.yaml": Self.spend])
        }
        #expect(error?.description.contains("'word' does not compile") == true, "\(error?.description ?? "loaded")")
    }

    /// A lookbehind begins like a piece.
    @Test(arguments: ["(?<=a)", "(?<!a)"]) func onlyNamedGroupsArePieces(group: String) throws {
        let set = try ProfileFolder.set([
            "_common.yaml": "define: '(?(DEFINE) \(group) (?<word> spent ))'\n", "bank/spend.yaml": Self.spend,
        ])
        let decision = set.claim(mail(DecisionTests.genuine)).decide(trusting: .unverified, receivedAt: nil)
        #expect(decision.template == "bank/spend")
    }

    @Test(arguments: ["(?<word", "(?<word) spent", "(?<word(?&a> spent )"]) func aNameWithoutItsEndIsAnError(
        group: String
    ) {
        #expect(throws: SourceErrors.self) {
            try ProfileFolder.set(["_common.yaml": "define: '(?(DEFINE) \(group) (?<a> b ))'\n"])
        }
    }
}

@Suite struct OverrideTests {
    @Test func aLaterFolderOverridesByPath() throws {
        let shipped = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": ProfileFolder.spend,
            "bank/otp.yaml": ProfileFolder.otp,
        ])
        let own = try ProfileFolder([
            "bank/spend.yaml": ProfileFolder.spend.replacingOccurrences(of: "spent", with: "used")
        ])
        let set = try ProfileSet(directories: [shipped.path, own.path])
        let decision = set.claim(mail("Rs.5 used at A on 05-01-26 card 1111")).decide(
            trusting: .unverified, receivedAt: nil)
        #expect(decision.template == "bank/spend" && set.banks.count == 1 && set.banks[0].templates.count == 2)
    }
}

@Suite struct FirstReleaseTests {
    @Test func banksOfTheFirstReleaseExist() throws {
        let keys = try ShippedProfiles.all.get().banks.map(\.key)
        #expect(Set(["hdfc", "icici", "sbi", "sbicard"]).isSubset(of: keys))
    }
}
