import Testing

@testable import Store

@Suite struct FileMarkTests {
    @Test func theLastOneStaysOverARestart() throws {
        let f = try Fixture()
        #expect(try f.store.fileMarks.digest("profiles") == nil)
        try f.store.fileMarks.set("profiles", "a")
        try f.store.fileMarks.set("categories", "b")
        try f.store.fileMarks.set("profiles", "c")
        let again = try Store(path: f.store.path)
        #expect(try again.fileMarks.digest("profiles") == "c")
        #expect(try again.fileMarks.digest("categories") == "b")
    }
}
