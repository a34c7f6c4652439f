import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Final amounts of authorisations, and purchases that are paid in instalments.
@Suite struct FinalAmountTests {
    static let asha = Actor(.page, "asha")
    static let rrn = "607812345999"

    static func spend(
        _ uid: UInt32, _ minor: Int64, on day: String = "2026-01-05", at merchant: String = "QUIET FUELS",
        channel: Channel = .card, reference: String? = rrn, template: String = "hdfc/card-spend",
        currency: Currency = .inr
    ) -> MailEntry {
        var decision = decision(
            .recorded,
            draft(minor, channel: channel, on: day, merchant: merchant, reference: reference, currency: currency))
        decision.source?.template = template
        return mail(uid, decision)
    }

    func links(_ f: Fixture) throws -> [String] {
        try f.store.eventLinks.list(Set(EventLinkRow.State.allCases)).reversed().map {
            "\($0.kind) \($0.state) \($0.from.id) \($0.to.id) \($0.evidence.word)"
        }
    }

    func spent(_ f: Fixture) throws -> Int64 {
        try f.store.statistics.totals(of: DaySpan(days: 365, through: date("2026-12-31"))).first?.spent.minorUnits ?? 0
    }

    /// - Parameter spent: the sum of what counts.
    @Test(
        arguments: [
            ("fuel", spend(2, 194_500, on: "2026-01-06"), .recorded, ["settles made 2 1 reference"], 194_500),
            ("a tip", spend(2, 230_000), .recorded, ["settles made 2 1 reference"], 230_000),
            ("another payee", spend(2, 194_500, at: "TOY BARN"), .review, [], 200_000),
            ("a number of a customer", spend(2, 194_500, channel: .upi), .recorded, [], 394_500),
            ("before it", spend(2, 194_500, on: "2026-01-04"), .review, [], 200_000),
            ("after 30 days", spend(2, 194_500, on: "2026-02-05"), .review, [], 200_000),
            ("another reference", spend(2, 194_500, reference: "607812346000"), .recorded, [], 394_500),
        ] as [(String, MailEntry, Outcome, [String], Int64)])
    func aFinalAmountReplacesItsAuthorisation(
        item: (name: String, mail: MailEntry, outcome: Outcome, links: [String], spent: Int64)
    ) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.spend(1, 200_000)])
        #expect(try f.store.recording.record([item.mail]).map(\.outcome) == [item.outcome], "\(item.name)")
        #expect(try links(f) == item.links, "\(item.name)")
        #expect(try spent(f) == item.spent, "\(item.name)")
        guard let link = try f.store.eventLinks.list().first else { return }
        #expect(try f.store.recording.record([item.mail]).map(\.isNew) == [false])
        try f.store.eventLinks.reject(link.id, by: Self.asha)
        #expect(try spent(f) == item.spent + 200_000)
    }

    @Test func anEditedAuthorisationIsAskedFor() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.spend(1, 200_000)])
        var edit = TransactionEdit()
        edit.notes = .set("for Ravi")
        try f.store.transactions.change(1, edit, by: Self.asha)
        #expect(try f.store.recording.record([Self.spend(2, 194_500)]).map(\.outcome) == [.review])
    }

    /// The statement has another amount of the payee, and not the one of the mail.
    @Test func aLineOfAStatementIsProposed() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.spend(1, 200_000, reference: nil), Self.spend(2, 90_000, reference: nil),
            Self.spend(3, 190_000, at: "TOY BARN", reference: nil),
        ])
        let account = try #require(try f.store.userAccounts.all().first).id
        let statement = StatementTests.statement([(5, -194_500, "QUIET FUELS", nil)])
        let row = try f.store.statements.add(
            statement, account: account, digest: StatementTests.digest, file: "a.csv"
        ).row
        let booked = try f.store.statements.book(row.id, lines: [0], by: .terminal)
        #expect(booked.transactions == [4])
        #expect(try links(f) == ["settles proposed 4 1 statement"])
        let before = try spent(f)
        try f.store.eventLinks.confirm(try #require(try f.store.eventLinks.list().first).id, by: Self.asha)
        #expect(try spent(f) == before - 200_000)
        #expect(try f.store.statements.undo(row.id, by: .terminal).kept == [4], "what it replaces would be lost")
    }

    /// The alert prints dollars, the statement rupees.
    @Test func aLineInAnotherCurrencyIsProposedByTheRate() throws {
        let f = try Fixture()
        let usd = try #require(Currency(code: "USD"))
        _ = try f.store.recording.record([
            Self.spend(1, 90_000, at: "TOY BARN", reference: nil),
            Self.spend(2, 10_000, reference: nil, currency: usd),
        ])
        let rate = ExchangeRate(
            day: date("2026-01-04"), base: usd, quote: .inr, billionths: 85_000_000_000, source: .ecb)
        try f.store.exchangeRates.add([try #require(rate)])
        let account = try #require(try f.store.userAccounts.all().first).id
        let statement = StatementTests.statement([(7, -880_000, "QUIET FUELS", nil)])
        let row = try f.store.statements.add(
            statement, account: account, digest: StatementTests.digest, file: "a.csv"
        ).row
        #expect(try f.store.statements.book(row.id, lines: [0], by: .terminal).transactions == [3])
        #expect(try links(f) == ["settles proposed 3 2 rate"])
        try f.store.eventLinks.confirm(try #require(try f.store.eventLinks.list().first).id, by: Self.asha)
        #expect(try f.store.transactions.find(2) == nil, "the statement's amount stands for it")
        #expect(try spent(f) == 970_000)
        try f.store.eventLinks.reject(try #require(try f.store.eventLinks.list().first).id, by: Self.asha)
        #expect(try f.store.transactions.find(2)?.amount.currency == usd)
        #expect(throws: StoreError.self, "of no other kind") {
            try f.store.eventLinks.link(3, to: 2, as: .sameEvent, by: Self.asha)
        }
        #expect(try f.store.integrityDefects() == [])
    }

    private static func conversion(_ uid: UInt32, _ minor: Int64, in parts: Int64?, of merchant: String?) -> MailEntry {
        var decision = Decision(
            .ignored, by: Decision.Source(profile: "hdfc", template: "_india/instalments", isAuthentic: true))
        var notice = BankNotice(.instalments)
        (notice.amount, notice.minimum) = (rupees(minor), parts.map { rupees($0) })
        (notice.account, notice.merchant) = ("4321", merchant)
        decision.notice = notice
        return mail(uid, decision)
    }

    /// The bank's mail has the price and one instalment, so that nobody is asked.
    @Test(
        arguments: [
            ("a plan", [conversion(9, 3_000_000, in: 1_100_000, of: "QUIET FUELS")], ["made", "made"]),
            ("another purchase", [conversion(9, 2_900_000, in: 1_100_000, of: nil)], []),
            ("another merchant", [conversion(9, 3_000_000, in: 1_100_000, of: "TOY BARN")], []),
            ("no instalment printed", [conversion(9, 3_000_000, in: nil, of: nil)], []), ("no plan", [], []),
        ] as [(String, [MailEntry], [String])]
    ) func aPlanLinksItsInstalments(name: String, plans: [MailEntry], states: [String]) throws {
        let f = try Fixture()
        let parts = (2...3 as ClosedRange<UInt32>).map {
            Self.spend($0, 1_100_000, on: "2026-0\($0)-05", at: "EMI", reference: nil, template: "hdfc/card-emi")
        }
        _ = try f.store.recording.record([Self.spend(1, 3_000_000, reference: nil)] + plans + parts)
        #expect(try links(f) == zip(states, 2...3).map { "instalment \($0) 1 \($1) plan" }, "\(name)")
        #expect(try spent(f) == (states.isEmpty ? 5_200_000 : 3_000_000), "\(name)")
    }

    @Test func aPlanThatTwoPurchasesFitIsAskedFor() throws {
        let f = try Fixture()
        let mails = [
            Self.spend(1, 3_000_000, reference: nil), Self.spend(2, 3_000_000, on: "2026-01-07", reference: nil),
            Self.conversion(9, 3_000_000, in: 1_100_000, of: nil),
            Self.spend(3, 1_100_000, on: "2026-02-05", at: "EMI", reference: nil, template: "hdfc/card-emi"),
        ]
        _ = try f.store.recording.record(mails)
        #expect(try links(f).sorted() == ["instalment proposed 1 3 plan", "instalment proposed 2 3 plan"])
    }

    /// The purchase is the expense; what the instalments add to it is one more.
    @Test func instalmentsCountNoSecondTime() throws {
        let f = try Fixture()
        let parts = (2...4 as ClosedRange<UInt32>).map {
            Self.spend($0, 1_100_000, on: "2026-0\($0)-05", reference: nil, template: "hdfc/card-emi")
        }
        _ = try f.store.recording.record([Self.spend(1, 3_000_000, reference: nil)] + parts)
        #expect(try links(f) == (2...4).map { "instalment proposed 1 \($0) payee" })
        #expect(try spent(f) == 6_300_000)
        for (link, sum) in zip(try f.store.eventLinks.list().reversed(), [5_200_000, 4_100_000, 3_300_000] as [Int64]) {
            try f.store.eventLinks.confirm(link.id, by: Self.asha)
            #expect(try spent(f) == sum)
        }
        let year = DaySpan(days: 365, through: date("2026-12-31"))
        let totals = try #require(try f.store.statistics.totals(of: year).first)
        #expect((totals.spent.minorUnits, totals.transferred.minorUnits) == (3_300_000, 2_200_000))
        let sums = try f.store.statistics.sums(of: year, in: .inr, by: .month)
        #expect(sums.categories.reduce(0) { $0 + $1.spent.minorUnits } == 3_300_000)
        #expect(sums.buckets.map(\.spent.minorUnits).filter { $0 != 0 } == [3_000_000, 300_000])
        let over = try f.store.statistics.spendOverTime(of: year, in: .inr, by: .month)
        #expect(over.map(\.spent.minorUnits) == sums.buckets.map(\.spent.minorUnits))
        #expect(try f.store.statistics.spendByCategory(of: year, in: .inr).map(\.spent.minorUnits) == [3_300_000])
        #expect(throws: StoreError.self, "a part of a purchase has no parts") {
            try f.store.transactions.split(
                2, [SplitPart(category: "Food", minorUnits: 1), SplitPart(category: "House", minorUnits: 1_099_999)],
                by: Self.asha)
        }
        #expect(throws: StoreError.self, "a cycle") {
            try f.store.eventLinks.link(2, to: 1, as: .instalment, by: Self.asha)
        }
        try f.store.journal.undo(group: try #require(try f.store.journal.changes().first).group)
        #expect(try spent(f) == 4_100_000)
        try f.store.transactions.delete(1, by: Self.asha)
        #expect(try spent(f) == 3_300_000, "without the purchase, its instalments are expenses")
    }
}
