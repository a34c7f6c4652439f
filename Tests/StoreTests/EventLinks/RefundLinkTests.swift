import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Refunds and the purchases that they return, from the mails on.
@Suite struct RefundLinkTests {
    static let asha = Actor(.page, "asha")
    static let span = DaySpan(days: 59, through: date("2026-02-28"))

    static func purchase(
        _ uid: UInt32, _ minor: Int64 = 64_000, on day: String = "2026-01-05", at merchant: String = "TOY BARN",
        reference: String? = nil, category: String? = "Toys"
    ) -> MailEntry {
        var decision = decision(
            .recorded, draft(minor, channel: .card, on: day, merchant: merchant, reference: reference))
        decision.source?.template = "hdfc/card-spend"
        decision.category = category.map {
            CategoryMatch(mapping: VendorMapping(id: 0, keyword: "toy", categoryID: 1, category: $0))
        }
        return mail(uid, decision)
    }

    static func refund(
        _ uid: UInt32, _ minor: Int64 = 64_000, on day: String = "2026-02-03", at merchant: String = "Toy Barn",
        reference: String? = nil, template: String = "hdfc/card-refund"
    ) -> MailEntry {
        var decision = decision(
            .recorded,
            draft(minor, type: .income, channel: .card, on: day, merchant: merchant, reference: reference))
        decision.source?.template = template
        return mail(uid, decision)
    }

    func links(_ f: Fixture) throws -> [String] {
        try f.store.eventLinks.list(Set(EventLinkRow.State.allCases)).reversed().map {
            "\($0.kind) \($0.state) \($0.from.id) \($0.to.id) \($0.evidence.word)"
        }
    }

