import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

/// Templates of `kind: notice`.
@Suite struct NoticeTemplateTests {
    static let bill = #"""
        template: bank/bill
        kind: notice
        notice: bill
        match: { body_pattern: 'statement \s is \s ready' }
        extract:
          amount_regex: 'Total \s due \s (?<amount> Rs\.[\d,.]*\d )'
          minimum_regex: 'Minimum \s due \s (?<minimum> Rs\.[\d,.]*\d )'
          date_regex: 'by \s (?<date> [\d-]+ )'
          account_regex: 'card \s (?<account> [X\d]+ )'
        """#

    private func decide(_ text: String, policy: AuthenticationPolicy = .trustDelivery) throws -> Decision {
        let set = try ProfileFolder.set(["bank/bill.yaml": Self.bill])
        return set.claim(mail(text)).decide(trusting: policy, receivedAt: nil)
    }

    private static let complete =
        "Your card XX4321 statement is ready. Total due Rs.1,234.50. Minimum due Rs.60. Pay by 20-01-26"

    @Test func printedValuesBecomeANoticeAndBookNothing() throws {
        for text in [
            Self.complete, Self.complete.replacing(". ", with: ".\r\n"), Self.complete.replacing(". ", with: ".\n"),
        ] {
            let decision = try decide(text)
            #expect(
                decision.outcome == .ignored && decision.draft == nil && decision.reasons.map(\.name) == ["statement"])
            let notice = try #require(decision.notice)
            #expect(
                BankNotice.Field.allCases.map { notice.text(of: $0) } == [
                    "1234.50", "INR", "60.00", "4321", nil, "2026-01-20", nil, nil, nil, nil,
                ])
        }
    }

    @Test(arguments: [
        // Nothing printed.
        "Your statement is ready.",
        // The needed field is missing.
        "Your statement is ready. Minimum due Rs.60. Pay by 20-01-26",
        // Not a day, and a day in another century.
        complete.replacing("20-01-26", with: "31-02-26"), complete.replacing("20-01-26", with: "20-01-2126"),
        // More minimum than total.
        complete.replacing("Rs.60", with: "Rs.6000"),
        // An amount that cannot be read for certain.
        complete.replacing("1,234.50", with: "1.234"),
    ])
    func aMailWithoutCertainValuesIsIgnored(_ text: String) throws {
        let decision = try decide(text)
        #expect(decision.outcome == .ignored && decision.template == "bank/bill" && decision.notice == nil)
    }

    @Test func onlyAnAuthenticMailCounts() throws {
        #expect(try decide(Self.complete).source?.isAuthentic == true)
        let offline = try decide(Self.complete, policy: .unverified)
        #expect(offline.notice != nil && offline.source?.isAuthentic == false)
        let forged = try decide(Self.complete, policy: .pinned(authservID: "mx.google.com"))
        #expect(forged.outcome == .quarantined && forged.notice == nil && forged.source?.isAuthentic == false)
    }

    @Test(arguments: [
        (bill.replacing("notice: bill", with: "notice: dues"), "unknown value 'dues'"),
        (bill.replacing("kind: notice", with: "kind: ignore\nreason: otp"), "'notice' is for kind: notice only"),
        (bill.replacing("notice: bill\n", with: "notice: bill\nreason: otp\n"), "'reason' is for kind: ignore only"),
        (bill.replacing("(?<amount>", with: "(?:"), "no group is named 'amount'"),
        (
            bill.replacing("notice: bill", with: "notice: balance").replacing("account", with: "reference"),
            "nothing here reads 'account'"
        ),
        (bill.replacing("(?<date>", with: "(?<vpa>"), "the group 'vpa' is not a field"),
        (
            bill.replacing("match: { body_pattern: 'statement \\s is \\s ready' }\n", with: ""),
            "needs a subject_pattern or a body_pattern"
        ),
    ])
    func aFaultIsReported(_ text: String, _ message: String) throws {
        let errors = #expect(throws: SourceErrors.self) { try ProfileFolder.set(["bank/bill.yaml": text]) }
        #expect(errors?.description.contains(message) == true, "\(errors?.description ?? "")")
    }
}
