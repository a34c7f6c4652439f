import Testing

@testable import Store

@Suite struct FileMarkTests {
    @Test func theLastOneStaysOverARestart() throws {
        let f = try Fixture()
        #expect(try f.store.fileMark("profiles") == nil)
        try f.store.setFileMark("profiles", "a")
        try f.store.setFileMark("categories", "b")
        try f.store.setFileMark("profiles", "c")
        let again = try Store(path: f.store.path)
        #expect(try again.fileMark("profiles") == "c")
        #expect(try again.fileMark("categories") == "b")
    }
}
