import Chronology
import ChronologyFixture
import IMAP
import Ledger
import Store
import Testing

@testable import Ingest

/// X-GM-EXT-1: one message in several folders under one number, Gmail's search, All Mail by its special use.
@Suite struct GmailTests {
    private static func world() throws -> (FakeServer, Book) {
        let server = FakeServer()
        server.capabilities = ["IMAP4REV1", "IDLE", "ESEARCH", "X-GM-EXT-1", "SPECIAL-USE", "LIST-EXTENDED"]
        server.folders["[Gmail]/Alle Nachrichten"] = FakeServer.Folder(validity: 11, attributes: "\\All")
        for number in 0..<4 {
            if number < 2 { server.folders["INBOX"]?.add(Sample.alert(number), gmail: Self.id(number)) }
            server.folders["[Gmail]/Alle Nachrichten"]?.add(Sample.alert(number), gmail: Self.id(number))
        }
        return (server, try Book())
    }

    /// The upper half of 64 bits, as Gmail's may be.
    private static func id(_ number: Int) -> UInt64 { 0xF000_0000_0000_0000 + UInt64(number) }

    @Test func aMailOfTwoFoldersIsFetchedOnce() throws {
        let (server, book) = try Self.world()
        try server.pass(book, folders: ["INBOX", "[Gmail]/Alle Nachrichten"])
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 recorded"])
        #expect(
            try book.outcomes("[Gmail]/Alle Nachrichten") == [
                "11:1 duplicate", "11:2 duplicate", "11:3 recorded", "11:4 recorded",
            ])
        #expect(try book.transactions() == 4)
        let bodies = server.commands.filter { $0.contains("BODY") }.map { $0.split(separator: " ")[2] }
        #expect(bodies == ["1:2", "3:4"])
        let copies = try book.store.mails.latest([.duplicate])
        #expect(copies.allSatisfy { $0.duplicateOf != nil && $0.reason?.contains("X-GM-MSGID") == true })
        #expect(try book.cursor("[Gmail]/Alle Nachrichten")?.nextUID == 5)
    }

    /// A renumbered folder costs numbers and no messages.
    @Test func aNewUIDValidityFetchesNothingTwice() throws {
        let (server, book) = try Self.world()
        try server.pass(book)
        server.folders["INBOX"]?.validity = 8
        server.folders["INBOX"]?.add(Sample.alert(9), gmail: Self.id(9))
        server.reconnect()
        try server.pass(book)
        #expect(
            try book.outcomes() == ["7:1 recorded", "7:2 recorded", "8:1 duplicate", "8:2 duplicate", "8:3 recorded"])
        #expect(server.commands.filter { $0.contains("BODY") }.map { $0.split(separator: " ")[2] } == ["3"])
    }

    /// The connection breaks between the rows of the copies and the fetch: the cursor has not moved, and nothing is
    /// booked twice.
    @Test func brokenInBetween() throws {
        let (server, book) = try Self.world()
        try server.pass(book)
        server.reconnect()
        server.intercept = { _, command in command.contains("BODY") ? ["* BYE"] : nil }
        #expect(throws: IMAPError.self) { try server.pass(book, folders: ["INBOX", "[Gmail]/Alle Nachrichten"]) }
        #expect(try book.outcomes("[Gmail]/Alle Nachrichten") == ["11:1 duplicate", "11:2 duplicate"])
        #expect(try book.cursor("[Gmail]/Alle Nachrichten") == nil)
        server.reconnect()
        try server.pass(book, folders: ["INBOX", "[Gmail]/Alle Nachrichten"])
        #expect(
            try book.outcomes("[Gmail]/Alle Nachrichten") == [
                "11:1 duplicate", "11:2 duplicate", "11:3 recorded", "11:4 recorded",
            ])
    }

    @Test func theFirstPassAsksBySecondsAndLaterOnesByUID() throws {
        let (server, book) = try Self.world()
        server.folders["INBOX"]?.add(Sample.alert(30), date: Sample.arrival - 100 * 86_400)
        try server.pass(book)
        #expect(
            server.commands.contains {
                $0.contains("X-GM-RAW \"after:") && $0.hasSuffix(" {from:bank.example from:card.example}\"")
            })
        server.folders["INBOX"]?.add(Sample.alert(5))
        server.reconnect()
        try server.pass(book)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 recorded", "7:4 recorded"])
        #expect(server.commands.contains { $0.hasPrefix("UID SEARCH RETURN (ALL) UID 4:4 OR FROM") })
    }

    @Test func refusedGmailSearchFallsBackToSEARCH() throws {
        let (server, book) = try Self.world()
        server.intercept = { _, command in command.contains("X-GM-RAW") ? ["% BAD Unknown argument"] : nil }
        try server.pass(book)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 recorded"])
        #expect(server.commands.filter { $0.hasPrefix("UID SEARCH") }.count == 2)
    }

    @Test(arguments: [true, false]) func allMailIsFoundByItsUse(extended: Bool) throws {
        let (server, _) = try Self.world()
        if !extended { server.capabilities = ["IMAP4REV1"] }
        var session = try Session(over: FakeStream(server: server))
        #expect(try session.folder(for: "\\All")?.name == "[Gmail]/Alle Nachrichten")
        #expect(try session.folder(for: "\\Junk") == nil)
        #expect(
            server.commands
                == Array(repeating: extended ? #"LIST "" "*" RETURN (SPECIAL-USE)"# : #"LIST "" "*""#, count: 2))
    }
}

