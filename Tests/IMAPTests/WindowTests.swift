import Testing

@testable import IMAP

@Suite struct WindowTests {
    /// first:through, count, the windows.
    @Test(arguments: [
        ("1:10", 2, ["1:5", "6:10"]), ("1:10", 3, ["1:4", "5:8", "9:10"]), ("1:3", 9, ["1", "2", "3"]),
        ("7:7", 3, ["7"]), ("1:10", 0, ["1:10"]), ("1:10", -1, ["1:10"]),
        ("4294967290:4294967295", 2, ["4294967290:4294967292", "4294967293:4294967295"]),
        ("1:4294967295", 1, ["1:4294967295"]),
    ]) func aRangeIsCut(range: String, count: Int, windows: [String]) throws {
        let whole = try #require(UIDSet(range))
        let cut = SearchCriteria(first: whole.first, through: whole.last, from: ["a.example"]).windows(count)
        #expect(cut.map { window in window.clip(UIDSet(UID.min...UID.max)).description } == windows)
        #expect(cut.allSatisfy { $0.from == ["a.example"] })
    }

    @Test func anOpenEndIsNotCut() {
        #expect(SearchCriteria(first: UID(3)).windows(4).count == 1)
        #expect(SearchCriteria(through: UID(3)).windows(4).count == 1)
    }
}
