import Chronology
import CourierFixture
import IMAP
import Ledger
import MailServerFixture
import Store
import Testing

@testable import Ingest

/// Servers that assign a UID to another message although UIDVALIDITY stays the same.
@Suite struct NumberingTests {
    private static func server(_ numbers: ClosedRange<Int>) -> FakeServer {
        let server = FakeServer()
        for number in numbers { server.folders["INBOX"]?.add(Sample.alert(number)) }
        return server
    }

    /// Exchanges the message at `index` for another that has its UID from then on.
    private static func replace(_ index: Int, with mail: [UInt8], on server: FakeServer) {
        server.folders["INBOX"]?.mails[index].bytes = mail
        server.folders["INBOX"]?.mails[index].id = ""
    }

    @Test func aUIDOfAnotherMessageIsARenumbering() throws {
        let (server, book) = (Self.server(1...3), try Book())
        try server.pass(book)
        Self.replace(2, with: Sample.alert(9), on: server)
        server.folders["INBOX"]?.add(Sample.alert(3))
        server.reconnect()
        let summary = try #require(try server.pass(book).first)
        #expect(summary.renumbered != nil)
        #expect(try book.transactions() == 4)
        #expect(
            try book.outcomes().filter { $0.hasPrefix("7:") } == [
                "7:1 duplicate", "7:2 duplicate", "7:3 recorded", "7:4 duplicate",
            ])
        // Once is enough.
        server.reconnect()
        #expect(try server.pass(book).first.map { $0.renumbered == nil && $0.found == 0 } == true)
        #expect(
            try book.cursor()
                == FolderCursor(uidValidity: 7, nextUID: 5, searchedDomains: ["bank.example", "card.example"]))
    }

    /// A second renumbering under the same UIDVALIDITY needs a second free number.
    @Test func mayRecur() throws {
        let (server, book) = (Self.server(1...2), try Book())
        for number in 10...12 {
            try server.pass(book)
            Self.replace(1, with: Sample.alert(number), on: server)
            server.reconnect()
        }
        try server.pass(book)
        #expect(try book.transactions() == 5)
    }

    @Test func expungedMessagesAreNotListed() throws {
        let (server, book) = (Self.server(1...3), try Book())
        try server.pass(book)
        server.folders["INBOX"]?.mails.removeAll()
        server.folders["INBOX"]?.add(Sample.alert(5))
        server.reconnect()
        #expect(try server.pass(book).first?.renumbered == nil)
        #expect(try book.transactions() == 4)
    }

    /// Messages without a Message-ID are compared by INTERNALDATE.
    @Test func theDateIdentifiesAMessageWithoutAnID() throws {
        let (server, book) = (FakeServer(), try Book())
        func mail(_ number: Int) -> [UInt8] {
            Array(
                String(decoding: Sample.alert(number), as: UTF8.self).replacing(
                    "Message-ID: <\(number)@bank.example>\r\n", with: ""
                ).utf8)
        }
        server.folders["INBOX"]?.add(mail(1), date: Sample.arrival)
        try server.pass(book)
        server.reconnect()
        #expect(try server.pass(book).first?.renumbered == nil)
        Self.replace(0, with: mail(2), on: server)
        server.folders["INBOX"]?.mails[0].date = Sample.arrival + 60
        server.reconnect()
        #expect(try server.pass(book).first?.renumbered != nil)
        #expect(try book.transactions() == 2)
    }

    private static func withNewsletter(_ numbers: ClosedRange<Int> = 3...3) -> FakeServer {
        let server = server(1...2)
        for number in numbers { server.folders["INBOX"]?.add(Sample.newsletter(number)) }
        return server
    }

    /// An alert that gets the UID of another sender's message, which has no row.
    @Test func alertWithTheUIDOfAnotherSendersMessageIsRead() throws {
        let (server, book) = (Self.withNewsletter(), try Book())
        try server.pass(book)
        Self.replace(2, with: Sample.alert(9), on: server)
        server.reconnect()
        let summary = try #require(try server.pass(book).first)
        #expect(summary.renumbered == nil && summary.found == 1, "the rows are still right")
        #expect(try book.outcomes() == (1...3).map { "7:\($0) recorded" })
        // Once is enough.
        server.reconnect()
        #expect(try server.pass(book).first?.found == 0)
        #expect(server.commands.filter { $0.hasPrefix("UID SEARCH") } == [])
    }

    /// The same, after all messages at the end of the folder were removed: UIDNEXT goes back.
    @Test func alertBelowTheCursorIsRead() throws {
        let (server, book) = (Self.withNewsletter(3...40), try Book())
        try server.pass(book)
        server.folders["INBOX"]?.mails.removeSubrange(2...)
        server.folders["INBOX"]?.next = 3
        server.folders["INBOX"]?.add(Sample.alert(9))
        server.reconnect()
        #expect(try server.pass(book).first?.renumbered == nil)
        #expect(try book.outcomes() == (1...3).map { "7:\($0) recorded" })
        #expect(try book.cursor()?.nextUID == 4)
    }

    /// UIDNEXT goes back behind a row: the row would hide the message that gets its UID later.
    @Test func takenBackUIDsWithRowsAreSetAside() throws {
        let (server, book) = (Self.server(1...3), try Book())
        try server.pass(book)
        server.folders["INBOX"]?.mails.removeSubrange(1...)
        server.folders["INBOX"]?.next = 2
        server.reconnect()
        try server.pass(book)
        for number in 7...8 { server.folders["INBOX"]?.add(Sample.alert(number)) }
        server.reconnect()
        try server.pass(book)
        #expect(try book.transactions() == 5)
    }

    /// Messages that arrive while the folder is open are marked when it is opened the next time, and searched again.
    @Test func messageThatArrivedInAnOpenFolderIsSearchedAgain() throws {
        let (server, book) = (Self.server(1...2), try Book())
        var session = try Session(over: FakeStream(server: server), maximumMessageBytes: 1 << 20)
        let pass = FolderPass(
            store: book.store, intake: try Sample.intake(), key: .init(mailbox: "personal", folder: "INBOX"),
            sinceDays: 90)
        let opened = try #require(try pass.run(&session).selected?.uidValidity)
        server.folders["INBOX"]?.add(Sample.newsletter(3))
        server.folders["INBOX"]?.add(Sample.alert(4))
        _ = try pass.run(&session, opened: opened)
        #expect(try book.cursor()?.nextUID == 5)
        Self.replace(2, with: Sample.alert(9), on: server)
        server.reconnect()
        try server.pass(book)
        #expect(try book.outcomes() == [1, 2, 3, 4].map { "7:\($0) recorded" })
    }

    /// A folder without news costs EXAMINE and one FETCH.
    @Test func unchangedFolderIsNotSearched() throws {
        let (server, book) = (Self.withNewsletter(), try Book())
        try server.pass(book)
        server.reconnect()
        try server.pass(book)
        #expect(server.commands.map { $0.prefix(9) } == ["EXAMINE \"", "UID FETCH", "LOGOUT"])
    }

    /// A server that does not answer the question is trusted.
    @Test(arguments: ["% NO not now", "% BAD what", "% OK done"]) func aRefusalChangesNothing(answer: String) throws {
        let (server, book) = (Self.server(1...2), try Book())
        try server.pass(book)
        server.reconnect()
        server.intercept = { _, command in command.contains("MESSAGE-ID") ? [answer] : nil }
        server.folders["INBOX"]?.add(Sample.alert(3))
        #expect(try server.pass(book).first?.renumbered == nil)
        #expect(try book.transactions() == 3)
    }
}

