import Chronology
import Foundation
import IMAP
import Ledger
import Store
import Testing

@testable import Ingest

/// Changes of folders between and during passes: nothing is lost or booked twice.
@Suite struct FolderTests {
    private static func world(_ count: Int = 4) throws -> (FakeServer, Book) {
        let server = FakeServer()
        for number in 0..<count { server.folders["INBOX"]?.add(Sample.alert(number)) }
        return (server, try Book())
    }

    private static func outcomes(_ validity: Int, _ uids: ClosedRange<Int>, _ outcome: String) -> [String] {
        uids.map { "\(validity):\($0) \(outcome)" }
    }

    @Test func aNewUIDValidityBooksNothingTwice() throws {
        let (server, book) = try Self.world()
        try server.pass(book)
        server.folders["INBOX"]?.validity = 8
        server.folders["INBOX"]?.add(Sample.alert(9))
        server.reconnect()
        let again = try server.pass(book)
        #expect(again.first?.renumbered.map { [$0.0, $0.1] } == [7, 8], "reported")
        #expect(
            try book.outcomes() == Self.outcomes(7, 1...4, "recorded") + Self.outcomes(8, 1...4, "duplicate") + [
                "8:5 recorded"
            ])
        #expect(try book.transactions() == 5)
        #expect(
            try book.cursor()
                == FolderCursor(uidValidity: 8, nextUID: 6, searchedDomains: ["bank.example", "card.example"]))
    }

    /// The folder is renumbered between SEARCH and FETCH, in another order.
    @Test func aNewUIDValidityInTheMiddle() throws {
        let (server, book) = try Self.world(6)
        server.intercept = { server, command in
            guard command.hasPrefix("UID FETCH 3:4"), server.folders["INBOX"]?.validity == 7,
                let mails = server.folders["INBOX"]?.mails
            else { return nil }
            server.folders["INBOX"] = FakeServer.Folder(validity: 8)
            for mail in mails.reversed() { server.folders["INBOX"]?.add(mail.bytes) }
            return nil
        }
        try server.pass(book)
        server.reconnect()
        try server.pass(book)
        #expect(try book.transactions() == 6)
        #expect(try book.outcomes().count { $0.hasPrefix("8:") } == 6 && book.cursor()?.uidValidity == 8)
    }

    /// The server sends OK and omits a message repeatedly: it is recorded as failed, and the cursor does not pass it
    /// before.
    @Test func listedMailThatIsNotDelivered() throws {
        let (server, book) = try Self.world(6)
        let withhold = { (server: FakeServer) in
            server.rewrite = { command, bytes in
                guard command.hasPrefix("UID FETCH") else { return bytes }
                let text = String(decoding: bytes, as: UTF8.self)
                guard let from = text.range(of: "* 3 FETCH"),
                    let to = text.range(of: "* 4 FETCH")
                        ?? text.range(of: "S", range: text.index(text.endIndex, offsetBy: -14)..<text.endIndex)
                else { return bytes }
                return Array((text[..<from.lowerBound] + text[to.lowerBound...]).utf8)
            }
        }
        withhold(server)
        server.intercept = { server, command in
            // The process is killed before it can search for it.
            guard server.commands.count > 4, command.hasPrefix("UID SEARCH") else { return nil }
            server.close()
            return []
        }
        #expect(throws: IMAPError.self) { try server.pass(book) }
        #expect(try book.outcomes() == [1, 2, 4, 5, 6].map { "7:\($0) recorded" } && book.cursor()?.nextUID == 3)
        server.reconnect()
        withhold(server)
        try server.pass(book)
        #expect(
            try book.outcomes() == [1, 2].map { "7:\($0) recorded" } + ["7:3 failed"]
                + [4, 5, 6].map { "7:\($0) recorded" } && book.cursor()?.nextUID == 7)
        try book.sql("UPDATE processed_emails SET next_attempt_at = '2000-01-01T00:00:00Z' WHERE status = 'failed'")
        server.reconnect()
        try server.pass(book)
        #expect(try book.outcomes() == Self.outcomes(7, 1...6, "recorded"))
    }

    /// The daemon was stopped for longer than the first pass looks back, and the folder was renumbered in between.
    @Test func aNewUIDValidityAfterALongAbsence() throws {
        let (server, book) = try Self.world()
        try server.pass(book)
        // The last pass was 200 days ago, and a message arrived 150 days ago.
        let past = Sample.arrival - 200 * 86_400
        try book.sql("UPDATE mailbox_cursors SET updated_at = '\(past)'")
        server.folders["INBOX"] = FakeServer.Folder(validity: 8)
        server.folders["INBOX"]?.add(Sample.alert(20), date: Sample.arrival - 150 * 86_400)
        server.folders["INBOX"]?.add(Sample.alert(21), date: Sample.arrival - 400 * 86_400)
        server.folders["INBOX"]?.add(Sample.alert(22))
        server.reconnect()
        try server.pass(book)
        #expect(try book.outcomes().filter { $0.hasPrefix("8") } == ["8:1 recorded", "8:3 recorded"])
    }

    @Test func expungedWhileItIsFetched() throws {
        let (server, book) = try Self.world(6)
        server.intercept = { server, command in
            // Between SEARCH and FETCH.
            if command.hasPrefix("UID FETCH 3:4") {
                server.folders["INBOX"]?.mails.removeAll { [3, 5].contains($0.uid) }
            }
            return nil
        }
        let summary = try server.pass(book)
        #expect(summary.first?.done == 6)
        #expect(try book.outcomes() == [1, 2, 4, 6].map { "7:\($0) recorded" })
        #expect(try book.cursor()?.nextUID == 7)
        // They are not requested again.
        server.reconnect()
        #expect(try server.pass(book).first?.found == 0)
    }

    @Test func mailThatArrivesWhileThePassRuns() throws {
        let (server, book) = try Self.world()
        server.intercept = { server, command in
            if command.hasPrefix("UID SEARCH") { server.folders["INBOX"]?.add(Sample.alert(10)) }
            if command.hasPrefix("UID FETCH 3:4") { server.folders["INBOX"]?.add(Sample.alert(11)) }
            return nil
        }
        try server.pass(book)
        #expect(try book.cursor()?.nextUID == 5, "the cursor does not pass messages that arrived after EXAMINE")
        server.reconnect()
        try server.pass(book)
        #expect(try book.outcomes() == Self.outcomes(7, 1...6, "recorded"))
    }

    @Test func deliveredTwice() throws {
        let (server, book) = try Self.world(2)
        server.folders["INBOX"]?.add(Sample.alert(0))
        try server.pass(book)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 recorded", "7:3 duplicate"])
    }

    @Test func theSameMailInSeveralFoldersAndMailboxes() throws {
        let (server, book) = try Self.world(2)
        server.folders["Bank"] = server.folders["INBOX"]
        try server.pass(book, folders: ["INBOX", "Bank"])
        #expect(try book.outcomes("Bank") == ["7:1 duplicate", "7:2 duplicate"])
        #expect(try book.transactions() == 2)
    }

    /// Moved by a rule or by hand, long after its arrival: read in its new folder, booked once.
    @Test func moved() throws {
        let (server, book) = try Self.world(3)
        server.folders["Bank"] = FakeServer.Folder(validity: 3)
        // One is moved before it was read, one after, and one that is older than the first pass looks back.
        server.folders["Bank"]?.add(Sample.alert(0), date: Sample.arrival)
        server.folders["INBOX"]?.mails.removeFirst()
        try server.pass(book, folders: ["INBOX", "Bank"])
        server.folders["INBOX"]?.mails.removeFirst()
        server.folders["Bank"]?.add(Sample.alert(1))
        server.folders["Bank"]?.add(Sample.alert(30), date: Sample.arrival - 300 * 86_400)
        server.reconnect()
        try server.pass(book, folders: ["INBOX", "Bank"])
        #expect(try book.outcomes("Bank") == ["3:1 recorded", "3:2 duplicate", "3:3 recorded"])
        #expect(try book.transactions() == 4)
    }

    /// After a rename the new name is another folder; the old one, created again by the server, has another
    /// UIDVALIDITY.
    @Test func renamedAndRecreated() throws {
        let (server, book) = try Self.world(2)
        try server.pass(book)
        server.folders["Old"] = server.folders["INBOX"]
        server.folders["INBOX"] = FakeServer.Folder(validity: 99)
        server.folders["INBOX"]?.add(Sample.alert(5))
        server.reconnect()
        try server.pass(book, folders: ["INBOX", "Old"])
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 recorded", "99:1 recorded"])
        #expect(try book.outcomes("Old") == ["7:1 duplicate", "7:2 duplicate"])
        #expect(try book.transactions() == 3)
    }

    @Test func missingFolderIsAFaultOfThatFolder() throws {
        let (server, book) = try Self.world(1)
        let error = #expect(throws: IMAPError.self) { try server.pass(book, folders: ["Gone"]) }
        #expect(error?.scope == .folder && error?.retry == .afterReconfiguration)
    }

    /// Servers without ESEARCH, UIDNEXT, IDLE, or capabilities after the login.
    @Test(
        arguments: [
            ["IMAP4REV1"], ["IMAP4REV1", "ID"], ["IMAP4REV1", "ESEARCH", "IDLE", "UIDPLUS", "LITERAL+", "CONDSTORE"],
        ], [true, false])
    func oldAndNewServers(capabilities: [String], sendsUIDNext: Bool) throws {
        let (server, book) = try Self.world(5)
        (server.capabilities, server.sendsUIDNext) = (capabilities, sendsUIDNext)
        try server.pass(book)
        server.folders["INBOX"]?.add(Sample.alert(8))
        server.reconnect()
        try server.pass(book)
        #expect(try book.outcomes() == Self.outcomes(7, 1...6, "recorded"))
        #expect(try book.cursor()?.nextUID == 7)
    }

    /// Courier and others: no OR of many, no parts.
    @Test func aServerThatRefusesOrAndParts() throws {
        let (server, book) = try Self.world(3)
        server.capabilities = ["IMAP4REV1"]
        server.intercept = { _, command in
            command.contains(" OR ") || command.contains("]<0.") ? ["% BAD Error in IMAP command"] : nil
        }
        try server.pass(book)
        #expect(try book.outcomes() == Self.outcomes(7, 1...3, "recorded"))
    }
}
