import Chronology
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Payees and split payments on the page and in the API.
@Suite struct PayeePageTests {
    /// The fields of the form of a transaction.
    static func form(_ row: TransactionRow, merchant: String? = nil) -> [(String, String)] {
        [
            ("amount", row.amount.decimal), ("currency", "INR"), ("type", "expense"), ("date", "\(row.date)"),
            ("time", row.time?.description ?? ""), ("merchant", merchant ?? row.vendor ?? ""),
            ("account", row.accountDigits ?? ""), ("reference", row.reference ?? ""),
        ]
    }

    @Test func aPayeeIsMadeSettledAndMerged() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "UPI_DESI BITES FAST FO")
        try site.record(2, merchant: "DESI BITES PUNE")
        let category = try site.store.categories.add(name: "Eating")
        let made = try await site.ask {
            try await $0.submit("/app/payees", [("name", "Desi Bites"), ("alias", ""), ("category", "")])
        }
        #expect(made.status == .seeOther && made.undo != nil)
        let payee = try #require(try site.store.payees.find(named: "Desi Bites"))
        #expect(try site.store.transactions.find(id)?.payee == "Desi Bites")
        let list = try await site.ask { try await $0.page("/app/payees") }.words
        #expect(list.contains("Without a category") && list.contains("2 transactions · 2 without a category"))
        let path = "/app/payees/\(payee.id)"
        let settled = try await site.ask { try await $0.submit(path + "/settle", [("category", "\(category.id)")]) }
        #expect(settled.status == .seeOther)
        #expect(try site.store.transactions.find(id)?.category == "Eating")
        let page = try await site.ask { try await $0.page(path) }.words
        #expect(page.contains("desi bites") && !page.contains("without a category"))
        let alias = try await site.ask { try await $0.submit(path + "/alias", [("alias", "db@okaxis")]) }
        #expect(alias.status == .seeOther)
        let other = try site.store.payees.add(NewPayee(name: "Other"), by: .terminal).row
        let merged = try await site.ask { try await $0.submit(path + "/merge", [("into", "\(other.id)")]) }
        #expect(merged.status == .seeOther)
        #expect(try site.store.transactions.find(id)?.payee == "Other")
        let own = try await site.ask { try await $0.page("/app/transactions/\(id)") }.words
        #expect(own.contains("/app/payees/\(other.id)"))
        let found = try await site.ask { try await $0.page("/app/transactions?payee=\(other.id)") }.words
        #expect(found.contains("DESI BITES PUNE"))
    }

    @Test(arguments: [
        ([("name", "")], "Name: must not be empty."), ([("name", "\u{200B}")], "Name: must not be empty."),
        ([("name", "Known")], "Name: is taken by payee 1."), ([("name", "x"), ("alias", "-")], "Alias: must hold"),
        ([("name", String(repeating: "x", count: 121))], "Name: must have at most 120 characters."),
    ])
    func refusedForms(fields: [(String, String)], sentence: String) async throws {
        let site = try PageSite()
        _ = try site.store.payees.add(NewPayee(name: "Known"), by: .terminal)
        let answer = try await site.ask { try await $0.submit("/app/payees", fields) }
        #expect(answer.status == .unprocessableContent && answer.words.contains(sentence))
        #expect(try site.store.payees.all().count == 1)
    }

    @Test func aCorrectedNameIsOfferedAsAnAlias() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "UPI_DESI BITES FAST FO")
        let other = try site.record(2, merchant: "DESI BITES FAST FOOD")
        let row = try #require(try site.store.transactions.find(id))
        _ = try await site.ask {
            try await $0.submit("/app/transactions/\(id)", Self.form(row, merchant: "Desi Bites"))
        }
        let page = try await site.ask { try await $0.page("/app/transactions?offer=\(id)") }.words
        #expect(page.contains("Always the payee Desi Bites") && page.contains("/app/payees/accept"))
        let accepted = try await site.ask { try await $0.submit("/app/payees/accept", [("offer", "\(id)")]) }
        #expect(accepted.status == .seeOther && accepted.undo != nil)
        #expect(try site.store.transactions.find(other)?.payee == "Desi Bites")
        #expect(try site.store.transactions.find(id)?.payee == "Desi Bites")
    }

    @Test func thePayeeOfOneTransaction() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "Big Bazaar")
        let row = try #require(try site.store.transactions.find(id))
        let path = "/app/transactions/\(id)"
        _ = try await site.ask { try await $0.submit(path, Self.form(row) + [("payee", " Future  Retail ")]) }
        #expect(try site.store.transactions.find(id)?.payee == "Future Retail")
        // A form without the field, such as that of the review, keeps the payee.
        _ = try await site.ask { try await $0.submit(path, Self.form(row)) }
        #expect(try site.store.transactions.find(id)?.payee == "Future Retail")
        _ = try await site.ask { try await $0.submit(path, Self.form(row) + [("payee", "")]) }
        #expect(try site.store.transactions.find(id)?.payee == nil)
        // A payee of the merchant's own name finds the transaction before it is given to it.
        let own = try await site.ask {
            try await $0.submit(path, Self.form(row) + [("payee", "Big Bazaar"), ("notes", "n")])
        }
        #expect(own.status == .seeOther && own.undo != nil)
        let after = try #require(try site.store.transactions.find(id))
        #expect(after.payee == "Big Bazaar" && after.notes == "n")
        let wrong = try await site.ask { try await $0.submit(path, Self.form(row) + [("payee", "\u{200B}")]) }
        #expect(wrong.status == .unprocessableContent && wrong.words.contains("Payee: must not be empty."))
    }

    @Test func throughTheAPI() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "RAZPBSEINDIACOM")
        _ = try site.store.categories.add(name: "Investing")
        let made = try await site.ask {
            try await $0.ask(.post, "/payees", json: #"{"name":"BSE","aliases":["razpbseindiacom"]}"#)
        }
        #expect(made.status == .created && made.words.contains(#""changed":1"#))
        let payee = try #require(try site.store.payees.find(named: "bse"))
        let row = try await site.ask { try await $0.ask(.get, "/transactions/\(id)") }.words
        #expect(row.contains(#""payee_id":\#(payee.id),"payee":"BSE","is_split":false"#))
        let path = "/payees/\(payee.id)"
        let put = try await site.ask {
            try await $0.ask(.put, path, json: #"{"name":"BSE StAR MF","category_name":"investing"}"#)
        }
        #expect(put.status == .ok && put.words.contains(#""category_name":"Investing""#))
        #expect(try site.store.transactions.find(id)?.category == CategoryRow.uncategorized)
        let settled = try await site.ask {
            try await $0.ask(.post, path + "/settle", json: #"{"category_name":"Investing"}"#)
        }
        #expect(settled.status == .ok && settled.words.contains(#""changed":1"#))
        let sums = try await site.ask { try await $0.ask(.get, "/stats/payees") }.words
        #expect(sums.contains(#""payee":"BSE StAR MF","spent":"250.00","transactions":1"#))
        let groups = try await site.ask { try await $0.ask(.get, "/stats/groups?group_by=payee") }.words
        #expect(groups.contains(#""key":"BSE StAR MF""#))
        for (json, field) in [
            (#"{"name":""}"#, "name"), (#"{"name":"bse star mf"}"#, "name"), (#"{"aliases":[]}"#, "name"),
            (#"{"name":"x","aliases":[""]}"#, "aliases.0"), (#"{"name":"x","other":1}"#, "other"),
            (#"{"name":"x","category_name":"None"}"#, "category_name"),
        ] {
            let answer = try await site.ask { try await $0.ask(.post, "/payees", json: json) }
            #expect([.unprocessableContent, .conflict].contains(answer.status), "\(json)")
            #expect(answer.words.contains(#""field":"\#(field)""#), "\(json)")
        }
        let gone = try await site.ask { try await $0.ask(.delete, path) }
        #expect(gone.status == .noContent)
        #expect(try await site.ask { try await $0.ask(.get, path) }.status == .notFound)
    }

    @Test func aPaymentIsSplitAndJoined() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "Big Bazaar")
        let food = try site.store.categories.add(name: "Food").id
        let home = try site.store.categories.add(name: "Home").id
        let path = "/app/transactions/\(id)/split"
        let wrong = try await site.ask {
            try await $0.submit(
                path,
                [
                    ("part_category", "\(food)"), ("part_amount", "200"), ("part_category", "\(home)"),
                    ("part_amount", "60"),
                ])
        }
        #expect(wrong.status == .unprocessableContent && wrong.words.contains("must make up the amount"))
        let split = try await site.ask {
            try await $0.submit(
                path,
                [
                    ("part_category", "\(food)"), ("part_amount", "200"), ("part_category", "\(home)"),
                    ("part_amount", ""), ("part_category", ""), ("part_amount", ""),
                ])
        }
        #expect(split.status == .seeOther && split.undo != nil)
        #expect(try site.store.transactions.parts(of: id).map(\.minorUnits) == [20_000, 5_000])
        let page = try await site.ask { try await $0.page("/app/transactions/\(id)") }.words
        #expect(page.contains("Split over categories") && page.contains("value=\"200.00\""))
        let list = try await site.ask { try await $0.page("/app/transactions") }.words
        #expect(list.contains("split"))
        let refused = try await site.ask { try await $0.submit("/app/transactions/\(id)/delete", []) }
        #expect(refused.status == .conflict && refused.words.contains("is split over several categories"))
        let joined = try await site.ask { try await $0.submit(path, []) }
        #expect(joined.status == .seeOther)
        #expect(try site.store.transactions.find(id)?.isSplit == false)
    }

    @Test func partsThroughTheAPI() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "Big Bazaar")
        let path = "/transactions/\(id)/splits"
        let put = try await site.ask {
            try await $0.ask(
                .put, path,
                json: #"{"splits":[{"category_name":"Food","amount":"200.00"},{"category_name":"Home","amount":50}]}"#)
        }
        #expect(
            put.status == .ok && put.words.contains(#"{"category_name":"Home","subcategory":null,"amount":"50.00"}"#))
        let sums = try await site.ask { try await $0.ask(.get, "/stats/categories") }.words
        #expect(sums.contains(#""category_name":"Food","subcategory":null,"spent":"200.00""#))
        for (json, field) in [
            (#"{"splits":[{"category_name":"Food","amount":"250.00"}]}"#, "splits"),
            (#"{"splits":[{"category_name":"a","amount":"1"},{"category_name":"b","amount":"2"}]}"#, "splits"),
            (#"{"splits":[{"category_name":"a"},{"category_name":"b","amount":"2"}]}"#, "splits.0.amount"),
            (#"{"splits":[{"amount":"1"},{"category_name":"b","amount":"2"}]}"#, "splits.0.category_name"),
            (#"{"splits":[{"category_name":"a","amount":1.5},{"category_name":"b","amount":"2"}]}"#, "splits.0.amount"),
            (#"{"splits":{}}"#, "splits"), (#"{}"#, "splits"),
        ] {
            let answer = try await site.ask { try await $0.ask(.put, path, json: json) }
            #expect(answer.status == .unprocessableContent, "\(json)")
            #expect(answer.words.contains(#""field":"\#(field)""#), "\(json) \(answer.words)")
        }
        let amount = try await site.ask {
            try await $0.ask(.put, "/transactions/\(id)", json: #"{"parsed_amount":"9.00"}"#)
        }
        #expect(amount.status == .conflict && amount.words.contains("is split over several categories"))
        let deleted = try await site.ask { try await $0.ask(.delete, "/transactions/\(id)") }
        #expect(deleted.status == .conflict)
        let joined = try await site.ask { try await $0.ask(.put, path, json: #"{"splits":[]}"#) }
        #expect(joined.status == .ok && joined.words.contains(#""splits":[]"#))
        #expect(try await site.ask { try await $0.ask(.get, "/transactions/99/splits") }.status == .notFound)
    }
}
