import Chronology
import ChronologyFixture
import InternetMessage
import Ledger
import Testing

@testable import Profiles

@Suite struct AccountTemplatesTests {
    static func account(
        _ id: String = "a", sender: String = "alerts@bank.example", amount: String? = #"INR ([\d,]+\.\d\d) spent"#,
        card: String? = nil, subject: String? = nil
    ) -> AccountProfile {
        var profile = AccountProfile(id: id, name: "Card")
        profile.senderEmail = sender
        profile.subjectPattern = subject
        profile.amountRegex = amount
        profile.dateRegex = #"on (\d\d-\d\d-\d{4})"#
        profile.merchantRegex = "at (.{1,40}?) on"
        profile.accountRegex = #"card (\d{4})"#
        profile.cardLastFour = card
        return profile
    }

    static func message(_ text: String, from: String = "alerts@bank.example", subject: String = "Alert") -> Message {
        Message(
            parsing: Array(
                "From: \(from)\r\nSubject: \(subject)\r\nDate: Mon, 05 Jan 2026 10:00:00 +0530\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(text)"
                    .utf8))
    }

    static let spent = "INR 1,234.50 spent on your card 4321 at CAFE NOIR on 05-01-2026."

    func decide(_ accounts: [AccountProfile], _ message: Message) throws -> Decision {
        let (set, problems) = try ProfileSet(only: []).adding(accounts: accounts)
        #expect(problems.isEmpty)
        return set.claim(message).decide(trusting: .unverified, receivedAt: nil)
    }

    @Test func accountTemplateReadsItsMail() throws {
        let decision = try decide([Self.account()], Self.message(Self.spent))
        #expect(decision.template == "accounts/a" && decision.outcome == .recorded, "\(decision)")
        let draft = try #require(decision.draft)
        #expect(
            draft.amount.decimal == "1234.50" && draft.merchant == "CAFE NOIR" && draft.account == "4321"
                && draft.date.description == "2026-01-05")
    }

    /// An account, a mail's text, its sender and its subject.
    static let others: [(String, AccountProfile, [String])] = [
        ("another address", account(), [spent, "someone@bank.example", "Alert"]),
        ("another domain", account(), [spent, "alerts@bank.example.evil.example", "Alert"]),
        ("another card", account(card: "9999"), [spent, "alerts@bank.example", "Alert"]),
        ("no amount", account(), ["Your statement is ready", "alerts@bank.example", "Alert"]),
        ("another subject", account(subject: "^Spent"), [spent, "alerts@bank.example", "Alert"]),
        ("no pattern for the amount", account(amount: nil), [spent, "alerts@bank.example", "Alert"]),
    ]

    @Test(arguments: others) func mailOfOtherSendersIsNotClaimed(
        name: String, account: AccountProfile, mail: [String]
    ) throws {
        #expect(
            try decide([account], Self.message(mail[0], from: mail[1], subject: mail[2])).template
                != account.templateName, "\(name)")
    }

    @Test func accountsInConflict() throws {
        let decision = try decide([Self.account("a"), Self.account("b")], Self.message(Self.spent))
        #expect(decision.outcome == .review && decision.reasons.contains { $0.factor == .contested })
        let told = try decide(
            [Self.account("a", card: "4321"), Self.account("b", card: "9999")], Self.message(Self.spent))
        #expect(told.template == "accounts/a" && told.outcome == .recorded)
    }

    @Test func invalidAccountIsLeftOut() throws {
        let (set, problems) = try ProfileSet(only: []).adding(accounts: [
            Self.account("a", amount: "("), Self.account("b"),
        ])
        #expect(problems.map(\.account.id) == ["a"] && problems.map(\.problem.field) == ["amount_regex"])
        #expect(
            set.claim(Self.message(Self.spent)).decide(trusting: .unverified, receivedAt: nil).template == "accounts/b")
    }

    static let wrong: [(String, String, String)] = [
        ("(", "amount_regex", "at byte"), ("a{9999999}", "amount_regex", "does not compile"),
        ("(?<other>x)", "amount_regex", "not a field"), ("(x+)+y", "amount_regex", "hostile"),
    ]

    @Test(arguments: wrong) func reportsTheFault(pattern: String, field: String, words: String) {
        let problems = Self.account(amount: pattern).problems()
        #expect(problems.map(\.field) == [field] && problems[0].detail.contains(words), "\(problems)")
    }

    @Test(arguments: ["x", "a@b", "a@b@c.de", "@b.de", "a b@c.de", "<a@b.de>"]) func addresses(sender: String) {
        #expect(Self.account(sender: sender).problems().map(\.field) == ["sender_email"])
    }

    static let plain: [(String, String)] = [
        ("a b", "a\\x20b"), ("a\\ b", "a\\x20b"), ("[ #]", "[\\x20\\#]"), ("a\\\\ b", "a\\\\\\x20b"), ("\\#", "\\#"),
        ("(?#x y)", "(?#x\\x20y)"), ("a\tb\n", "a\\tb\\n"),
    ]

    @Test(arguments: plain) func anyWhiteSpaceMatchesABlank(pattern: String, extended: String) {
        #expect(PlainPattern(pattern).extended == extended)
    }
}
