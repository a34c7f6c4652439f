import Foundation
import GRDB
import Store
import Testing
import YAMLSource

@testable import Ingest

/// What a start leaves out because an earlier one has done it.
@Suite struct StartTests {
    /// A ledger beside a file with one keyword.
    final class Place {
        let folder = NSTemporaryDirectory() + "start-tests-" + UUID().uuidString
        let store: Store

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try Store(path: folder + "/ledger.db")
            try write("categories:\n  - name: Food\n    keywords: [cafe]\n", to: "categories.yaml")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: folder + "/" + name)) }

        var categories: String { folder + "/categories.yaml" }

        func keywords() throws -> Int {
            try DatabaseQueue(path: folder + "/ledger.db").read { try Int.fetchOne($0, sql: "SELECT count(*) FROM vendor_mappings") ?? 0 }
        }
    }

    @Test func theSameKeywordsAreBroughtInOnce() throws {
        let place = try Place()
        try place.store.seed(from: place.categories)
        #expect(try place.keywords() == 1)
        try DatabaseQueue(path: place.folder + "/ledger.db").write { try $0.execute(sql: "DELETE FROM vendor_mappings") }
        try place.store.seed(from: place.categories)
        #expect(try place.keywords() == 0)
        try place.write("categories:\n  - name: Food\n    keywords: [cafe, bistro]\n", to: "categories.yaml")
        try place.store.seed(from: place.categories)
        #expect(try place.keywords() == 2)
    }

    @Test func keywordsThatCannotBeReadAreNotMarkedAsBroughtIn() throws {
        let place = try Place()
        try place.write("categories:\n  - name: Food\n    keyword: [cafe]\n", to: "categories.yaml")
        #expect(throws: SourceError.self) { try place.store.seed(from: place.categories) }
        #expect(throws: SourceError.self) { try place.store.seed(from: place.categories) }
        #expect(try place.store.fileMark("categories") == nil)
    }
}
