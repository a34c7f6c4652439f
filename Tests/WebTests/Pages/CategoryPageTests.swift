import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

@Suite struct CategoryPageTests {
    /// The form says what a deletion does before it is sent; one undo takes all of it back.
    @Test func aDeletionNamesWhatItChangesAndCanBeUndone() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "CORNER CAFE")
        let coffee = try site.store.categories.add(name: "Coffee <&>")
        try site.store.categories.add(name: "Food")
        var edit = TransactionEdit()
        edit.category = "Coffee <&>"
        _ = try site.store.transactions.change(id, edit, by: .terminal)
        _ = try site.store.mappings.add(NewMapping(keyword: "cafe") { $0.category = "Coffee <&>" })
        let page = try await site.ask { try await $0.page("/app/categories") }.words
        #expect(page.contains("Moves 1 transaction. Deletes 1 rule with it. Can be undone."))
        #expect(page.contains("Nothing uses it. Can be undone."))
        let done = try await site.ask {
            try await $0.submit("/app/categories/\(coffee.id)/delete", [("replacement", "Food")])
        }
        #expect(try site.store.transactions.find(id)?.category == "Food")
        #expect(try site.store.mappings.all(userDefined: true).isEmpty)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.transactions.find(id)?.category == "Coffee <&>")
        #expect(try site.store.mappings.all(userDefined: true).map(\.keyword) == ["cafe"])
    }

    @Test func aSubcategoryIsRenamed() async throws {
        let site = try PageSite()
        let food = try site.store.categories.add(name: "Food")
        let tea = try site.store.categories.addSubcategory(of: food.id, name: "Tea <&>")
        let path = "/app/categories/\(food.id)/subcategories/rename"
        #expect(try await site.ask { try await $0.page("/app/categories") }.words.contains("action=\"\(path)\""))
        let chosen = ("subcategory", "\(tea.id)")
        _ = try await site.ask { try await $0.submit(path, [chosen, ("name", "Chai")]) }
        #expect(try site.store.categories.find(food.id)?.subcategories.map(\.name) == ["Chai"])
        let refused = try await site.ask { try await $0.submit(path, [chosen, ("name", "\u{200B}")]) }
        #expect(refused.status != .seeOther)
        let api = "/categories/\(food.id)/subcategories/\(tea.id)"
        let put = try await site.ask { try await $0.ask(.put, api, json: #"{"name":"Tea"}"#) }
        #expect(put.status == .ok && put.words.contains(#""name":"Tea""#))
        let wrong = try await site.ask { try await $0.ask(.put, api, json: #"{"name":""}"#) }
        #expect(wrong.status == .unprocessableContent && wrong.words.contains(#""field":"name""#))
        let missing = try await site.ask {
            try await $0.ask(.put, "/categories/\(food.id)/subcategories/99", json: #"{"name":"x"}"#)
        }
        #expect(missing.status == .notFound)
    }
}
