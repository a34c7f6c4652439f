import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Notices of recorded mails.
@Suite struct NoticeRowsTests {
    private static func ignored(_ minor: Int64?, isAuthentic: Bool = true) -> Decision {
        var decision = Decision(
            .ignored, by: Decision.Source(profile: "hdfc", template: "hdfc/statement", isAuthentic: isAuthentic))
        guard let minor else { return decision }
        var notice = BankNotice(.bill)
        notice.amount = Money(minorUnits: minor, currency: .inr)
        notice.account = "4321"
        notice.date = CalendarDate(year: 2026, month: 2, day: 20)
        decision.notice = notice
        return decision
    }

    private static let row =
        "SELECT kind || ' ' || profile || ' ' || account_digits || ' ' || amount_minor || ' ' || currency || ' ' || day FROM notices"

    @Test func anAuthenticNoticeIsWrittenWithItsMail() throws {
        let f = try Fixture()
        let mails = [
            mail(1, Self.ignored(120_000)), mail(2, Self.ignored(5000, isAuthentic: false)), mail(3, Self.ignored(nil)),
        ]
        _ = try f.store.recording.record(mails)
        #expect(try f.count("notices") == 1 && f.count("transactions") == 0)
        #expect(try f.value(Self.row) == "bill hdfc 4321 120000 INR 2026-02-20")
    }

    private static func figure(
        _ kind: BankNotice.Kind, _ digits: String, isAuthentic: Bool = true
    ) -> Decision {
        var decision = Self.ignored(5_000_00, isAuthentic: isAuthentic)
        decision.source?.bank = "HDFC Bank"
        decision.notice?.kind = kind
        decision.notice?.account = digits
        return decision
    }

    /// - Parameter accounts: name, type and currency of each, in the order of their numbers.
    @Test(
        arguments: [
            ("a balance", [figure(.balance, "4082")], ["HDFC Bank ··4082 bank INR 4082"]),
            ("a limit", [figure(.limit, "4082")], ["HDFC Bank ··4082 card INR 4082"]),
            ("twice", [figure(.balance, "4082"), figure(.balance, "4082")], ["HDFC Bank ··4082 bank INR 4082"]),
            (
                "more digits", [figure(.balance, "4082"), figure(.balance, "994082")],
                ["HDFC Bank ··4082 bank INR 4082"]
            ),
            ("forged", [figure(.balance, "4082", isAuthentic: false)], []), ("a bill", [figure(.bill, "4082")], []),
            ("an account of alerts", [decision(.recorded, draft(account: "4082")), figure(.balance, "4082")], nil),
        ] as [(String, [Decision], [String]?)]
    ) func aBalanceOfAnUnknownAccountMakesIt(name: String, decisions: [Decision], accounts: [String]?) throws {
        let f = try Fixture()
        let mails = decisions.enumerated().map { mail(UInt32($0.offset + 1), $0.element) }
        _ = try f.store.recording.record(mails)
        let rows = try f.store.userAccounts.all()
        guard let accounts else {
            #expect(rows.count == 1)
            return
        }
        let found = rows.map { row in
            "\(row.name) \(row.type) \(row.currency.code) \(row.numbers.map(\.digits).joined(separator: ","))"
        }
        #expect(found == accounts, "\(name)")
        #expect(rows.allSatisfy { $0.isNew }, "a person has not confirmed it")
        guard let account = rows.first else { return }
        let position = try f.store.userAccounts.position(account.id)
        let printed = account.type == .card ? position.available : position.balance
        #expect(printed == rupees(500_000))
        _ = try f.store.recording.record([mail(20, decision(.recorded, draft(account: "124082")))])
        #expect(try f.store.userAccounts.all().count == 1, "its alerts are of this account")
    }

    @Test func theSameMailAgainHasNoSecondNotice() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, Self.ignored(120_000))])
        let copy = mail(1, Self.ignored(120_000), folder: "Archive")
        #expect(try f.store.recording.record([copy]).first?.outcome == .duplicate)
        #expect(try f.count("notices") == 1)
    }

    @Test func aRescanReadsTheNoticeOfAnIgnoredMail() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, Self.ignored(nil))])
        for (amount, redeciding, expected) in [
            (Int64(9), [], nil), (120_000, Outcome.redecidable, "bill hdfc 4321 120000 INR 2026-02-20"),
            (130_000, Outcome.redecidable, "bill hdfc 4321 130000 INR 2026-02-20"),
        ] as [(Int64, Set<Outcome>, String?)] {
            _ = try f.store.recording.record([mail(1, Self.ignored(amount))], redeciding: redeciding)
            #expect(try f.value(Self.row) == expected)
        }
        #expect(try f.value("SELECT status FROM processed_emails") == "ignored")
    }

    @Test func aMailThatIsBookedAfterAllLosesItsNotice() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, Self.ignored(120_000))])
        _ = try f.store.recording.record([mail(1, decision())], redeciding: Outcome.redecidable)
        #expect(try f.count("notices") == 0 && f.count("transactions") == 1)
    }

    @Test(arguments: [
        "kind = 'other'", "profile = ''", "amount_minor = -1", "currency = NULL",
        "amount_minor = NULL, currency = NULL",
        "kind = 'instalments', account_digits = NULL", "minimum_minor = 120001", "day = '2026-2-1'",
        "kind = 'mandate', day = NULL",
        "kind = 'balance', account_digits = NULL", "source_email_id = 'none'",
    ])
    func theSchemaRefuses(_ change: String) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, Self.ignored(120_000))])
        #expect(throws: (any Error).self) {
            try f.store.writeDatabase { try $0.execute(sql: "UPDATE notices SET \(change)") }
        }
        #expect(try f.value(Self.row) == "bill hdfc 4321 120000 INR 2026-02-20")
    }
}