/// Courier does not keep the UIDs that it assigns in EXAMINE.
@Suite(.enabled(if: CourierMaildir.isInstalled, "no Courier: run scripts/unpack-servers"))
struct CourierTests {
    private func recorded(_ book: Book) throws -> Set<String> {
        Set(try book.store.mails.latest([.recorded], limit: 100).compactMap(\.messageID))
    }

    private func ids(_ numbers: Int...) -> Set<String> { Set(numbers.map { "\($0)@bank.example" }) }

    @Test func deliveredThenAppended() throws {
        let (server, book) = (try CourierServer(), try Book())
        try server.mail.deliver(Sample.alert(1))
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1))
        let client = try server.mail.connect()
        try client.append(Sample.alert(2), to: "INBOX")
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1, 2))
    }

    @Test func deliveredThenCopied() throws {
        let (server, book) = (try CourierServer(), try Book())
        try server.mail.deliver(Sample.alert(2), to: "/.Junk")
        try server.mail.deliver(Sample.alert(1))
        _ = try server.pass(book)
        let client = try server.mail.connect()
        try client.command("SELECT INBOX.Junk")
        try client.command("COPY 1 INBOX")
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1, 2))
    }

    @Test func removedThenDelivered() throws {
        let (server, book) = (try CourierServer(), try Book())
        let file = try server.mail.deliver(Sample.alert(1))
        _ = try server.pass(book)
        server.mail.remove(file)
        try server.mail.deliver(Sample.alert(2))
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1, 2))
    }

    /// An alert gets the UID of another sender's message, which has no row.
    @Test func newsletterRemovedThenDelivered() throws {
        let (server, book) = (try CourierServer(), try Book())
        try server.mail.deliver(Sample.alert(1))
        let files = try (2...4).map { try server.mail.deliver(Sample.newsletter($0)) }
        _ = try server.pass(book)
        server.mail.remove(files[1])
        server.mail.remove(files[2])
        try server.mail.deliver(Sample.alert(5))
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1, 5))
    }

    @Test func newslettersDeliveredThenAppended() throws {
        let (server, book) = (try CourierServer(), try Book())
        for number in 1...30 { try server.mail.deliver(Sample.newsletter(number)) }
        _ = try server.pass(book)
        let client = try server.mail.connect()
        try client.append(Sample.alert(31), to: "INBOX")
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(31))
    }

    /// Nothing is booked twice, whatever happens in between.
    @Test func quietFolderIsUnchanged() throws {
        let (server, book) = (try CourierServer(), try Book())
        for number in 1...3 { try server.mail.deliver(Sample.alert(number)) }
        for _ in 0..<3 { _ = try server.pass(book) }
        #expect(try recorded(book) == ids(1, 2, 3) && book.outcomes().count == 3)
    }
}
