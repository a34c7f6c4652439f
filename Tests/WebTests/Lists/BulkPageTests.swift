import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Changes of transactions that are selected one by one.
@Suite struct BulkPageTests {
    private static func site() throws -> (site: PageSite, selected: String) {
        let site = try PageSite()
        let ids = try (1...3 as ClosedRange<UInt32>).map { try site.record($0, merchant: "TEA HOUSE", waits: $0 == 1) }
        return (site, "\(ids[0]),\(ids[1])")
    }

    @Test func theBarLeadsToEveryChange() async throws {
        let (site, selected) = try Self.site()
        let list = try await site.ask { try await $0.page("/app/transactions") }.words
        #expect(list.contains("name=\"do\" value=\"choose\" formnovalidate>Another change…</button>"))
        let ids = selected.split(separator: ",").map { ("id", String($0)) }
        // As the bar sends it: with the empty choice of its list.
        let page = try await site.ask {
            try await $0.page(
                "/app/transactions/bulk?" + FormFields.encoded(ids + [("category", ""), ("do", "choose")]))
        }.words
        #expect(page.contains("Change 2 transactions") && page.contains("name=\"id\" value=\"\(selected)\""))
        for kind in BulkKind.allCases {
            #expect(page.contains("name=\"do\" value=\"\(kind.rawValue)\""), "\(kind)")
        }
    }

    @Test func aPreviewShowsWhatCameIn() async throws {
        let site = try PageSite()
        try site.record(1, merchant: "REFUND", 5000, type: .income)
        let page = try await site.ask { try await $0.page("/app/transactions/bulk?id=1&do=note&note=x") }.words
        #expect(page.contains(">+₹50.00<"), "\(page)")
    }

    @Test(arguments: [
        ("tag", "goa", "Add the tag goa"), ("payee", "Tea House", "Change the payee to Tea House"),
        ("type", "income", "Change the type to"), ("note", "shared", "Change the note"), ("accept", "", "Book"),
        ("reject", "", "Reject"), ("delete", "", "Delete"),
    ]) func oneUndoTakesTheChangeBack(kind: String, value: String, words: String) async throws {
        let (site, selected) = try Self.site()
        let before = try site.store.transactions.page(TransactionQuery()).rows.map(\.withoutRevision)
        let form = [("id", selected), ("do", kind), (kind, value)]
        let preview = try await site.ask { try await $0.page("/app/transactions/bulk?" + FormFields.encoded(form)) }
            .words
        #expect(preview.contains(words) && preview.contains("would change"), "\(preview)")
        #expect(try site.store.transactions.page(TransactionQuery()).rows.map(\.withoutRevision) == before)
        #expect(try site.store.payees.find(named: "Tea House") == nil, "a preview makes nothing")
        let done = try await site.ask { try await $0.submit("/app/transactions/bulk", form + [("count", "2")]) }
        #expect(done.status == .seeOther && done.undo != nil)
        #expect(try site.store.transactions.page(TransactionQuery()).rows.map(\.withoutRevision) != before)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.transactions.page(TransactionQuery()).rows.map(\.withoutRevision) == before)
    }

    @Test func aPayeeThatDoesNotExistIsMade() async throws {
        let (site, selected) = try Self.site()
        let form = [("id", selected), ("do", "payee"), ("payee", " Tea  House ")]
        let preview = try await site.ask { try await $0.page("/app/transactions/bulk?" + FormFields.encoded(form)) }
        #expect(preview.status == .ok && preview.words.contains("The payee Tea House is new: it is added."))
        let done = try await site.ask { try await $0.submit("/app/transactions/bulk", form) }
        let payee = try #require(try site.store.payees.find(named: "tea house"))
        var query = TransactionQuery()
        query.payeeID = payee.id
        #expect(try site.store.transactions.page(query).total >= 2)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.payees.find(named: "Tea House") == nil)
    }

    @Test(arguments: [
        ("payee", "\u{200B}", "Payee: must not be empty."), ("tag", "two words", "Tags: must be words without blanks"),
        ("note", String(repeating: "x", count: 2001), "must have at most 2000"),
    ]) func aValueThatCannotBeIsReportedAtItsField(kind: String, value: String, words: String) async throws {
        let (site, selected) = try Self.site()
        let form = [("id", selected), ("do", kind), (kind, value)]
        let page = try await site.ask { try await $0.page("/app/transactions/bulk?" + FormFields.encoded(form)) }.words
        #expect(page.contains(words), "\(page)")
    }
}

extension TransactionRow {
    /// The values that a person sees: an undo is one more revision.
    fileprivate var withoutRevision: [String] {
        [
            "\(id)", "\(amount)", type.rawValue, status.rawValue, vendor ?? "", notes ?? "", payee ?? "",
            tags.joined(separator: " "), category,
        ]
    }
}
