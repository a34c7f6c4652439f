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
        let food = try site.store.categories.add(name: "Food")
        var edit = TransactionEdit()
        edit.category = "Coffee <&>"
        _ = try site.store.transactions.change(id, edit, by: .terminal)
        _ = try site.store.mappings.add(NewMapping(keyword: "cafe") { $0.category = "Coffee <&>" }, by: .terminal)
        let page = try await site.ask { try await $0.page("/app/categories?change=\(coffee.id)") }.words
        #expect(page.contains("Moves 1 transaction. Deletes 1 rule with it. Can be undone."))
        #expect(page.contains("href=\"/app/categories?change=\(food.id)#change\""))
        let other = try await site.ask { try await $0.page("/app/categories?change=\(food.id)") }.words
        #expect(other.contains("Nothing uses it. Can be undone.") && !other.contains("Moves 1 transaction"))
        let done = try await site.ask {
            try await $0.submit("/app/categories/\(coffee.id)/delete", [("replacement", "Food")])
        }
        #expect(try site.store.transactions.find(id)?.category == "Food")
        #expect(try site.store.mappings.all(userDefined: true).isEmpty)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.transactions.find(id)?.category == "Coffee <&>")
        #expect(try site.store.mappings.all(userDefined: true).map(\.keyword) == ["cafe"])
    }

    /// The page asks before it deletes a subcategory; each change can be undone, and has its author in the history.
    @Test func changesAreAskedForUndoneAndRecorded() async throws {
        let site = try PageSite()
        let added = try await site.ask { try await $0.submit("/app/categories", [("name", "Garden")]) }
        #expect(added.undo != nil)
        let garden = try #require(try site.store.categories.all().first { $0.name == "Garden" })
        let path = "/app/categories/\(garden.id)"
        let below = try await site.ask { try await $0.submit(path + "/subcategories", [("name", "Seeds")]) }
        #expect(below.undo != nil)
        let seeds = try #require(try site.store.categories.find(garden.id)?.subcategories.first)
        let id = try site.record(1, merchant: "NURSERY")
        var edit = TransactionEdit()
        (edit.category, edit.subcategory) = ("Garden", .set("Seeds"))
        try site.store.transactions.change(id, edit, by: .terminal)
        let chosen = ("subcategory", "\(seeds.id)")
        let asked = try await site.ask { try await $0.submit(path + "/subcategories/delete", [chosen]) }
        #expect(asked.status == .ok && asked.words.contains("Keeps Garden, without a subcategory: 1 transaction."))
        #expect(try site.store.categories.find(garden.id)?.subcategories.count == 1)
        let deleted = try await site.ask {
            try await $0.submit(path + "/subcategories/delete", [chosen, ("confirm", "1")])
        }
        #expect(try site.store.transactions.find(id)?.subcategory == nil)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", deleted.undo ?? "")]) }
        #expect(try site.store.transactions.find(id)?.subcategory == "Seeds")
        let renamed = try await site.ask { try await $0.submit(path, [("name", "Plants"), ("color", "#123456")]) }
        #expect(try site.store.transactions.find(id)?.category == "Plants")
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", renamed.undo ?? "")]) }
        #expect(try site.store.transactions.find(id)?.category == "Garden")
        let same = try await site.ask { try await $0.submit(path, [("name", "Garden")]) }
        #expect(same.undo == nil)
    }

    @Test func aSubcategoryIsRenamed() async throws {
        let site = try PageSite()
        let food = try site.store.categories.add(name: "Food")
        let tea = try site.store.categories.addSubcategory(of: food.id, name: "Tea <&>")
        let path = "/app/categories/\(food.id)/subcategories/rename"
        let page = try await site.ask { try await $0.page("/app/categories?change=\(food.id)") }.words
        #expect(page.contains("action=\"\(path)\"") && page.contains("<details class=\"menu\" open id=\"change\">"))
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
