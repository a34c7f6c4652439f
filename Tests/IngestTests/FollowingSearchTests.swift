import IMAP
import Store
import Testing

@testable import Ingest

/// A first pass searches one stretch of the folder while it works on the one before.
@Suite struct FollowingSearchTests {
    private func server() -> FakeServer {
        let server = PassLineTests.server()
        server.isNear = true
        return server
    }

    private func expected() throws -> Book {
        let book = try Book()
        try PassLineTests.server().pass(book)
        return book
    }

    @Test(arguments: [1, 7, 40, 70, 10_000], [1, 5, 64]) func theLedgerIsTheSame(window: Int, batch: Int) throws {
        let (server, book, expected) = (server(), try Book(), try expected())
        let summary = try #require(try server.pass(book, batch: batch, window: window).first)
        #expect(try book.facts() == expected.facts())
        #expect(try book.cursor() == expected.cursor())
        #expect(summary.done == summary.found && summary.outcomes.values.reduce(0, +) == summary.done)
        let searches = server.commands.count { $0.hasPrefix("UID SEARCH") }
        #expect(window > 75 ? searches == 1 : searches > 1, "\(searches) searches")
    }

    /// Mails are fetched before the last search is sent.
    @Test func theyAreSentBehindTheFetch() throws {
        let (server, book) = (server(), try Book())
        try server.pass(book, window: 40)
        let last = try #require(server.commands.lastIndex { $0.hasPrefix("UID SEARCH") })
        #expect(server.commands[..<last].contains { $0.hasPrefix("UID FETCH") })
    }

    /// Far servers are asked once: each stretch would cost a round trip.
    @Test func aFarServerIsAskedOnce() throws {
        let (server, book) = (server(), try Book())
        server.isNear = false
        try server.pass(book, window: 7)
        #expect(server.commands.count { $0.hasPrefix("UID SEARCH") } == 1)
    }

    @Test func aSecondPassIsAskedOnce() throws {
        let (server, book) = (server(), try Book())
        try server.pass(book, window: 7)
        server.folders["INBOX"]?.add(Sample.alert(500))
        server.reconnect()
        try server.pass(book, window: 7)
        #expect(server.commands.count { $0.hasPrefix("UID SEARCH") } == 1)
        #expect(try book.transactions() == 61)
    }

    /// Wherever the line breaks: the cursor passes no mail without a row, and the next pass brings the rest.
    @Test func aBrokenLineLosesNothing() throws {
        let expected = try expected()
        let whole = server()
        try whole.pass(try Book(), batch: 4, window: 7)
        for _ in 0..<12 {
            let (server, book) = (server(), try Book())
            server.cut = .random(in: 0..<whole.sent)
            try? server.pass(book, batch: 4, window: 7)
            let next = try book.cursor()?.nextUID ?? 1
            let recorded = Set(try book.store.recordedUIDs(of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1))
            let alerts = Set(try expected.store.recordedUIDs(of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1))
            #expect(alerts.filter { $0 < next }.isSubset(of: recorded))
            server.reconnect()
            try server.pass(book)
            #expect(try book.facts() == expected.facts())
        }
    }

    /// In the place of the answer to any of the searches.
    @Test(arguments: [["% NO not now"], ["% BAD what"], ["* BYE"], [], ["* ESEARCH (TAG \"x\") UID ALL 1:4000000", "% OK done"]])
    func aSearchThatFailsLosesNothing(answer: [String]) throws {
        let expected = try expected()
        for number in 2...4 {
            let (server, book) = (server(), try Book())
            var seen = 0
            server.intercept = { _, command in
                if command.hasPrefix("UID SEARCH") { seen += 1 }
                return seen == number && command.hasPrefix("UID SEARCH") ? answer : nil
            }
            try? server.pass(book, batch: 4, window: 20)
            server.reconnect()
            try server.pass(book)
            #expect(try book.facts() == expected.facts(), "\(number) \(answer)")
        }
    }
}
