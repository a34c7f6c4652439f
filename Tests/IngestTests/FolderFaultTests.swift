import IMAP
import Ledger
import Store
import Testing

@testable import Ingest

/// Changes of folders and messages while they are read: nothing is lost or booked twice.
@Suite struct FolderFaultTests {
    private static func world(_ count: Int = 6, others: [String] = []) throws -> (FakeServer, Book) {
        let server = FakeServer()
        for number in 0..<count { server.folders["INBOX"]?.add(Sample.alert(number)) }
        for (index, name) in others.enumerated() {
            server.folders[name] = FakeServer.Folder(validity: UInt32(20 + index))
        }
        return (server, try Book())
    }

    /// Calls `body` once, before the response to the first command with this prefix.
    private static func before(_ prefix: String, on server: FakeServer, _ body: @escaping (FakeServer) -> [String]?) {
        var isDone = false
        server.intercept = { server, command in
            guard !isDone, command.hasPrefix(prefix) else { return nil }
            isDone = true
            return body(server)
        }
    }

    private static func booked(_ book: Book) throws -> Int {
        try book.store.mails.latest([.recorded], limit: 1000).count
    }

    @Test func theSameMailInTwoMailboxes() throws {
        let (server, book) = try Self.world(3)
        try server.pass(book)
        server.reconnect()
        try server.pass(book, mailbox: "family")
        let rows = try book.store.mails.latest([.recorded, .duplicate], limit: 100)
        #expect(
            rows.filter { $0.mailbox == "family" }.map { "\($0.outcome)" } == ["duplicate", "duplicate", "duplicate"])
        #expect(rows.filter { $0.mailbox == "family" }.allSatisfy { $0.duplicateOf != nil })
        #expect(try book.transactions() == 3)
        #expect(
            try book.store.mailboxes.cursor(of: .init(mailbox: "family", folder: "INBOX"))?.nextUID == 4,
            "each has its own location")
    }

    /// A rule moves or copies a message while the two folders are read, at any command of the pass.
    @Test(
        arguments: [
            "EXAMINE \"INBOX\"", "UID SEARCH", "UID FETCH 1:2", "UID FETCH 3:4", "UID FETCH 5:6", "EXAMINE \"Bank\"",
        ], [(true, "INBOX"), (false, "INBOX"), (true, "Bank"), (false, "Bank")])
    func movedOrCopiedWhileThePassRuns(command: String, how: (isMoved: Bool, from: String)) throws {
        let (isMoved, from) = how
        let (server, book) = try Self.world(others: ["Bank"])
        server.folders["Bank"]?.add(Sample.alert(10))
        let to = from == "INBOX" ? "Bank" : "INBOX"
        Self.before(command, on: server) { server in
            // The last one: it may have been read already.
            guard let mail = server.folders[from]?.mails.last else { return nil }
            if isMoved { server.folders[from]?.mails.removeLast() }
            server.folders[to]?.add(mail.bytes)
            return nil
        }
        try server.pass(book, folders: ["INBOX", "Bank"])
        server.reconnect()
        try server.pass(book, folders: ["INBOX", "Bank"])
        #expect(try book.transactions() == 7 && Self.booked(book) == 7)
        // Every message has a row in its present folder.
        for name in ["INBOX", "Bank"] {
            let folder = try #require(server.folders[name])
            let rows = try book.store.mailboxes.recordedUIDs(
                of: .init(mailbox: "personal", folder: name), uidValidity: folder.validity, from: 1)
            #expect(folder.mails.map(\.uid).filter { !rows.contains($0) } == [])
            #expect(try book.cursor(name)?.nextUID == folder.next)
        }
    }

    /// The folder is deleted while it is read, with the responses of three servers. Created again with the same
    /// messages it is read again, and nothing is booked twice.
    @Test(
        arguments: ["UID SEARCH", "UID FETCH 1:2", "UID FETCH 3:4", "UID FETCH 5:6"],
        ["% NO [NONEXISTENT] Mailbox was deleted", "* BYE Selected mailbox was deleted", "% BAD No mailbox selected"])
    func deletedWhileItIsRead(command: String, words: String) throws {
        let (server, book) = try Self.world(others: ["Bank"])
        server.folders["Bank"]?.add(Sample.alert(10))
        let mails = try #require(server.folders["INBOX"]?.mails)
        server.intercept = { server, asked in
            if asked.hasPrefix(command) { server.folders["INBOX"] = nil }
            return server.folders["INBOX"] == nil && asked.hasPrefix("UID") ? [words] : nil
        }
        do { try server.pass(book) } catch is IMAPError {}
        let cursor = try book.cursor()?.nextUID ?? 1
        #expect(
            try (1..<cursor).allSatisfy {
                try book.outcomes().contains("7:\($0) recorded") || book.outcomes().contains("7:\($0) failed")
            }, "\(cursor)")
        // The other folder is still read.
        server.reconnect()
        #expect(throws: IMAPError.self) { try server.pass(book) }
        try server.pass(book, folders: ["Bank"])
        server.folders["INBOX"] = FakeServer.Folder(validity: 8)
        for mail in mails { server.folders["INBOX"]?.add(mail.bytes) }
        server.reconnect()
        try server.pass(book, folders: ["INBOX", "Bank"])
        #expect(try book.transactions() == 7 && Self.booked(book) == 7)
        #expect(try book.outcomes().count { $0.hasPrefix("8:") } == 6 && book.cursor()?.nextUID == 7)
    }

    /// Renamed while it is read, and created again under its old name, as servers do with INBOX (RFC 9051 section
    /// 6.3.6): no message may count as read under the new name without being read.
    @Test(arguments: ["UID SEARCH", "UID FETCH 3:4"]) func renamedWhileItIsRead(command: String) throws {
        let (server, book) = try Self.world(others: [])
        Self.before(command, on: server) { server in
            server.folders["Old"] = server.folders["INBOX"]
            server.folders["INBOX"] = FakeServer.Folder(validity: 99)
            server.folders["INBOX"]?.add(Sample.alert(20))
            return nil
        }
        do { try server.pass(book) } catch is IMAPError {}
        server.reconnect()
        try server.pass(book, folders: ["INBOX", "Old"])
        #expect(try book.transactions() == 7 && Self.booked(book) == 7)
        #expect(try book.outcomes("Old").count == 6 && book.cursor()?.uidValidity == 99)
    }

    /// Messages are expunged while they are fetched, with or without a notice; the sequence numbers of the others
    /// change.
    @Test(arguments: [[1], [3, 4], [1, 2, 3, 4, 5], [6], [1, 2, 3, 4, 5, 6]] as [Set<UInt32>], [true, false])
    func expungedWhileTheyAreFetched(gone: Set<UInt32>, isAnnounced: Bool) throws {
        let (server, book) = try Self.world()
        let before = try #require(server.folders["INBOX"]?.mails)
        server.rewrite = { command, bytes in
            guard command.hasPrefix("UID FETCH 1:2") else { return bytes }
            server.folders["INBOX"]?.mails.removeAll { gone.contains($0.uid) }
            let told = isAnnounced ? gone.sorted(by: >).map { "* \($0) EXPUNGE\r\n" }.joined() : ""
            return Array(told.utf8) + bytes
        }
        try server.pass(book)
        let outcomes = try book.outcomes()
        #expect(before.filter { !gone.contains($0.uid) }.allSatisfy { outcomes.contains("7:\($0.uid) recorded") })
        #expect(
            outcomes.allSatisfy { $0.hasSuffix(" recorded") }
                && outcomes.prefix(2) == ["7:1 recorded", "7:2 recorded"], "messages delivered before count")
        #expect(try book.cursor()?.nextUID == 7)
        server.reconnect()
        server.folders["INBOX"]?.add(Sample.alert(9))
        #expect(try server.pass(book).first?.found == 1)
    }

    /// A message that arrives at any moment of a pass has its row after the next pass, and the cursor does not pass it
    /// before.
    @Test(arguments: ["EXAMINE", "UID SEARCH", "UID FETCH 1:2", "UID FETCH 5:6", "LOGOUT"], [true, false])
    func mailArrivesAtAnyMoment(command: String, sendsUIDNext: Bool) throws {
        let (server, book) = try Self.world()
        (server.capabilities, server.sendsUIDNext) = (
            sendsUIDNext ? ["IMAP4REV1", "ESEARCH"] : ["IMAP4REV1"], sendsUIDNext
        )
        Self.before(command, on: server) { server in
            server.folders["INBOX"]?.add(Sample.alert(30))
            return nil
        }
        try server.pass(book)
        let cursor = try #require(try book.cursor()).nextUID
        #expect(try cursor <= 7 || book.outcomes().contains("7:7 recorded"))
        server.reconnect()
        try server.pass(book)
        #expect(try book.outcomes() == (1...7).map { "7:\($0) recorded" } && book.cursor()?.nextUID == 8)
    }
}
