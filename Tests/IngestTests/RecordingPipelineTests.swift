import IMAP
import Ledger
import Store
import Testing

@testable import Ingest

/// Several threads decide and record what one thread fetches.
@Suite struct RecordingPipelineTests {
    /// Every third mail is a newsletter, and every alert occurs twice, several mails apart.
    static func server() -> FakeServer {
        let server = FakeServer()
        for number in 0..<90 {
            server.folders["INBOX"]?.add(
                number % 3 == 2 ? Sample.newsletter(number) : Sample.alert(number, padding: number * 37 % 500))
            if number >= 7, (number - 7) % 3 != 2 {
                server.folders["INBOX"]?.add(Sample.alert(number - 7, padding: (number - 7) * 37 % 500))
            }
        }
        return server
    }

    /// The ledger does not depend on the speed of threads or on the order of arrival: of two messages about one event
    /// the first wins.
    @Test(arguments: [1, 2, 5, 64], [false, true]) func theLedgerIsTheSame(batch: Int, reversed: Bool) throws {
        let (plain, expected) = (Self.server(), try Book())
        try plain.pass(expected, batch: batch, pipelined: .max)
        let (server, book) = (Self.server(), try Book())
        server.reversesFetch = reversed
        let summary = try #require(try server.pass(book, batch: batch, pipelined: 1).first)
        #expect(try book.facts() == expected.facts())
        #expect(try book.transactions() == 60)
        #expect(try book.cursor() == expected.cursor())
        #expect(summary.done == summary.found && summary.outcomes.values.reduce(0, +) == summary.done)
        #expect(summary.outcomes[.recorded] == 60)
    }

    /// The connection breaks: what the server answered in full is recorded, and the cursor is after it.
    @Test func completeResponsesAreRecorded() throws {
        let (server, book) = (Self.server(), try Book())
        server.cut = 30_000
        #expect(throws: IMAPError.self) { try server.pass(book, batch: 4, pipelined: 1) }
        let recorded = try book.store.mailboxes.recordedUIDs(
            of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1)
        let cursor = try #require(try book.cursor()?.nextUID)
        #expect(recorded.count >= 4 && recorded.count % 4 == 0 && recorded.last.map { $0 + 1 } == cursor)
        server.reconnect()
        try server.pass(book, batch: 4, pipelined: 1)
        let expected = try Book()
        try Self.server().pass(expected, batch: 4, pipelined: .max)
        #expect(try book.facts() == expected.facts())
    }

    /// A ledger that can no longer be written ends the pass, and nothing is recorded after the gap.
    @Test(arguments: [1, Int.max]) func failedCommitEndsThePass(pipelined: Int) throws {
        let (server, book) = (Self.server(), try Book())
        try book.sql(
            "CREATE TRIGGER full BEFORE INSERT ON processed_emails WHEN NEW.uid = 51 BEGIN SELECT RAISE(ABORT, 'disk'); END"
        )
        #expect(throws: StoreError.self) { try server.pass(book, batch: 4, pipelined: pipelined) }
        let recorded = try book.store.mailboxes.recordedUIDs(
            of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1)
        let cursor = try book.cursor()?.nextUID ?? 1
        #expect(recorded.allSatisfy { $0 < 51 } && cursor <= 51)
        try book.sql("DROP TRIGGER full")
        server.reconnect()
        try server.pass(book, batch: 4, pipelined: pipelined)
        #expect(try book.transactions() == 60)
    }
}
