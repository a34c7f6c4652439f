import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Several reports of one payment, from the mails on.
@Suite struct SameEventLinkTests {
    static let asha = Actor(.page, "asha")
    static let span = DaySpan(days: 59, through: date("2026-02-28"))
    static let rrn = "607812345999"

    /// - Parameter seconds: after the first report.
    static func report(
        _ uid: UInt32, _ minor: Int64 = 48_000, _ seconds: Int64? = 0, bank: String, template: String,
        channel: Channel = .upi, account: String? = nil, to merchant: String? = "TOY BARN", reference: String? = nil
    ) -> MailEntry {
        var draft = draft(minor, channel: channel, merchant: merchant, account: account, reference: reference)
        if let seconds {
            draft.time = TimeOfDay(iso: "08:0\(seconds / 60):\(String(seconds % 60 + 100).suffix(2))")
            draft.occurredAt = 1_767_600_000 + seconds
        }
        if account == nil { draft.balance = nil }
        var decision = decision(.recorded, draft, bank: bank)
        decision.source?.template = template
        return mail(uid, decision)
    }

    static func card(
        _ uid: UInt32, _ minor: Int64 = 48_000, _ seconds: Int64? = 0, to merchant: String? = "TOY BARN",
        reference: String? = nil
    ) -> MailEntry {
        report(
            uid, minor, seconds, bank: "hdfc", template: "hdfc/card-upi", channel: .card, account: "3307", to: merchant,
            reference: reference)
    }

    static func app(
        _ uid: UInt32, _ minor: Int64 = 48_000, _ seconds: Int64? = 5, to merchant: String? = "Toy Barn",
        reference: String? = nil
    ) -> MailEntry {
        report(uid, minor, seconds, bank: "bhim", template: "bhim/paid", to: merchant, reference: reference)
    }

    static func wallet(_ uid: UInt32, _ seconds: Int64? = 20, reference: String? = nil) -> MailEntry {
        report(
            uid, 48_000, seconds, bank: "paytm", template: "paytm/paid", channel: .wallet, account: "9911",
            to: "TOYBARN", reference: reference)
    }

    func links(_ f: Fixture) throws -> [String] {
        try f.store.eventLinks.list(Set(EventLinkRow.State.allCases)).reversed().map {
            "\($0.state) \($0.from.id) \($0.to.id) \($0.evidence.word)"
        }
    }

    func spent(_ f: Fixture) throws -> Int64 {
        try f.store.statistics.totals(of: Self.span).first?.spent.minorUnits ?? 0
    }

