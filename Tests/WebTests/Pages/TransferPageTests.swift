import Chronology
import ChronologyFixture
import HTTPTypes
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

/// Decisions on transfers on the page.
@Suite struct TransferPageTests {
    /// A debit and a credit of one amount at one time, of two accounts: only a proposal.
    private func proposal() throws -> (site: PageSite, debit: Int64, credit: Int64) {
        let site = try PageSite()
        let debit = try site.record(1, merchant: "SELF", 500_000)
        return (site, debit, try site.record(2, merchant: "NEFT CR", 500_000, type: .income, account: "9876"))
    }

    private func types(_ site: PageSite, _ ids: [Int64]) throws -> [TransactionType?] {
        var found: [TransactionType?] = []
        for id in ids { found.append(try site.store.transactions.find(id)?.type) }
        return found
    }

    @Test(arguments: [true, false]) func proposalIsAnswered(isYes: Bool) async throws {
        let (site, debit, credit) = try proposal()
        let transfer = try #require(try site.store.transfers.list([.proposed]).first)
        for path in ["/app/review", "/app/transfers", "/app/transactions/\(debit)"] {
            let page = try await site.ask { try await $0.page(path) }.words
            #expect(
                page.contains("/app/transfers/\(transfer.id)/confirm") && page.contains("<b class=\"badge\">1"),
                "\(path)")
        }
        let answer = try await site.ask {
            try await $0.submit(
                "/app/transfers/\(transfer.id)/\(isYes ? "confirm" : "refuse")", [("back", "/app/review")])
        }
        #expect(answer.status == .seeOther && answer.headers[.location]?.hasPrefix("/app/review?done=") == true)
        #expect(try types(site, [debit, credit]) == (isYes ? [.transfer, .transfer] : [.expense, .income]))
        let list = try await site.ask { try await $0.page("/app/transactions") }.words
        #expect(
            list.contains("transfer to Example Bank 9876") == isYes
                && list.contains("transfer from Example Bank 4321") == isYes && !list.contains("class=\"badge\""))
        let sums = try await site.ask { try await $0.page("/") }.words
        #expect(sums.contains("<dd class=\"value\">₹5,000.00</dd>") == !isYes, "a transfer is not spent")
        guard isYes else { return #expect(answer.undo == nil) }
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", answer.undo ?? "")]) }
        #expect(try types(site, [debit, credit]) == [.expense, .income])
    }

    @Test func allProposalsAreConfirmedAndUndoneTogether() async throws {
        let (site, debit, credit) = try proposal()
        let row = try #require(try site.store.transactions.find(debit))
        let today = row.date
        let before = CalendarDate(daysSince1970: today.daysSince1970 - 30)
        let others = [
            try site.record(3, merchant: "SELF", 700_000, on: before),
            try site.record(4, merchant: "NEFT CR", 700_000, on: before, type: .income, account: "9876"),
        ]
        let page = try await site.ask { try await $0.page("/app/transfers") }.words
        let questions = page.matches(of: #/name="transfer" value="(\d+)"/#).map { ("transfer", String($0.1)) }
        #expect(questions.count == 2 && page.contains("Yes, all 2 are transfers"))
        let answer = try await site.ask { try await $0.submit("/app/transfers/all", questions + [("transfer", "999")]) }
        #expect(answer.headers[.location]?.hasPrefix("/app/transfers?done=transfers") == true)
        #expect(try types(site, [debit, credit] + others) == [.transfer, .transfer, .transfer, .transfer])
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", answer.undo ?? "")]) }
        #expect(try types(site, [debit, credit] + others) == [.expense, .income, .expense, .income])
        let nothing = try await site.ask { try await $0.submit("/app/transfers/all", [("transfer", "999")]) }
        #expect(nothing.headers[.location] == "/app/transfers?done=unchanged")
    }

    @Test func pairIsLinkedByHandAndUnlinked() async throws {
        let site = try PageSite()
        let debit = try site.record(1, merchant: "CHEQUE 204", 70_000)
        let today = try #require(try site.store.transactions.find(debit)).date
        let day = CalendarDate(daysSince1970: today.daysSince1970 - 5)
        let credit = try site.record(2, merchant: "BY CLEARING", 70_000, on: day, type: .income, account: "9876")
        try site.record(3, merchant: "ANOTHER AMOUNT", 70_001, on: day, type: .income, account: "9876")
        try site.record(
            4, merchant: "TOO LONG AGO", 70_000, on: CalendarDate(daysSince1970: day.daysSince1970 - 30), type: .income,
            account: "9876")
        let page = try await site.ask { try await $0.page("/app/transactions/\(debit)") }.words
        #expect(
            page.contains("name=\"other\" value=\"\(credit)\"") && !page.contains("ANOTHER AMOUNT")
                && !page.contains("TOO LONG AGO"))
        // Linked from the page of the credit: the expense is still the debit.
        let linked = try await site.ask {
            try await $0.submit("/app/transfers/link", [("id", "\(credit)"), ("other", "\(debit)")])
        }
        #expect(linked.status == .seeOther)
        let transfer = try #require(try site.store.transfers.list([.linked]).first)
        #expect(transfer.debit?.id == debit && transfer.credit?.id == credit)
        let shown = try await site.ask { try await $0.page("/app/transfers") }.words
        #expect(
            shown.contains("Example Bank 4321") && shown.contains("Example Bank 9876")
                && shown.contains("linked by you"))
        _ = try await site.ask { try await $0.submit("/app/transfers/\(transfer.id)/refuse", []) }
        #expect(try types(site, [debit, credit]) == [.expense, .income])
    }

    @Test(arguments: [
        ("/app/transfers/9/confirm", 404), ("/app/transfers/x/refuse", 404), ("/app/transfers/link", 404),
    ])
    func invalidTransfersAreReported(path: String, status: Int) async throws {
        let answer = try await PageSite().ask { try await $0.submit(path, []) }
        #expect(answer.status.code == status && answer.words.contains("<nav"))
    }

    static let rules: [(fields: [(String, String)], changed: Set<String>)] = [
        ([("keyword", "corner"), ("minimum", "200")], ["CORNER CAFE"]),
        ([("keyword", "corner"), ("maximum", "199.99")], ["CORNER SHOP"]),
        ([("keyword", "corner"), ("account", "9876")], ["CORNER SHOP"]),
        ([("keyword", "corner"), ("type", "expense"), ("channel", "upi")], ["CORNER CAFE", "CORNER SHOP"]),
        ([("keyword", "corner"), ("channel", "card")], []),
        ([("keyword", "corner"), ("currency", "USD")], []), ([("keyword", "*@okicici")], ["MEERA"]),
        ([("keyword", "okicici"), ("kind", "person")], ["MEERA"]),
    ]

    @Test(arguments: rules) func aRuleHasConditions(fields: [(String, String)], changed: Set<String>) async throws {
        let site = try PageSite()
        try site.record(1, merchant: "CORNER CAFE", 25_000)
        try site.record(2, merchant: "CORNER SHOP", 9_900, account: "9876")
        try site.record(3, merchant: "MEERA", 10_000, vpa: "meera@okicici")
        let category = try site.store.categories.add(name: "Chosen")
        let rule = fields + [("category", "\(category.id)")]
        let preview = try await site.ask { try await $0.page("/app/mappings/new?" + FormFields.encoded(rule)) }.words
        for name in ["CORNER CAFE", "CORNER SHOP", "MEERA"] {
            #expect(preview.contains(">\(name)<") == changed.contains(name), "\(name)")
        }
        // The page sends the same values as the preview.
        let hidden = preview.matches(of: #/<input type="hidden" name="(\w+)" value="([^"]*)">/#).map {
            (String($0.1), String($0.2))
        }.filter { !["csrf", "back"].contains($0.0) }
        _ = try await site.ask { try await $0.submit("/app/mappings", hidden + [("past", "1")]) }
        var query = TransactionQuery()
        query.category = "Chosen"
        let rows = try site.store.transactions.page(query).rows
        #expect(Set(rows.compactMap(\.vendor)) == changed)
        let list = try await site.ask { try await $0.page("/app/categories") }.words
        #expect(list.contains("A rule like"))
    }

    @Test(arguments: [
        ([("keyword", "corner")], "Choose a category."),
        ([("keyword", "5411-x"), ("kind", "mcc"), ("category", "1")], "What to look for: must be four digits"),
        ([("keyword", "a"), ("category", "1"), ("minimum", "9"), ("maximum", "1")], "Amount to: must not be below"),
        ([("keyword", "a"), ("category", "1"), ("account", "1")], "Account: must be"),
    ]) func aRuleThatCannotBeMadeIsShownAgain(fields: [(String, String)], words: String) async throws {
        let site = try PageSite()
        try site.store.categories.add(name: "One")
        let answer = try await site.ask { try await $0.page("/app/mappings/new?" + FormFields.encoded(fields)) }
        #expect(answer.status == .unprocessableContent && answer.words.contains(words), "\(answer.words)")
    }

    @Test(arguments: PageTests.pages.map(\.0) + ["/login", "/health", "/metrics", "/transactions/", "/openapi.json"])
    func headIsGetWithoutABody(path: String) async throws {
        let site = try PageSite()
        let get = try await site.ask { try await $0.page(path) }
        let head = try await site.ask {
            try await $0.execute(uri: path, method: .head, headers: [.accept: "text/html"])
        }
        #expect(head.status == get.status && head.body.readableBytes == 0)
        #expect(head.headers[.contentType] == get.headers[.contentType])
    }
}
