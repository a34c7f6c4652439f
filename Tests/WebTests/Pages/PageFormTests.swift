import Chronology
import ChronologyFixture
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// The page's forms, sent as by a browser without script.
@Suite struct PageFormTests {
    static let fields = [
        ("amount", "1,234.50"), ("currency", "INR"), ("type", "expense"), ("date", "2026-01-05"), ("time", "10:00"),
        ("merchant", "Corner Shop"), ("notes", "two\r\nlines"), ("category", ""),
    ]

    @Test func addsEditsDeletesAndUndoes() async throws {
        let site = try PageSite()
        let added = try await site.ask { try await $0.submit("/app/transactions/new", Self.fields) }
        #expect(added.status == .seeOther && added.undo != nil)
        let row = try #require(try site.store.transactions.page(TransactionQuery()).rows.first)
        #expect(
            row.amount.minorUnits == 123_450 && row.vendor == "Corner Shop" && row.notes == "two\nlines"
                && row.recorder == "Manual")

        let edit =
            Self.fields.filter { $0.0 != "amount" } + [
                ("amount", "99"), ("revision", "\(row.revision)"), ("back", "/app/transactions?q=corner"),
            ]
        let edited = try await site.ask { try await $0.submit("/app/transactions/\(row.id)", edit) }
        #expect(
            edited.status == .seeOther
                && edited.headers[.location]?.hasPrefix("/app/transactions?q=corner&done=saved") == true)
        #expect(try site.store.transactions.find(row.id)?.amount.minorUnits == 9900)
        // The same form again: its revision is outdated.
        let stale = try await site.ask {
            try await $0.submit("/app/transactions/\(row.id)", edit.map { $0.0 == "amount" ? ("amount", "7") : $0 })
        }
        #expect(stale.status == .conflict && stale.words.contains("Changed meanwhile"))
        #expect(stale.words.contains(#"value="7""#) && stale.words.contains("99.00 is saved now"))

        let deleted = try await site.ask { try await $0.submit("/app/transactions/\(row.id)/delete", []) }
        #expect(try site.store.transactions.find(row.id) == nil)
        for group in [deleted.undo, edited.undo] {
            let undone = try await site.ask {
                try await $0.submit("/app/undo", [("group", group ?? ""), ("back", "//elsewhere.example/")])
            }
            #expect(undone.status == .seeOther && undone.headers[.location] == "/?done=undone")
        }
        #expect(try site.store.transactions.find(row.id)?.amount.minorUnits == 123_450)
    }

    @Test(arguments: [
        ("amount", "lots", "Amount: write it as 1234.56;"), ("amount", "12,34", "commas only group"),
        ("currency", "RUPEES", "Currency: write three letters"),
        ("date", "05/01/2026", "Date: write it as yyyy-mm-dd."),
        ("time", "noon", "Time: write it as hh:mm or hh:mm:ss."),
        ("type", "theft", "Type: use one of expense, income, transfer."),
        ("amount", "-5", "Amount"),
    ]) func invalidFormIsShownAgain(field: String, value: String, words: String) async throws {
        let site = try PageSite()
        let answer = try await site.ask {
            try await $0.submit("/app/transactions/new", Self.fields.map { $0.0 == field ? (field, value) : $0 })
        }
        #expect(
            answer.status == .unprocessableContent && answer.words.contains(words)
                && answer.words.contains("value=\"Corner Shop\""))
        #expect(try site.store.transactions.page(TransactionQuery()).total == 0)
    }

    private func categories(_ ids: [Int64], in site: PageSite) throws -> [String?] {
        var found: [String?] = []
        for id in ids { found.append(try site.store.transactions.find(id)?.category) }
        return found
    }

    @Test func aCategoryForSeveral() async throws {
        let site = try PageSite()
        let ids = try [site.record(1, merchant: "ONE"), site.record(2, merchant: "TWO")]
        let category = try site.store.categories.add(name: "Gifts")
        let fields = ids.map { ("id", "\($0)") } + [("category", "\(category.id)")]
        let preview = try await site.ask { try await $0.page("/app/transactions/bulk?" + FormFields.encoded(fields)) }
        #expect(
            preview.words.contains("Change the category to Gifts")
                && preview.words.contains("2 transactions would change."))
        #expect(try categories(ids, in: site) == [CategoryRow.uncategorized, CategoryRow.uncategorized])
        let done = try await site.ask { try await $0.submit("/app/transactions/bulk", fields) }
        #expect(try categories(ids, in: site) == ["Gifts", "Gifts"])
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try categories(ids, in: site) == [CategoryRow.uncategorized, CategoryRow.uncategorized])
    }

    @Test func aChangeOfAllThatAListSelects() async throws {
        let site = try PageSite()
        for number: UInt32 in 1...60 { _ = try site.record(number, merchant: number <= 55 ? "TEA HOUSE" : "OTHER") }
        let list = try await site.ask { try await $0.page("/app/transactions?q=tea") }
        #expect(list.words.contains("55 transactions") && list.words.contains("Change all of them"))
        let selection = [("list", "q=tea")]
        func page(_ fields: [(String, String)]) async throws -> String {
            try await site.ask { try await $0.page("/app/transactions/bulk?" + FormFields.encoded(selection + fields)) }
                .words
        }
        #expect(try await page([]).contains("Change 55 transactions"))
        let preview = try await page([("do", "tag"), ("tag", "goa")])
        #expect(preview.contains("55 transactions would change.") && preview.contains("and 5 more"))
        #expect(try site.store.transactions.tags().isEmpty, "a preview writes nothing")
        let form = selection + [("do", "tag"), ("tag", "goa"), ("count", "55")]
        let done = try await site.ask { try await $0.submit("/app/transactions/bulk", form) }
        #expect(try site.store.transactions.tags().map(\.transactions) == [55])
        #expect(try await page([("do", "tag"), ("tag", "goa")]).contains("55 have this already"))
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.transactions.tags().isEmpty)
    }

    @Test func aListThatChangedSinceThePreviewIsNotChanged() async throws {
        let site = try PageSite()
        _ = try (UInt32(1)...3).map { try site.record($0, merchant: "TEA HOUSE") }
        let form = [("list", "q=tea"), ("do", "delete"), ("count", "2")]
        let refused = try await site.ask { try await $0.submit("/app/transactions/bulk", form) }
        #expect(refused.status == .conflict && refused.words.contains("3 transactions match now"))
        #expect(try site.store.transactions.page(TransactionQuery()).total == 3)
        for (field, value, words) in [
            ("do", "nonsense", "No change is chosen"), ("category", "99", "no category"), ("list", "q=is:x", "is:"),
            ("do", "payee", "must not be empty"),
        ] {
            let bad =
                form.map { $0.0 == field ? (field, value) : $0 }.filter { field == "category" ? $0.0 != "do" : true }
                + (field == "category" ? [(field, value)] : [])
            let answer = try await site.ask { try await $0.submit("/app/transactions/bulk", bad) }
            #expect(answer.status != .seeOther && answer.words.contains(words), "\(field) \(value)")
        }
        #expect(try site.store.transactions.page(TransactionQuery()).total == 3)
    }

    @Test func decidesItemsAndContinues() async throws {
        let site = try PageSite()
        let ids = try [site.record(1, merchant: "FIRST", waits: true), site.record(2, merchant: "SECOND", waits: true)]
        let shown = try await site.ask { try await $0.page("/app/review/\(ids[0])") }.words
        #expect(
            shown.contains("<mark class=\"f-merchant\">") && shown.contains("FIRST<i")
                && shown.contains("there is another amount") && shown.contains("×0.8"))
        let row = try #require(try site.store.transactions.find(ids[0]))
        let form = [
            ("amount", "300"), ("currency", "INR"), ("type", "expense"), ("date", "\(row.date)"),
            ("time", row.time?.description ?? ""),
            ("merchant", "First Shop"), ("account", "4321"), ("reference", "R1"),
        ]
        let accepted = try await site.ask {
            try await $0.submit("/app/review/\(ids[0])", form + [("action", "accept")])
        }
        #expect(accepted.headers[.location]?.hasPrefix("/app/review/\(ids[1])?done=accepted") == true)
        let booked = try #require(try site.store.transactions.find(ids[0]))
        #expect(
            booked.status == .confirmed && booked.amount.minorUnits == 30_000 && booked.vendor == "First Shop"
                && booked.category == row.category)
        let rejected = try await site.ask { try await $0.submit("/app/review/\(ids[1])", [("action", "reject")]) }
        #expect(rejected.headers[.location]?.hasPrefix("/app/review?done=rejected") == true)
        // Correction and acceptance are one group.
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", accepted.undo ?? "")]) }
        #expect(try site.store.transactions.find(ids[0])?.amount.minorUnits == 25_000)
        #expect(try site.store.transactions.find(ids[0])?.status == .needsReview)
    }

    @Test func keywordIsPreviewedBeforeItIsApplied() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "CORNER CAFE, PUNE")
        try site.record(2, merchant: "CORNERSTONE LAMPS")
        let category = try site.store.categories.add(name: "Coffee")
        let fields = [("keyword", "corner cafe"), ("category", "\(category.id)")]
        let preview = try await site.ask { try await $0.page("/app/mappings/new?" + FormFields.encoded(fields)) }.words
        #expect(
            preview.contains("1 past transaction would change") && preview.contains("CORNER CAFE, PUNE")
                && !preview.contains("CORNERSTONE"))
        #expect(try site.store.mappings.all(userDefined: true).isEmpty)
        _ = try await site.ask { try await $0.submit("/app/mappings", fields + [("past", "1")]) }
        #expect(try site.store.transactions.find(id)?.category == "Coffee")
        #expect(try site.store.mappings.all(userDefined: true).map(\.keyword) == ["corner cafe"])
    }

    /// By the page and by the API: the deletion names its author, and undo brings the rule back.
    @Test(arguments: [true, false]) func aDeletedRuleIsInTheAuditLog(byPage: Bool) async throws {
        let site = try PageSite()
        try site.store.categories.add(name: "Coffee")
        let rule = try site.store.mappings.add(
            NewMapping(keyword: "corner cafe") {
                $0.category = "Coffee"
            }, by: .terminal)
        let answer = try await site.ask {
            byPage
                ? try await $0.submit("/app/mappings/\(rule.id)/delete", [])
                : try await $0.execute(uri: "/categories/mappings/\(rule.id)", method: .delete)
        }
        #expect(answer.status == (byPage ? .seeOther : .noContent))
        #expect(try site.store.mappings.all(userDefined: true).isEmpty)
        let log = try site.store.audit.latest(limit: 10)
        let author = byPage ? "page" : "client"
        #expect(log.contains { $0.event == "decision: mapped" && $0.who.hasPrefix(author) }, "\(log)")
        guard byPage else { return }
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", answer.undo ?? "")]) }
        #expect(try site.store.mappings.all(userDefined: true).map(\.keyword) == ["corner cafe"])
    }

    /// A rule is made only after a person has seen its effect and agreed; a refused offer is not repeated.
    @Test(arguments: [true, false]) func aChosenCategoryIsOfferedForTheMerchant(isTaken: Bool) async throws {
        let site = try PageSite()
        let (chosen, other) = (try site.record(1, merchant: "LAKE BAKERY"), try site.record(2, merchant: "LAKE BAKERY"))
        let category = try site.store.categories.add(name: "Bread")
        let row = try #require(try site.store.transactions.find(chosen))
        let form = [
            ("amount", row.amount.decimal), ("currency", "INR"), ("type", "expense"), ("date", "\(row.date)"),
            ("time", row.time?.description ?? ""), ("merchant", "LAKE BAKERY"), ("account", "4321"),
            ("reference", row.reference ?? ""), ("category", "\(category.id)"), ("revision", "\(row.revision)"),
        ]
        let saved = try await site.ask { try await $0.submit("/app/transactions/\(chosen)", form) }
        let next = try #require(saved.headers[.location])
        let page = try await site.ask { try await $0.page(next) }.words
        #expect(page.contains("Always Bread for") && page.contains("/app/mappings/new?offer=\(chosen)"))
        #expect(try site.store.transactions.find(other)?.category == CategoryRow.uncategorized)
        if isTaken {
            let preview = try await site.ask { try await $0.page("/app/mappings/new?offer=\(chosen)") }.words
            #expect(preview.contains("1 past transaction would change"))
            let done = try await site.ask {
                try await $0.submit("/app/mappings", [("offer", "\(chosen)"), ("past", "1")])
            }
            #expect(try site.store.transactions.find(other)?.category == "Bread")
            _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
            #expect(try site.store.transactions.find(other)?.category == CategoryRow.uncategorized)
            #expect(try site.store.mappings.all(userDefined: true).isEmpty)
        } else {
            _ = try await site.ask { try await $0.submit("/app/mappings/refuse", [("offer", "\(chosen)")]) }
            let again = try await site.ask { try await $0.page(next) }.words
            #expect(!again.contains("Always Bread"))
            #expect(try site.store.mappings.all(userDefined: true).isEmpty)
        }
    }

    @Test func testBenchStoresNothing() async throws {
        let site = try PageSite(parsers: [
            "_common.yaml": "define: '(?(DEFINE)(?<amount_number>[0-9][0-9,]*(?:\\.[0-9]{1,2})?))'\n",
            "example/_bank.yaml":
                "name: Example Bank\ndomains: [bank.example]\naddresses: [alerts@bank.example]\ntimezone: Asia/Kolkata\ncurrency: INR\n",
            "example/paid.yaml": """
            template: example/paid
            kind: transaction
            match:
              subject_pattern: '^Paid'
            extract:
              body_pattern: 'Rs\\.\\s(?<amount>(?&amount_number))\\swas\\spaid\\sto\\s(?<merchant>.{1,60})\\son\\s(?<date>\\d\\d-\\d\\d-\\d{4})'
              type: expense
              channel: card
            samples: []

            """,
        ])
        let text = "Rs. 1,250.00 was paid to <b>Corner</b> Shop on 05-01-2026"
        let answer = try await site.ask {
            try await $0.submit("/app/banks/test", [("mail", text), ("bank", "example"), ("subject", "Paid")])
        }
        #expect(
            answer.status == .ok && answer.words.contains("example/paid")
                && answer.words.contains("&lt;b&gt;Corner&lt;/b&gt; Shop")
                && answer.words.contains("<mark class=\"f-amount\">"), "\(answer.words)")
        #expect(try site.store.monitoring.status().templates.isEmpty)
        let stranger = try await site.ask { try await $0.submit("/app/banks/test", [("mail", "hello")]) }
        #expect(stranger.words.contains("unclaimed"))
    }
}
