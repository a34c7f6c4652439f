import Foundation
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
}