@Suite struct SyncPlanTests {
    private static func plan(
        _ cursor: FolderCursor?, validity: UInt32 = 7, next: UInt32? = 100, isEmpty: Bool = false,
        searchedBelow: UInt32 = .max, since: UnixTime = 1_767_600_000
    ) throws -> SyncPlan {
        SyncPlan(
            cursor: cursor,
            SyncPlan.Folder(
                uidValidity: try #require(UIDValidity(validity)), uidNext: next.flatMap { UID($0) }, isEmpty: isEmpty,
                searchedBelow: searchedBelow), domains: ["a.example", "b.example"], since: since)
    }

    @Test func theFirstPass() throws {
        let plan = try Self.plan(nil)
        #expect(
            plan.searches == [
                SearchCriteria(
                    first: UID(1), through: UID(99), from: ["a.example", "b.example"],
                    since: Day(year: 2026, month: 1, day: 4), sinceInstant: 1_767_600_000)
            ])
        #expect(plan.end == FolderCursor(uidValidity: 7, nextUID: 100, searchedDomains: ["a.example", "b.example"]))
        #expect(try Self.plan(nil, isEmpty: true).searches == [])
    }

    /// One word for many banks.
    @Test(arguments: [3, 4]) func banksOfIndiaShareAWord(banks: Int) throws {
        let domains = (0..<banks).map { "bank\($0).bank.in" } + ["bank.example"]
        let plan = SyncPlan(
            cursor: nil,
            SyncPlan.Folder(uidValidity: try #require(UIDValidity(7)), uidNext: UID(100), isEmpty: false),
            domains: domains, since: 1_767_600_000)
        #expect(plan.searches.map(\.above) == [banks == 4 ? ["bank.in"] : []] && plan.searches.map(\.from) == [domains])
        #expect(plan.end.searchedDomains == Set(domains))
    }

    @Test func noSearchWithoutNewMail() throws {
        let cursor = FolderCursor(uidValidity: 7, nextUID: 100, searchedDomains: ["a.example", "b.example"])
        #expect(try Self.plan(cursor).searches == [])
        #expect(try Self.plan(cursor, next: nil).searches.count == 1, "unless the server sends no UIDNEXT")
        #expect(try Self.plan(cursor).end == cursor)
    }

    /// A server whose UIDNEXT goes back without a new UIDVALIDITY violates the standard, but its next messages must not
    /// be lost, nor those that it has given UIDs below meanwhile.
    @Test func followsANumberingThatGoesBack() throws {
        let cursor = FolderCursor(uidValidity: 7, nextUID: 100, searchedDomains: ["a.example", "b.example"])
        let plan = try Self.plan(cursor, next: 50)
        #expect(plan.end.nextUID == 50)
        #expect(plan.searches.map(\.through) == [UID(49)] && plan.searches.map(\.first) == [UID(1)])
        #expect(plan.searches.allSatisfy { $0.from.count == 2 && $0.since != nil })
    }

    @Test func searchesDoubtfulUIDsAgain() throws {
        let cursor = FolderCursor(uidValidity: 7, nextUID: 90, searchedDomains: ["a.example", "b.example"])
        let some = try Self.plan(cursor, searchedBelow: 80)
        #expect(some.searches.map(\.first) == [UID(80)] && some.searches.map(\.since) == [nil])
        let all = try Self.plan(cursor, searchedBelow: 0)
        #expect(all.searches.map(\.first) == [UID(90), UID(1)] && all.searches.map(\.through) == [UID(99), UID(89)])
        #expect(all.searches.map { $0.since == nil } == [true, false], "new messages may have any date")
        #expect(some.end == all.end && all.end.nextUID == 100)
    }

    @Test func aNewBankIsSearchedBelowTheCursorOnly() throws {
        let cursor = FolderCursor(uidValidity: 7, nextUID: 100, searchedDomains: ["a.example"])
        let searches = try Self.plan(cursor).searches
        #expect(searches.map(\.from) == [["b.example"]] && searches.first?.through == UID(99))
    }

    /// A clock at 1970, or before it, leads to a search for everything.
    @Test(arguments: [0, -7_776_000, UnixTime(seconds: .min)]) func clockThatWasNeverSet(since: UnixTime) throws {
        #expect(try Self.plan(nil, since: since).searches.first?.since == Day(year: 1970, month: 1, day: 1))
        #expect(try Self.plan(nil, since: since).searches.first?.sinceInstant == 0)
    }
}