    func linked() throws -> Fixture {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.card(1, reference: Self.rrn), Self.app(2, reference: Self.rrn)])
        return f
    }

    /// - Parameter found: state, the transaction that counts, the other one, evidence.
    @Test(
        arguments: [
            ("one reference", [card(1, reference: rrn), app(2, reference: rrn)], ["made 1 2 reference"], 48_000),
            ("the card later", [app(1, reference: rrn), card(2, reference: rrn)], ["made 2 1 reference"], 48_000),
            (
                "three reports", [app(1, reference: rrn), card(2, reference: rrn), wallet(3, reference: rrn)],
                ["made 2 1 reference", "made 2 3 reference"], 48_000
            ),
            ("no reference", [card(1), app(2)], ["proposed 1 2 payee"], 96_000),
            ("another name", [card(1), app(2, to: "TB Retail Ltd")], ["proposed 1 2 time"], 96_000),
            ("a wallet", [card(1), wallet(2)], ["proposed 1 2 payee"], 96_000),
            ("two coffees", [card(1, 48_000, 10), card(2, 48_000, 40)], [], 96_000),
            ("two references", [card(1, reference: rrn), app(2, reference: "607812346000")], [], 96_000),
            ("another amount", [card(1, reference: rrn), app(2, 48_100, reference: rrn)], [], 96_100),
            (
                "two coffees, each reported twice",
                [card(1), card(2, 48_000, 100), app(3, 48_000, 2), app(4, 48_000, 103)],
                ["proposed 1 3 payee", "proposed 2 3 payee", "proposed 2 4 payee", "proposed 1 4 payee"], 192_000
            ),
        ] as [(String, [MailEntry], [String], Int64)], [true, false])
    func search(item: (name: String, mails: [MailEntry], found: [String], spent: Int64), atOnce: Bool) throws {
        let f = try Fixture()
        if atOnce {
            _ = try f.store.recording.record(item.mails)
        } else {
            for mail in item.mails { _ = try f.store.recording.record([mail]) }
        }
        #expect(try links(f).sorted() == item.found.sorted(), "\(item.name)")
        #expect(try spent(f) == item.spent, "\(item.name)")
        #expect(try f.store.eventLinks.search() == (0, 0), "nothing is found twice")
        #expect(try f.store.integrityDefects() == [])
    }

    /// Both mails are of one bank: the reference says that it is one payment, so that no person is asked.
    @Test func aSecondReportOfOneBankIsEvidence() throws {
        let f = try Fixture()
        let mails = [
            Self.card(1, reference: Self.rrn),
            Self.report(
                2, 48_000, 20, bank: "hdfc", template: "hdfc/account", account: "3307", reference: Self.rrn),
        ]
        #expect(try f.store.recording.record(mails).map(\.outcome) == [.recorded, .recorded])
        #expect(try links(f) == ["made 1 2 reference"])
        #expect(try f.store.review.queue().isEmpty)
        #expect(try f.store.recording.record(mails).map(\.isNew) == [false, false])
    }

    /// - Parameter told: the transactions that are announced.
    @Test(
        arguments: [
            ("one payment", [card(1, reference: rrn), app(2, reference: rrn)], "1"),
            ("the account's report later", [app(1, reference: rrn), card(2, reference: rrn)], "1"),
            ("three reports", [app(1, reference: rrn), card(2, reference: rrn), wallet(3, reference: rrn)], "1"),
            ("two payments", [card(1, reference: rrn), app(2, reference: "607812346000")], "1,2"),
            ("a question", [card(1), app(2)], "1,2"),
        ] as [(String, [MailEntry], String)], [true, false])
    func onePaymentIsAnnouncedOnce(item: (name: String, mails: [MailEntry], told: String), atOnce: Bool) throws {
        let f = try Fixture()
        f.store.announce(NotificationPolicy(kinds: [.transaction], maxAge: 1 << 40, changed: {}))
        if atOnce {
            _ = try f.store.recording.record(item.mails)
        } else {
            for mail in item.mails { _ = try f.store.recording.record([mail]) }
        }
        let told =
            "SELECT group_concat(transaction_id) FROM (SELECT transaction_id FROM notification_events ORDER BY id)"
        #expect(try f.value(told) == item.told, "\(item.name)")
    }

    @Test func anotherReportIsHiddenAndFound() throws {
        let f = try linked()
        #expect(try f.store.transactions.find(2) == nil)
        #expect(try f.store.eventLinks.replacement(of: 2) == 1)
        #expect(try f.store.eventLinks.links(of: [1, 2]).mapValues { $0.map(\.to.id) } == [1: [2], 2: [2]])
        #expect(try f.count("transaction_counts", where: "status = 'confirmed' AND transactions = 1") == 1)
        let again = try f.store.recording.record([Self.app(9, reference: Self.rrn)])
        #expect(again.map(\.outcome) == [.duplicate])
        #expect(try f.store.statistics.calibration().banks.map(\.bank).contains("bhim") == false)
    }

    @Test func aLinkIsUndoneInOneStep() throws {
        let f = try linked()
        let link = try #require(try f.store.eventLinks.list().first)
        #expect((link.kind, link.confidence, link.isMadeByPerson) == (.sameEvent, 0.98, false))
        try f.store.eventLinks.reject(link.id, by: Self.asha)
        #expect(try spent(f) == 96_000)
        #expect(try f.store.transactions.find(2)?.vendor == "Toy Barn")
        #expect(try f.store.eventLinks.search() == (0, 0), "it stays rejected")
        let group = try #require(try f.store.journal.changes().first?.group)
        try f.store.journal.undo(group: group)
        #expect(try spent(f) == 48_000)
        #expect(try links(f) == ["made 1 2 reference"])
        try f.store.eventLinks.reject(link.id, by: Self.asha)
        #expect(try f.store.eventLinks.confirm(link.id, by: Self.asha).state == .made)
        #expect(try spent(f) == 48_000)
    }

    @Test func aLinkOfAPersonIsUndone() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.card(1), Self.app(2, 48_000, 599)])
        try f.store.eventLinks.reject(try #require(try f.store.eventLinks.list().first).id, by: Self.asha)
        try f.store.eventLinks.link(2, to: 1, as: .sameEvent, by: Self.asha)
        #expect(try spent(f) == 48_000)
        let group = try #require(try f.store.journal.changes().first?.group)
        try f.store.journal.undo(group: group)
        #expect(try spent(f) == 96_000)
        #expect(try links(f) == ["rejected 1 2 payee"])
    }

    /// The event is deleted, not one report of it.
    @Test func deletingTheFirstReportDeletesTheEvent() throws {
        let f = try linked()
        try f.store.transactions.delete(1, by: Self.asha)
        #expect(try spent(f) == 0)
        #expect(try f.store.eventLinks.list() == [])
        try f.store.journal.undo(group: try #require(try f.store.journal.changes().first?.group))
        #expect(try spent(f) == 48_000)
        #expect(try links(f) == ["made 1 2 reference"])
    }

    @Test func editedReportsAreProposed() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.app(1, reference: Self.rrn)])
        var edit = TransactionEdit()
        edit.notes = .set("for Ravi")
        try f.store.transactions.change(1, edit, by: Self.asha)
        _ = try f.store.recording.record([Self.card(2, reference: Self.rrn)])
        #expect(try links(f) == ["made 1 2 reference"], "the edited one stays and counts")
        #expect(try f.store.transactions.find(1)?.notes == "for Ravi")
    }

    @Test func aRefundOfAPaymentReportedTwiceReturnsTheOneThatCounts() throws {
        let f = try linked()
        var refund = decision(
            .recorded,
            draft(48_000, type: .income, channel: .card, on: "2026-01-07", merchant: "TOY BARN", account: "3307"))
        refund.source?.template = "hdfc/card-refund"
        _ = try f.store.recording.record([mail(3, refund)])
        let found = try f.store.eventLinks.list().first { $0.kind == .refund }
        #expect(found?.from.id == 1 && found?.state == .made)
        let link = try #require(try f.store.eventLinks.list(of: [.sameEvent]).first)
        #expect(throws: StoreError.self) { try f.store.eventLinks.link(2, to: 1, as: .sameEvent, by: Self.asha) }
        try f.store.eventLinks.reject(link.id, by: Self.asha)
        do {
            try f.store.eventLinks.link(2, to: 1, as: .sameEvent, by: Self.asha)
            Issue.record("a returned purchase was replaced")
        } catch { #expect(error.message.contains(Schema.linkChain)) }
    }

    typealias Bad = @Sendable (Fixture) throws -> Void
    static let bad: [(String, String, Bad)] = [
        ("itself", "with itself", { try $0.store.eventLinks.link(1, to: 1, as: .sameEvent, by: asha) }),
        ("no such row", "transaction 99", { try $0.store.eventLinks.link(1, to: 99, as: .sameEvent, by: asha) }),
        ("a replaced row", "transaction 2", { try $0.store.eventLinks.link(3, to: 2, as: .sameEvent, by: asha) }),
        ("from a replaced row", "transaction 2", { try $0.store.eventLinks.link(2, to: 3, as: .sameEvent, by: asha) }),
        ("a cycle", "transaction 2", { try $0.store.eventLinks.link(2, to: 1, as: .sameEvent, by: asha) }),
        ("a chain", Schema.linkChain, { try $0.store.eventLinks.link(3, to: 1, as: .settles, by: asha) }),
        ("a deleted row", "transaction 4", { try $0.store.eventLinks.link(1, to: 4, as: .sameEvent, by: asha) }),
        ("another currency", Schema.linkBooks, { try $0.store.eventLinks.link(1, to: 5, as: .sameEvent, by: asha) }),
        ("another ledger", Schema.linkBooks, { try $0.store.eventLinks.link(1, to: 6, as: .sameEvent, by: asha) }),
        ("another direction", "types differ", { try $0.store.eventLinks.link(1, to: 7, as: .sameEvent, by: asha) }),
        (
            "an income as an instalment", "no booked expense",
            { try $0.store.eventLinks.link(1, to: 7, as: .instalment, by: asha) }
        ),
        ("an unknown link", "link 99", { try $0.store.eventLinks.confirm(99, by: asha) }),
    ]

    @Test(arguments: bad) func badLinksAreRefused(item: (name: String, message: String, run: Bad)) throws {
        let f = try linked()
        try rows(f)
        do {
            try item.run(f)
            Issue.record("\(item.name) was accepted")
        } catch let error as StoreError {
            #expect(error.message.contains(item.message), "\(item.name): \(error.message)")
            #expect(error.kind == .conflict || error.kind == .notFound)
        }
        #expect(try links(f) == ["made 1 2 reference"])
    }

    /// 3: another payment. 4: deleted. 5: in dollars. 6: of another ledger. 7: an income.
    private func rows(_ f: Fixture) throws {
        for (minor, type, code) in [
            (100, .expense, "INR"), (200, .expense, "INR"), (300, .expense, "USD"), (400, .expense, "INR"),
            (500, .income, "INR"),
        ] as [(Int64, TransactionType, String)] {
            let amount = Money(minorUnits: minor, currency: Currency(code: code) ?? .inr)
            _ = try f.store.transactions.add(
                NewTransaction(amount: amount, type: type, date: date("2026-01-09")), by: Self.asha)
        }
        try f.store.transactions.delete(4, by: Self.asha)
        var edit = TransactionEdit()
        edit.ledger = "Business"
        try f.store.transactions.change(6, edit, by: Self.asha)
    }

    /// What the database refuses of any client.
    @Test(
        arguments: [
            ("(kind, from_id, to_id, state) VALUES ('same_event', 1, 5, 'proposed')", Schema.linkBooks),
            ("(kind, from_id, to_id, state) VALUES ('same_event', 1, 6, 'made')", Schema.linkBooks),
            ("(kind, from_id, to_id, state) VALUES ('same_event', 1, 4, 'made')", Schema.linkEnds),
            ("(kind, from_id, to_id, state) VALUES ('settles', 2, 3, 'made')", Schema.linkEnds),
            ("(kind, from_id, to_id, state) VALUES ('same_event', 3, 1, 'made')", Schema.linkChain),
            ("(kind, from_id, to_id, state) VALUES ('same_event', 3, 3, 'made')", "CHECK"),
            ("(kind, from_id, to_id, state) VALUES ('other', 3, 1, 'proposed')", "CHECK"),
            ("(kind, from_id, to_id, state) VALUES ('same_event', 1, 2, 'proposed')", "UNIQUE"),
            ("(kind, from_id, to_id, state) VALUES ('same_event', 1, 99, 'proposed')", "FOREIGN KEY"),
        ]) func theDatabaseRefuses(row: String, message: String) throws
    {
        let f = try linked()
        try rows(f)
        let values = row.replacing(
            "state) VALUES (", with: "state, confidence, evidence, why, made_by, created_at, updated_at) VALUES ("
        )
        .replacing("d')", with: "d', 1, 'person', '', 'person', '', '')").replacing(
            "made')", with: "made', 1, 'person', '', 'person', '', '')")
        do {
            try f.store.writeDatabase { try $0.execute(sql: "INSERT INTO transaction_links \(values)") }
            Issue.record("accepted: \(row)")
        } catch { #expect("\(error)".contains(message), "\(row): \(error)") }
        #expect(throws: StoreError.self) {
            try f.store.writeDatabase { try $0.execute(sql: "UPDATE transaction_links SET to_id = 3") }
        }
        #expect(throws: StoreError.self) {
            try f.store.writeDatabase {
                try $0.execute(sql: "UPDATE transactions SET ledger = 'Business' WHERE id = 1")
            }
        }
    }

    @Test func aSideOfATransferIsNotReplaced() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.card(1), Self.app(2)])
        _ = try f.store.recording.record([
            mail(
                3,
                decision(
                    .recorded, draft(48_000, type: .income, channel: .imps, merchant: nil, account: "77"), bank: "sbi"))
        ])
        let link = try #require(try f.store.eventLinks.list([.proposed], of: [.sameEvent]).first)
        try f.store.transfers.link(debit: 2, credit: 3, by: Self.asha)
        #expect(throws: StoreError.self) { try f.store.eventLinks.confirm(link.id, by: Self.asha) }
        try f.store.transfers.refuse(try #require(try f.store.transfers.list([.linked]).first).id, by: Self.asha)
        try f.store.eventLinks.confirm(link.id, by: Self.asha)
        #expect(throws: StoreError.self) { try f.store.transfers.link(debit: 2, credit: 3, by: Self.asha) }
        #expect(try f.store.transfers.list([.proposed]).allSatisfy { $0.debit?.id != 2 })
    }

    /// A proposal changes no sum; a made link changes it once, by the amount of the other report; its end restores it.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func sumsChangeOnceByEachLink(seed: UInt64) throws {
        var random = seed &* 0x9E37_79B9_7F4A_7C15
        func next(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        let f = try Fixture()
        var whole: Int64 = 0
        for uid in 1...20 as ClosedRange<UInt32> {
            let (minor, seconds) = (Int64(1 + next(3)) * 1_000, Int64(next(500)))
            let reference = next(3) == 0 ? "60781234500\(next(6))" : nil
            let mail =
                next(2) == 0
                ? Self.card(uid, minor, seconds, reference: reference)
                : Self.app(uid, minor, seconds, reference: reference)
            if try f.store.recording.record([mail]).first?.outcome == .recorded { whole += minor }
        }
        for _ in 0..<40 {
            let before = try spent(f)
            let made = try f.store.eventLinks.list([.made], limit: 100)
            var change: Int64? = 0
            do throws(StoreError) {
                switch next(4) {
                case 0:
                    guard let row = try f.store.eventLinks.list([.proposed, .rejected], limit: 9).last else { continue }
                    try f.store.eventLinks.confirm(row.id, by: Self.asha)
                    change = -row.to.amount.minorUnits
                case 1:
                    guard let row = made.last else { continue }
                    try f.store.eventLinks.reject(row.id, by: Self.asha)
                    change = row.to.amount.minorUnits
                case 2:
                    let kind: EventLinkKind = next(2) == 0 ? .sameEvent : .settles
                    let row = try f.store.eventLinks.link(
                        Int64(1 + next(20)), to: Int64(1 + next(20)), as: kind, by: Self.asha)
                    change = made.contains { $0.id == row.id } ? 0 : -row.to.amount.minorUnits
                default:
                    guard let last = try f.store.journal.changes(limit: 1).first else { continue }
                    try f.store.journal.undo(group: last.group, by: Self.asha)
                    change = nil
                }
            } catch {
                #expect(error.kind == .conflict || error.kind == .notFound, "\(error)")
                change = 0
            }
            if let change { #expect(try spent(f) == before + change) }
            let replaced: Int64? = try f.value(
                "SELECT coalesce(sum(amount_minor), 0) FROM transactions WHERE id IN (SELECT id FROM replaced_transactions)"
            )
            #expect(try spent(f) == whole - (replaced ?? 0))
            #expect(try f.count("transactions", where: "deleted_at IS NOT NULL") == f.count("replaced_transactions"))
            #expect(
                try f.count("replaced_transactions", where: "replacement IN (SELECT id FROM replaced_transactions)")
                    == 0)
        }
    }
}
