import Ledger
import Store
import Testing

@testable import Ingest

@Suite struct MemoryReleaseTests {
    /// The rules are kept for half a minute; after a release the next message reads them anew.
    @Test func rulesAreReadAnewAfterARelease() throws {
        let book = try Book()
        let context = try Sample.context(book)
        try book.store.categories.seed([CategorySeed(name: "Food", keywords: ["bakery"])])
        func category(_ vendor: String) throws -> String? {
            try context.rules.current().categories.match(vendor)?.mapping.category
        }
        #expect(try category("LAKE BAKERY") == "Food")
        try book.store.categories.seed([CategorySeed(name: "Bread", keywords: ["bakery"])])
        #expect(try category("LAKE BAKERY") == "Food")
        context.releaseMemory()
        #expect(try category("LAKE BAKERY") == "Bread")
        #expect(!context.hasFreeMemory)
    }
}
