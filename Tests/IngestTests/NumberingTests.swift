import IMAP
import Ledger
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
@Suite(.enabled(if: CourierServer.program != nil, "no Courier: name its imapd in SPENDWISE_COURIER"))
struct CourierTests {
    private func recorded(_ book: Book) throws -> Set<String> {
        Set(try book.store.mails.latest([.recorded], limit: 100).compactMap(\.messageID))
    }

    private func ids(_ numbers: Int...) -> Set<String> { Set(numbers.map { "\($0)@bank.example" }) }

    @Test func deliveredThenAppended() throws {
        let (server, book) = (try CourierServer(), try Book())
        try server.deliver(Sample.alert(1))
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1))
        var client = try server.connect()
        let mail = Sample.alert(2)
        _ = try client.command("APPEND INBOX {\(mail.count)}", literal: mail)
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1, 2))
    }

    @Test func deliveredThenCopied() throws {
        let (server, book) = (try CourierServer(), try Book())
        try server.deliver(Sample.alert(2), to: "/.Junk")
        try server.deliver(Sample.alert(1))
        _ = try server.pass(book)
        var client = try server.connect()
        _ = try client.command("SELECT INBOX.Junk")
        _ = try client.command("COPY 1 INBOX")
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1, 2))
    }

    @Test func removedThenDelivered() throws {
        let (server, book) = (try CourierServer(), try Book())
        let file = try server.deliver(Sample.alert(1))
        _ = try server.pass(book)
        try server.remove(file)
        try server.deliver(Sample.alert(2))
        _ = try server.pass(book)
        #expect(try recorded(book) == ids(1, 2))
    }

    /// Nothing is booked twice, whatever happens in between.
    @Test func quietFolderIsUnchanged() throws {
        let (server, book) = (try CourierServer(), try Book())
        for number in 1...3 { try server.deliver(Sample.alert(number)) }
        for _ in 0..<3 { _ = try server.pass(book) }
        #expect(try recorded(book) == ids(1, 2, 3) && book.outcomes().count == 3)
    }
}
