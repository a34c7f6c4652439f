import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Payees of transactions: found by aliases, merged, settled and offered.
@Suite struct PayeeTests {
    static let asha = Actor(.page, "asha")

    /// Five expenses as the bank prints them, booked in the order of their numbers, with the rules of the ledger.
    func ledger(_ seeds: [PayeeSeed] = []) throws -> Fixture {
        let f = try Fixture()
        try f.store.categories.seed([
            CategorySeed(name: "Food", subcategories: [.init(name: "Delivery")]),
            CategorySeed(name: "Investing"),
        ])
        try f.store.payees.seed(seeds)
        try book(Self.printed, f)
        return f
    }

    static let printed = [
        "RAZPBSEINDIACOM", "UPI_DESI BITES FAST FO", "SWIGGY ORDER", "DESI BITES FAST FOOD PUNE", "SWIGGY LTD",
    ]

    func book(_ names: [String], from uid: UInt32 = 1, _ f: Fixture) throws {
        let rules = try f.store.categories.rules()
        _ = try f.store.recording.record(
            names.enumerated().map { index, name in
                mail(
                    uid + UInt32(index),
                    decision(
                        .recorded, draft(10_000 + Int64(index), on: "2026-01-0\(index + 1)", merchant: name)
                    ).categorized(by: rules))
            })
    }

    func payees(_ f: Fixture) throws -> [String?] {
        try (1...5).map { try f.store.transactions.find($0)?.payee }
    }