    func linked() throws -> Fixture {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.purchase(1)])
        _ = try f.store.recording.record([Self.refund(2)])
        return f
    }

    /// - Parameter found: kind, state, purchase, refund, evidence.
    @Test(
        arguments: [
            ("whole", [purchase(1), refund(2)], ["refund made 1 2 whole"]),
            ("the purchase comes later", [refund(1), purchase(2)], ["refund made 2 1 whole"]),
            ("a reversal", [purchase(1), refund(2, template: "axis/card-reversal")], ["reversal made 1 2 whole"]),
            ("a part", [purchase(1), refund(2, 100)], ["refund proposed 1 2 partial"]),
            (
                "a part with a reference",
                [purchase(1, reference: "607812345999"), refund(2, 100, at: "X", reference: "607812345999")],
                ["refund made 1 2 reference"]
            ),
            (
                "two purchases", [purchase(1), purchase(2, on: "2026-01-16"), refund(3)],
                ["refund proposed 2 3 whole", "refund proposed 1 3 whole"]
            ),
            ("an income that is no refund", [purchase(1), refund(2, template: "hdfc/account-credit")], []),
            ("more than the purchase", [purchase(1), refund(2, 64_001)], []),
            ("too late", [purchase(1, on: "2025-10-05"), refund(2)], []),
            ("another merchant", [purchase(1), refund(2, at: "KITE SHOP")], []),
            (
                "a second refund of a returned purchase", [purchase(1), refund(2), refund(3, on: "2026-02-14")],
                ["refund made 1 2 whole"]
            ),
        ] as [(String, [MailEntry], [String])], [true, false])
    func search(item: (name: String, mails: [MailEntry], found: [String]), atOnce: Bool) throws {
        let f = try Fixture()
        if atOnce, item.name != "a second refund of a returned purchase" {
            _ = try f.store.recording.record(item.mails)
        } else {
            for mail in item.mails { _ = try f.store.recording.record([mail]) }
        }
        #expect(try links(f) == item.found, "\(item.name)")
        #expect(try f.store.transfers.list() == [], "a refund is no transfer")
        #expect(try f.store.eventLinks.search() == (0, 0), "nothing is found twice")
    }

    @Test func twoRefundsOfOnePurchaseAreProposed() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.refund(1), Self.refund(2, on: "2026-02-14"), Self.purchase(3)])
        #expect(try links(f) == ["refund proposed 3 1 whole", "refund proposed 3 2 whole"])
        let first = try #require(try f.store.eventLinks.list().last)
        try f.store.eventLinks.confirm(first.id, by: Self.asha)
        let second = try #require(try f.store.eventLinks.list([.proposed]).first)
        #expect(throws: StoreError.self) { try f.store.eventLinks.confirm(second.id, by: Self.asha) }
    }

    @Test func rejectedPairsAreNotProposedAgain() throws {
        let f = try linked()
        let link = try #require(try f.store.eventLinks.list().first)
        try f.store.eventLinks.reject(link.id, by: Self.asha)
        #expect(try f.store.eventLinks.search() == (0, 0))
        #expect(try links(f) == ["refund rejected 1 2 whole"])
        #expect(try f.store.eventLinks.confirm(link.id, by: Self.asha).state == .made)
        #expect(try f.store.eventLinks.reject(link.id, by: Self.asha).state == .rejected)
    }

    @Test func journalUndoesEachStep() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.purchase(1), Self.refund(2, at: "KITE SHOP")])
        try f.store.eventLinks.link(1, to: 2, as: .refund, by: Self.asha)
        let id = try #require(try f.store.eventLinks.list().first).id
        try f.store.eventLinks.reject(id, by: Self.asha)
        for expected in [["refund made 1 2 person"], []] {
            let change = try #require(try f.store.journal.changes().first { !$0.isUndone && $0.undoes == nil })
            try f.store.journal.undo(group: change.group)
            #expect(try links(f) == expected)
        }
    }

    typealias End = @Sendable (Store, Int64) throws -> Void
    static let ends: [(String, End)] = [
        ("deleted", { try $0.transactions.delete($1, by: asha) }),
        (
            "a transfer after all",
            {
                var edit = TransactionEdit()
                edit.type = .transfer
                try $0.transactions.change($1, edit, by: asha)
            }
        ),
        (
            "rejected",
            {
                var edit = TransactionEdit()
                edit.status = .rejected
                try $0.transactions.change($1, edit, by: asha)
            }
        ),
    ]

    /// Done, undone, repeated, by the change or by its group.
    @Test(arguments: ends, [1, 2] as [Int64]) func changingAnEndEndsTheLink(
        end: (name: String, run: End), row: Int64
    ) throws {
        for byGroup in [true, false] {
            let f = try linked()
            try end.run(f.store, row)
            #expect(try f.store.eventLinks.list([.made]) == [], "\(end.name)")
            #expect(try f.count("refunds") == 0)
            for isMade in [true, false] {
                let last = try #require(try f.store.journal.changes(ofTransaction: row).first)
                if byGroup {
                    try f.store.journal.undo(group: last.group)
                } else {
                    try f.store.journal.undo(change: last.id)
                }
                #expect(try f.count("refunds") == (isMade ? 1 : 0), "\(end.name), by group: \(byGroup)")
            }
        }
    }

    @Test func refundsCannotExceedThePurchase() throws {
        let f = try linked()
        _ = try f.store.recording.record([Self.refund(3, 1, at: "X")])
        func refused(_ body: () throws(StoreError) -> Void) {
            do throws(StoreError) {
                try body()
                Issue.record("accepted")
            } catch {
                #expect(error.kind == .conflict && error.message.contains("cannot exceed"))
            }
        }
        refused { () throws(StoreError) in
            _ = try f.store.eventLinks.link(1, to: 3, as: .refund, by: Self.asha)
        }
        var edit = TransactionEdit()
        edit.amount = rupees(63_999)
        refused { () throws(StoreError) in _ = try f.store.transactions.change(1, edit, by: Self.asha) }
        edit.amount = rupees(64_001)
        refused { () throws(StoreError) in _ = try f.store.transactions.change(2, edit, by: Self.asha) }
        edit.amount = Money(minorUnits: 1, currency: Currency(code: "USD") ?? .inr)
        refused { () throws(StoreError) in _ = try f.store.transactions.change(2, edit, by: Self.asha) }
        edit.amount = rupees(65_000)
        try f.store.transactions.change(1, edit, by: Self.asha)
        try f.store.eventLinks.link(1, to: 3, as: .refund, by: Self.asha)
        #expect(throws: StoreError.self) {
            try f.store.eventLinks.link(1, to: 2, as: .reversal, by: Self.asha)
        }
        #expect(throws: StoreError.self) { try f.store.eventLinks.link(2, to: 1, as: .refund, by: Self.asha) }
    }

    @Test func editedRefundsAreProposed() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.refund(1)])
        var edit = TransactionEdit()
        edit.notes = .set("for Ravi")
        try f.store.transactions.change(1, edit, by: Self.asha)
        _ = try f.store.recording.record([Self.purchase(2)])
        #expect(try links(f) == ["refund proposed 2 1 whole"])
    }

    @Test func aRefundLowersTheCategoryOnItsOwnDay() throws {
        let f = try linked()
        let january = DaySpan(days: 31, through: date("2026-01-31"))
        let february = DaySpan(days: 28, through: date("2026-02-28"))
        func sums(_ span: DaySpan) throws -> [String] {
            try f.store.statistics.spendByCategory(of: span, in: .inr).map {
                "\($0.category) \($0.spent.minorUnits) \($0.expenses)"
            }
        }
        #expect(try sums(january) == ["Toys 64000 1"])
        #expect(try sums(february) == ["Toys -64000 0"])
        #expect(try sums(Self.span) == ["Toys 0 1"])
        let totals = try #require(try f.store.statistics.totals(of: Self.span).first)
        #expect(
            (totals.spent.minorUnits, totals.received.minorUnits, totals.expenses, totals.incomes) == (0, 0, 1, 0))
        #expect(totals.largest.minorUnits == 64_000)
        try f.store.eventLinks.reject(try #require(try f.store.eventLinks.list().first).id, by: Self.asha)
        #expect(try sums(february) == [])
        #expect(try f.store.statistics.totals(of: february).map(\.received.minorUnits) == [64_000])
    }

    /// Whatever is linked, unlinked, deleted or edited: the categories add up to the totals, spent less received is the
    /// change of the accounts, and no purchase is returned more than once.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func sumsStayConsistent(seed: UInt64) throws {
        var random = seed &* 0x9E37_79B9_7F4A_7C15
        func next(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        let f = try Fixture()
        let shops = ["TOY BARN", "KITE SHOP", "QUIET INN"]
        _ = try f.store.recording.record(
            (1...24).map { uid in
                let (minor, shop) = (Int64(1 + next(4)) * 1_000, shops[next(3)])
                let day = "2026-0\(1 + next(2))-\(10 + next(18))"
                return next(3) > 0
                    ? Self.purchase(UInt32(uid), minor, on: day, at: shop, category: [nil, "Toys", "Travel"][next(3)])
                    : Self.refund(UInt32(uid), minor, on: day, at: shop)
            })
        for _ in 0..<30 {
            let (a, b) = (Int64(1 + next(24)), Int64(1 + next(24)))
            do throws(StoreError) {
                switch next(6) {
                case 0: try f.store.eventLinks.link(a, to: b, as: .refund, by: Self.asha)
                case 1:
                    for row in try f.store.eventLinks.list([.proposed], limit: 1) {
                        try f.store.eventLinks.confirm(row.id, by: Self.asha)
                    }
                case 2:
                    for row in try f.store.eventLinks.list([.made], limit: 1) {
                        try f.store.eventLinks.reject(row.id, by: Self.asha)
                    }
                case 3: try f.store.transactions.delete(a, by: Self.asha)
                case 4:
                    var edit = TransactionEdit()
                    edit.amount = rupees(Int64(1 + next(4)) * 1_000)
                    try f.store.transactions.change(a, edit, by: Self.asha)
                default:
                    guard let change = try f.store.journal.changes(limit: 1).first else { continue }
                    try f.store.journal.undo(group: change.group, by: Self.asha)
                }
            } catch { #expect(error.kind == .conflict || error.kind == .notFound, "\(error)") }
            try expectConsistent(f)
        }
    }

    func expectConsistent(_ f: Fixture) throws {
        let totals = try f.store.statistics.totals(of: Self.span).first ?? Statistics.Totals(currency: .inr)
        let categories = try f.store.statistics.spendByCategory(of: Self.span, in: .inr)
        let sums = try f.store.statistics.sums(of: Self.span, in: .inr, by: .month)
        #expect(categories.reduce(0) { $0 + $1.spent.minorUnits } == totals.spent.minorUnits)
        #expect(sums.categories.filter { $0.spent.minorUnits != 0 } == categories.filter { $0.spent.minorUnits != 0 })
        #expect(sums.buckets.reduce(0) { $0 + $1.spent.minorUnits } == totals.spent.minorUnits)
        #expect(sums.buckets.reduce(0) { $0 + $1.received.minorUnits } == totals.received.minorUnits)
        let groups = try f.store.statistics.groups(of: Self.span, in: .inr, by: .category)
        #expect(groups.reduce(0) { $0 + $1.spent.minorUnits } == totals.spent.minorUnits)
        let moved: Int64? = try f.value(
            """
            SELECT coalesce(sum(iif(transaction_type = 'income', amount_minor, -amount_minor)), 0) FROM transactions
            WHERE deleted_at IS NULL AND status = 'confirmed'
            """)
        #expect(moved == totals.net.minorUnits)
        #expect(try f.count("exceeded_purchases") == 0)
    }
}
