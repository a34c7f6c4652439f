import Chronology
import ChronologyFixture
import IMAP
import Store
import Testing

@testable import Ingest

/// A provider's limit of downloads in a day.
@Suite struct DownloadLimitTests {
    private static let now = UnixTime(seconds: 500_000 * 3600 + 600)

    static let waits: [(taken: [(hour: Int64, bytes: UInt64)], seconds: Int64?)] = [
        ([], nil),
        ([(500_000, 999)], nil),
        // All downloads are in this hour, which leaves the last 24 hours when the same hour of tomorrow begins.
        ([(500_000, 1000)], 23 * 3600 + 3000),
        // The oldest hour leaves first, which is enough.
        ([(499_990, 600), (500_000, 500)], 13 * 3600 + 3000),
        // That is not enough: a tenth of the limit must be free.
        ([(499_980, 50), (499_990, 600), (500_000, 500)], 13 * 3600 + 3000),
        ([(499_977, 1000), (500_000, 800)], 3000),
    ]

    @Test(arguments: waits.indices) func itWaitsUntilThereIsRoom(index: Int) {
        let row = Self.waits[index]
        let taken = row.taken.map { HourlyDownload(hour: $0.hour, bytes: $0.bytes) }
        #expect(DownloadLimit.wait(taken.shuffled(), limit: 1000, at: Self.now) == row.seconds)
    }

    @Test func aPassStopsAtTheLimitAndContinuesAfterADay() throws {
        let server = FakeServer()
        for number in 0..<8 { server.folders["INBOX"]?.add(Sample.alert(number, padding: 700)) }
        let book = try Book()
        #expect(throws: DownloadLimitReached.self) { try server.pass(book, downloadLimit: 2500) }
        let first = try book.outcomes()
        #expect(!first.isEmpty && first.count < 8)
        let cursor = try #require(try book.cursor())
        #expect(cursor.nextUID == UInt32(first.count + 1))
        // Nothing more is fetched before there is room, by another process either.
        server.reconnect()
        #expect(throws: DownloadLimitReached.self) { try server.pass(book, downloadLimit: 2500) }
        #expect(try book.outcomes() == first)
        for _ in 0..<8 where try book.outcomes().count < 8 {
            try book.sql("UPDATE downloads SET hour = hour - 24")
            server.reconnect()
            _ = try? server.pass(book, downloadLimit: 2500)
        }
        #expect(try book.outcomes() == (1...8).map { "7:\($0) recorded" })
        #expect(try book.transactions() == 8)
    }

    /// On a connection that breaks, the same messages are downloaded repeatedly: each time counts, recorded or not.
    @Test func downloadBeforeAConnectionFailureCounts() throws {
        let server = FakeServer()
        for number in 0..<8 { server.folders["INBOX"]?.add(Sample.alert(number, padding: 700)) }
        let book = try Book()
        func counted() throws -> UInt64 {
            try book.store.mailboxes.downloads(by: "personal").reduce(0) { $0 + $1.bytes }
        }
        for time in 1...3 as ClosedRange<UInt64> {
            server.reconnect()
            server.rewrite = { command, bytes in
                // In the middle of the third mail of a batch without a tagged response.
                guard command.hasPrefix("UID FETCH") else { return bytes }
                server.cut = server.sent + 2600
                return bytes
            }
            #expect(throws: IMAPError.self) { try server.pass(book, batch: 8, downloadLimit: 9000) }
            #expect(try book.outcomes().isEmpty)
            let bytes = try counted()
            #expect(bytes > time * 2000 && bytes <= time * 2600, "\(bytes)")
        }
        server.reconnect()
        try server.pass(book, batch: 2, downloadLimit: 1_000_000)
        #expect(try book.transactions() == 8)
    }

    @Test func nothingIsCountedWithoutALimit() throws {
        let server = FakeServer()
        server.folders["INBOX"]?.add(Sample.alert(1))
        let book = try Book()
        try server.pass(book)
        #expect(try book.store.mailboxes.downloads(by: "personal").isEmpty)
    }
}