    @Test func shippedPayeesAreFoundAtBooking() throws {
        let f = try ledger([
            PayeeSeed(name: "BSE StAR MF", aliases: ["razpbseindiacom"]),
            PayeeSeed(name: "Swiggy", aliases: ["swiggy"]),
        ])
        #expect(try payees(f) == ["BSE StAR MF", nil, "Swiggy", nil, "Swiggy"])
        #expect(try f.store.transactions.find(1)?.vendor == "RAZPBSEINDIACOM", "the printed text stays")
        #expect(
            try f.store.transactions.find(1)?.category == CategoryRow.uncategorized, "an alias alone is no category")
    }

    @Test func seedsFindThePayeesOfOlderRowsAndKeepAPersonsValues() throws {
        let f = try ledger()
        let seeds = [PayeeSeed(name: "Swiggy", aliases: ["swiggy", "bundl*@*"])]
        try f.store.payees.seed(seeds)
        #expect(try payees(f) == [nil, nil, "Swiggy", nil, "Swiggy"])
        let id = try #require(try f.store.payees.find(named: "swiggy")?.id)
        try f.store.payees.update(id, PayeeEdit(name: "Swiggy Food", category: .set("food")), by: Self.asha)
        try f.store.payees.seed(seeds + [PayeeSeed(name: "BSE", aliases: ["razpbseindiacom"])])
        let row = try #require(try f.store.payees.find(id))
        #expect(row.name == "Swiggy Food" && row.category == "Food" && row.isShipped && row.aliases.count == 2)
        #expect(try payees(f) == ["BSE", nil, "Swiggy Food", nil, "Swiggy Food"])
        try f.store.payees.seed([PayeeSeed(name: "Swiggy", aliases: ["swiggy"])])
        #expect(try f.store.payees.find(id)?.aliases.map(\.alias) == ["swiggy"])
        #expect(try f.store.payees.find(named: "BSE") != nil, "transactions may have it")
        #expect(throws: StoreError.self) { try f.store.payees.delete(id, by: Self.asha) }
    }

    @Test func anAliasFindsItsRowsAtOnceAndOneUndoTakesItBack() throws {
        let f = try ledger()
        let made = try f.store.payees.add(
            NewPayee(name: "Desi Bites", category: "Food", subcategory: "Delivery"), by: Self.asha)
        #expect(made.changed == 2, "the name is an alias")
        #expect(try payees(f) == [nil, "Desi Bites", nil, "Desi Bites", nil])
        let row = try #require(try f.store.transactions.find(2))
        #expect(row.category == "Food" && row.subcategory == "Delivery" && row.editedAt == nil)
        #expect(row.categoryWhy == "your category of the payee \"Desi Bites\" -> Food / Delivery")
        let change = try f.store.payees.add(alias: "swiggy", to: made.row.id, by: Self.asha)
        #expect(change.changed == 2)
        try f.store.journal.undo(group: try #require(change.group), by: Self.asha)
        #expect(try payees(f) == [nil, "Desi Bites", nil, "Desi Bites", nil])
        #expect(try f.store.payees.find(made.row.id)?.aliases.map(\.alias) == ["desi bites"])
        #expect(try f.store.payees.add(alias: "Desi  BITES", to: made.row.id, by: Self.asha).changed == 0)
        try f.store.journal.undo(group: try #require(made.group), by: Self.asha)
        #expect(try payees(f) == [nil, nil, nil, nil, nil])
        #expect(try f.store.payees.all().isEmpty && f.store.transactions.find(2)?.category == "Uncategorized")
    }

    @Test func theMostSpecificAliasWinsAndAPersonsComesFirst() throws {
        let f = try ledger([
            PayeeSeed(name: "Swiggy", aliases: ["swiggy"]), PayeeSeed(name: "Swiggy Order", aliases: ["swiggy order"]),
        ])
        #expect(try payees(f) == [nil, nil, "Swiggy Order", nil, "Swiggy"])
        let own = try f.store.payees.add(NewPayee(name: "Own", aliases: ["swiggy"]), by: Self.asha)
        #expect(own.changed == 2)
        #expect(try payees(f) == [nil, nil, "Own", nil, "Own"])
        let alias = try #require(own.row.aliases.first { $0.alias == "swiggy" })
        #expect(try f.store.payees.remove(alias: alias.id, of: own.row.id, by: Self.asha).changed == 2)
        #expect(try payees(f) == [nil, nil, "Swiggy Order", nil, "Swiggy"])
    }

    @Test func aPayeeChosenForOneTransactionStays() throws {
        let f = try ledger()
        let one = try f.store.payees.add(NewPayee(name: "One"), by: Self.asha).row
        var edit = TransactionEdit()
        edit.payeeID = .set(one.id)
        try f.store.transactions.change(3, edit, by: Self.asha)
        _ = try f.store.payees.add(NewPayee(name: "Swiggy"), by: Self.asha)
        #expect(try payees(f) == [nil, nil, "One", nil, "Swiggy"])
        edit.payeeID = .set(99)
        let error = #expect(throws: StoreError.self) { try f.store.transactions.change(3, edit, by: Self.asha) }
        #expect(error?.fields.map(\.field) == ["payee_id"])
    }

    @Test func mergingMovesAliasesAndRowsAndIsUndone() throws {
        let f = try ledger([PayeeSeed(name: "Swiggy", aliases: ["swiggy"])])
        let desi = try f.store.payees.add(NewPayee(name: "Desi Bites"), by: Self.asha).row
        let swiggy = try #require(try f.store.payees.find(named: "Swiggy"))
        let merged = try f.store.payees.merge(swiggy.id, into: desi.id, by: Self.asha)
        #expect(merged.changed == 2 && merged.row.aliases.map(\.alias).sorted() == ["desi bites", "swiggy"])
        #expect(try f.store.payees.all().map(\.name) == ["Desi Bites"])
        try f.store.payees.seed([PayeeSeed(name: "Swiggy", aliases: ["swiggy"])])
        #expect(try f.store.payees.all().map(\.name) == ["Desi Bites"], "a merged payee is not shipped again")
        try book(["SWIGGY AGAIN"], from: 20, f)
        #expect(try f.store.transactions.find(6)?.payee == "Desi Bites")
        try f.store.journal.undo(group: try #require(merged.group), by: Self.asha)
        #expect(try payees(f) == [nil, "Desi Bites", "Swiggy", "Desi Bites", "Swiggy"])
        #expect(try f.store.payees.find(swiggy.id)?.aliases.map(\.alias) == ["swiggy"])
        for other in [swiggy.id, 99] {
            let error = #expect(throws: StoreError.self) {
                try f.store.payees.merge(swiggy.id, into: other, by: Self.asha)
            }
            #expect(error?.fields.map(\.field) == ["into"])
        }
    }

    @Test func aPayeeThatHasTakenAnotherStays() throws {
        let f = try ledger()
        let made = try f.store.payees.add(NewPayee(name: "Desi Bites"), by: Self.asha)
        let other = try f.store.payees.add(NewPayee(name: "Swiggy"), by: Self.asha).row
        let merged = try f.store.payees.merge(other.id, into: made.row.id, by: Self.asha)
        for attempt in 0..<2 {
            let error = #expect(throws: StoreError.self) {
                if attempt == 0 {
                    try f.store.payees.delete(made.row.id, by: Self.asha)
                } else {
                    try f.store.journal.undo(group: try #require(made.group), by: Self.asha)
                }
            }
            #expect(error?.kind == .conflict)
        }
        #expect(try f.store.payees.find(made.row.id)?.aliases.count == 2)
        try f.store.journal.undo(group: try #require(merged.group), by: Self.asha)
        try f.store.payees.delete(made.row.id, by: Self.asha)
        #expect(try f.store.payees.all().map(\.name) == ["Swiggy"])
    }

    @Test func settlingChangesUncategorizedRowsOnly() throws {
        let f = try ledger([PayeeSeed(name: "Swiggy", aliases: ["swiggy"])])
        var edit = TransactionEdit()
        edit.category = "Investing"
        try f.store.transactions.change(3, edit, by: Self.asha)
        let swiggy = try #require(try f.store.payees.find(named: "Swiggy"))
        #expect(try f.store.payees.counted().map(\.figures.uncategorized) == [1])
        let settled = try f.store.payees.assign(swiggy.id, category: "food", subcategory: "delivery", by: Self.asha)
        #expect(settled.changed == 1 && settled.row.category == "Food" && settled.row.subcategory == "Delivery")
        #expect(try f.store.transactions.find(3)?.category == "Investing")
        #expect(try f.store.transactions.find(5)?.category == "Food")
        try book(["SWIGGY AGAIN"], from: 20, f)
        #expect(try f.store.transactions.find(6)?.category == "Food", "and the transactions to come")
        try f.store.journal.undo(group: try #require(settled.group), by: Self.asha)
        #expect(try f.store.transactions.find(5)?.category == CategoryRow.uncategorized)
        #expect(try f.store.payees.find(swiggy.id)?.category == nil)
        let again = try f.store.payees.assign(swiggy.id, category: "Food", by: Self.asha)
        #expect(try f.store.payees.assign(swiggy.id, category: "Food", by: Self.asha).group == nil)
        #expect(again.changed == 1)
    }

    @Test func aCorrectedNameOffersTheAlias() throws {
        let f = try ledger()
        #expect(try f.store.payees.offer(for: 2) == nil)
        var edit = TransactionEdit()
        edit.merchant = .set("Desi Bites")
        try f.store.transactions.change(2, edit, by: Self.asha)
        let offer = try #require(try f.store.payees.offer(for: 2))
        #expect(offer.alias == "desi bites fast" && offer.payee == "Desi Bites" && offer.count == 1)
        let made = try f.store.payees.accept(offer, by: Self.asha)
        #expect(try payees(f) == [nil, "Desi Bites", nil, "Desi Bites", nil])
        #expect(made.row.aliases.map(\.alias) == ["desi bites fast", "desi bites"])
        #expect(try f.store.payees.offer(for: 2) == nil, "the aliases give this payee already")
        try f.store.journal.undo(group: try #require(made.group), by: Self.asha)
        #expect(try payees(f) == [nil, nil, nil, nil, nil])
        try f.store.payees.refuse(offer)
        try f.store.payees.refuse(offer)
        #expect(try f.store.payees.offer(for: 2) == nil)
    }

    @Test(arguments: [
        (NewPayee(name: ""), "name"), (NewPayee(name: "\u{200B}"), "name"), (NewPayee(name: " x"), "name"),
        (NewPayee(name: "a\u{202E}b"), "name"), (NewPayee(name: String(repeating: "x", count: 121)), "name"),
        (NewPayee(name: "SWIGGY"), "name"), (NewPayee(name: "x", category: "None"), "category_name"),
        (NewPayee(name: "x", category: "Food", subcategory: "None"), "subcategory"),
        (NewPayee(name: "x", subcategory: "Delivery"), "subcategory"),
        (NewPayee(name: "x", aliases: ["-"]), "aliases.0"), (NewPayee(name: "x", aliases: ["ok", "@"]), "aliases.1"),
        (NewPayee(name: "x", aliases: ["swiggy"]), "aliases"),
        (NewPayee(name: "x", aliases: Array(repeating: "y", count: 201)), "aliases"),
    ])
    func refusals(new: NewPayee, field: String) throws {
        let f = try ledger()
        _ = try f.store.payees.add(NewPayee(name: "Swiggy"), by: Self.asha)
        let error = #expect(throws: StoreError.self) { try f.store.payees.add(new, by: Self.asha) }
        #expect(error?.fields.map(\.field) == [field])
        #expect(try f.store.payees.all().count == 1)
    }

    @Test(
        arguments: [
            ("payee:desibites", [4, 2]), ("payee:DESI", [4, 2]), ("payee:none", []), ("payee:", [5, 4, 3, 2, 1]),
            ("payee:d%", []),
            ("payee:desi \"fast pune\"", []), ("payee:desi pune fast", [4]),
        ] as [(String, [Int64])])
    func aSearchByPayee(text: String, ids: [Int64]) throws {
        let f = try ledger()
        let payee = try f.store.payees.add(NewPayee(name: "Desi Bites"), by: Self.asha).row
        var query = TransactionQuery()
        query.search = SearchExpression(text)
        #expect(try f.store.transactions.page(query).rows.map(\.id) == ids)
        query.search = nil
        query.payeeID = payee.id
        #expect(try f.store.transactions.page(query).total == 2)
        let span = try #require(DaySpan(date("2026-01-01"), through: date("2026-01-31")))
        let sums = try f.store.statistics.spendByPayee(of: span, in: .inr)
        #expect(sums.map(\.payee) == ["Desi Bites"] && sums.map(\.spent.minorUnits) == [20_004])
        #expect(sums.map(\.expenses) == [2] && sums.first?.lastDate == date("2026-01-04"))
        let totals = try f.store.statistics.totals(of: span, .init(payee: payee.id))
        #expect(totals.map(\.spent.minorUnits) == [20_004])
        let groups = try f.store.statistics.groups(of: span, in: .inr, by: .payee)
        #expect(groups.map(\.key) == ["", "Desi Bites"] && groups.map(\.payee) == [nil, payee.id])
    }

    @Test func deletingAPayeeKeepsItsRows() throws {
        let f = try ledger()
        let payee = try f.store.payees.add(NewPayee(name: "Desi Bites"), by: Self.asha).row
        let group = LedgerChange.newGroup()
        try f.store.payees.delete(payee.id, by: Self.asha, group: group)
        #expect(try payees(f) == [nil, nil, nil, nil, nil] && f.count("transactions") == 5)
        try f.store.journal.undo(group: group, by: Self.asha)
        #expect(try payees(f) == [nil, "Desi Bites", nil, "Desi Bites", nil])
        #expect(try f.store.payees.find(payee.id)?.aliases.map(\.alias) == ["desi bites"])
    }

    @Test func staleRulesDoNotSpoilABatch() throws {
        let f = try ledger()
        let payee = try f.store.payees.add(NewPayee(name: "Swiggy"), by: Self.asha).row
        let rules = try f.store.categories.rules()
        try f.store.payees.delete(payee.id, by: Self.asha)
        let entry = mail(
            30, decision(.recorded, draft(77, on: "2026-02-01", merchant: "SWIGGY")).categorized(by: rules))
        #expect(entry.decision.payee?.id == payee.id)
        #expect(try f.store.recording.record([entry]).map(\.outcome) == [.recorded])
        #expect(try f.store.transactions.find(6)?.payee == nil)
    }
}
