import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct TimeColumnsTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_767_225_599, "2025-12-31T23:59:59Z"),
            (7_258_118_399, "2199-12-31T23:59:59Z"), (-1, "1970-01-01T00:00:00Z"),
        ] as [(UnixTime, String)])
    func anInstantIsStoredAsText(instant: UnixTime, text: String) throws {
        let folder = Folder()
        let queue = try DatabaseQueue(path: folder.database)
        let (stored, bound, read) = try queue.write { db in
            (
                try String.fetchOne(db, sql: "SELECT ?", arguments: [instant]),
                try PreparedStatement(db, "SELECT ?").first({ $0.bind(instant) }, { $0.text(0) }),
                try UnixTime.fetchOne(db, sql: "SELECT ?", arguments: [instant])
            )
        }
        #expect(stored == text && bound == text && read == UnixTime(iso: text))
    }

    /// Another program may have written anything: nothing ends the process.
    @Test(arguments: ["", "2026-01-05", "2026-01-05T25:00:00Z", "2026-13-05T00:00:00Z", "2026-01-05T00:00:00é", "x"])
    func anotherTextReadsAsADefault(_ text: String) throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            let row = try #require(try Row.fetchOne(db, sql: "SELECT ? AS x", arguments: [text]))
            #expect(row["x"] as UnixTime == .epoch)
            #expect(row["x"] as CalendarDate == CalendarDate(iso: text) ?? "1970-01-01")
            #expect(row["x"] as TimeOfDay == .noon)
            let columns = try PreparedStatement(db, "SELECT ?").first({ $0.bind(text) }) {
                ($0.instant(0), $0.day(0), $0.optionalTime(0))
            }
            #expect(columns?.0 == .epoch && columns?.2 == nil)
            #expect(columns?.1 == CalendarDate(iso: text) ?? "1970-01-01")
        }
    }

    @Test func noValueIsNull() throws {
        try DatabaseQueue().write { db in
            let row = try #require(try Row.fetchOne(db, sql: "SELECT ? AS x", arguments: [nil as UnixTime?]))
            #expect(row["x"] as UnixTime? == nil && row["x"] as CalendarDate? == nil && row["x"] as TimeOfDay? == nil)
        }
    }

    @Test func everyDayOfTwoCenturiesSortsAsText() {
        var previous = ""
        for day in stride(from: 0, through: 84005, by: 1) {
            let text = String.fromDatabaseValue(CalendarDate(daysSince1970: day).databaseValue) ?? ""
            #expect(text > previous)
            previous = text
        }
    }

    @Test func mailIDs() throws {
        let ids = (0..<1000).map { _ in MailID.make() }
        #expect(Set(ids).count == 1000)
        for id in ids {
            #expect(try /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(in: id) != nil)
        }
        #expect(ids.map { $0.prefix(13) } == ids.map { $0.prefix(13) }.sorted())
    }
}
