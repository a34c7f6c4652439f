import Foundation
import IMAP
import Store
import Testing

@testable import Ingest

/// A session is disturbed in every way and at every place; the next one, undisturbed, must end in the same ledger as if nothing had been,
/// and between the two the cursor must not have passed a mail that has no row.
@Suite struct FaultTests {
    static func server() -> FakeServer {
        let server = FakeServer()
        for number in 0..<7 { server.folders["INBOX"]?.add(number % 3 == 2 ? Sample.newsletter(number) : Sample.alert(number)) }
        server.folders["INBOX"]?.add(Sample.alert(0))
        return server
    }

    static let alerts: [UInt32] = [1, 2, 4, 5, 7, 8]

    static let undisturbed: Result<(facts: [String], bytes: Int, commands: [String]), any Error> = Result {
        let (server, book) = (Self.server(), try Book())
        try server.pass(book)
        return (try book.facts(), server.sent, server.commands)
    }

    /// Runs a disturbed session, then a good one.
    static func expectRecovery(_ what: String, _ disturb: (FakeServer) -> Void, _ location: SourceLocation = #_sourceLocation) throws {
        let expected = try undisturbed.get().facts
        let (server, book) = (Self.server(), try Book())
        disturb(server)
        // With and without other threads, whichever it is this time.
        do { try server.pass(book, pipelined: Bool.random() ? 1 : 16) } catch is IMAPError {}
        let cursor = try book.cursor()?.nextUID ?? 1
        let recorded = try book.store.recordedUIDs(of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1)
        let passed = alerts.filter { $0 < cursor && !recorded.contains($0) }
        #expect(passed == [], "\(what): the cursor \(cursor) passed", sourceLocation: location)
        server.reconnect()
        try server.pass(book)
        // A mail that the server garbled may have been recorded as failed and is asked for again when its time has come.
        if try book.facts() != expected {
            try book.sql("UPDATE processed_emails SET next_attempt_at = '2000-01-01T00:00:00Z' WHERE status = 'failed'")
            server.reconnect()
            try server.pass(book)
        }
        let facts = try book.facts()
        // Of two mails about one event that is booked which could be read first.
        let swapped = expected.map { $0.replacing("7:1 recorded", with: "7:1 duplicate").replacing("7:8 duplicate", with: "7:8 recorded") }
        if facts != expected, facts != swapped { Issue.record("\(what): \(facts)", sourceLocation: location) }
    }

    @Test func theUndisturbedSessionIsAsThought() throws {
        let (facts, bytes, commands) = try Self.undisturbed.get()
        #expect(facts.filter { $0.contains("recorded") }.count == 5)
        #expect(facts.contains { $0.hasPrefix("personal/INBOX 7:8 duplicate") } && facts.last == "5 transactions")
        #expect(bytes > 2000)
        #expect(commands.map { $0.prefix { $0 != "(" && $0 != "\"" } } == ["EXAMINE ", "UID SEARCH RETURN ", "UID FETCH 1:2 ", "UID FETCH 4:5 ", "UID FETCH 7:8 ", "LOGOUT"])
    }

    /// `SPENDWISE_FAULTS=all` cuts at every byte; otherwise at every so-manieth, beginning elsewhere each time.
    static let isThorough = ProcessInfo.processInfo.environment["SPENDWISE_FAULTS"] == "all"

    @Test func cutAtEveryByte() throws {
        let bytes = try Self.undisturbed.get().bytes
        let step = Self.isThorough ? 1 : 41
        for cut in stride(from: Self.isThorough ? 0 : Int.random(in: 0..<step), to: bytes, by: step) {
            try Self.expectRecovery("cut at \(cut)") { $0.cut = cut }
        }
    }

    static let answers: [(name: String, lines: [String])] = [
        ("NO", ["% NO not now"]), ("BAD", ["% BAD what"]), ("NO [UNAVAILABLE]", ["% NO [UNAVAILABLE] later"]), ("NO [LIMIT]", ["% NO [LIMIT] later"]),
        ("BYE", ["* BYE go away"]), ("silence", []), ("garbage", ["\u{0}\u{7F} {{{ ((("]), ("an answer to another command", ["X99 OK done"]),
        ("an answer to a later command", ["S99 OK done"]), ("a continuation", ["+ go on"]),
        ("a literal without end", ["* 1 FETCH (UID 1 BODY[] {99999}"]), ("a literal beyond all bounds", ["* 1 FETCH (UID 1 BODY[] {99999999999}"]),
        ("a list without end", ["* 1 FETCH " + String(repeating: "(", count: 5000)]),
    ]

    @Test(arguments: answers.map(\.name)) func everyCommandAnsweredWith(name: String) throws {
        let lines = try #require(Self.answers.first { $0.name == name }).lines
        for (index, command) in try Self.undisturbed.get().commands.enumerated() {
            try Self.expectRecovery("\(name) to \(command)") { server in
                server.intercept = { server, _ in server.commands.count == index + 1 ? lines : nil }
            }
        }
    }

    /// Answers that change what is said about mails: none may be believed beyond the UID asked for, and none may be lost by it.
    static let lies: [(name: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
        ("unsolicited responses before", { Array("* 5 RECENT\r\n* OK [ALERT] hello\r\n* 3 FETCH (FLAGS (\\Seen))\r\n* STATUS x (MESSAGES 1)\r\n* LIST () \"/\" a\r\n* SEARCH\r\n".utf8) + $0 }),
        ("a FETCH of a mail that nobody asked for", { Array("* 3 FETCH (UID 3000 BODY[] {4}\r\nevil)\r\n".utf8) + $0 }),
        ("a FETCH without UID", { Array("* 1 FETCH (FLAGS () BODY[] {4}\r\nevil)\r\n".utf8) + $0 }),
        ("every answer twice", { $0.starts(with: Array("* 1 FETCH".utf8)) ? Array($0.dropLast(Self.tail($0))) + $0 : $0 }),
        ("an OK and no mail", { String(decoding: $0.prefix(40), as: UTF8.self).contains(" FETCH (") ? $0.suffix(Self.tail($0)) : $0 }),
        ("NIL for the text", { _ in Array("* 1 FETCH (UID 1 BODY[] NIL)\r\n* 2 FETCH (UID 2 BODY[] NIL)\r\n".utf8) }),
        ("literals one byte too long", { Self.shift($0, by: 1) }), ("literals one byte too short", { Self.shift($0, by: -1) }),
        ("literals of nothing", { Self.shift($0, by: -100_000) }), ("upside down", { Array($0.reversed()) }), ("nothing at all", { _ in [] }),
    ]

    /// The length of the last line.
    private static func tail(_ bytes: [UInt8]) -> Int { bytes.count - ((bytes.dropLast(2).lastIndex(of: 0x0A) ?? -1) + 1) }

    /// Changes every literal's announced length.
    private static func shift(_ bytes: [UInt8], by delta: Int) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.replacing(#/\{(\d+)\}/#) { "{\(max(0, (Int($0.output.1) ?? 0) + delta))}" }.utf8)
    }

    @Test(arguments: lies.map(\.name)) func everyAnswerWith(name: String) throws {
        let lie = try #require(Self.lies.first { $0.name == name })
        for (index, command) in try Self.undisturbed.get().commands.enumerated() {
            try Self.expectRecovery("\(name) in the answer to \(command)") { server in
                server.rewrite = { asked, bytes in server.commands.count == index + 1 && asked == command ? lie.change(bytes) : bytes }
            }
        }
    }

    @Test func outOfOrder() throws { try Self.expectRecovery("reversed") { $0.reversesFetch = true } }

    /// Random bytes changed in the whole conversation. A garbled answer may be as good an answer as the true one, and TLS is there against that;
    /// here it must only end nothing for ever: read again from the beginning, every mail has its row.
    @Test func damagedBytes() throws {
        for _ in 0..<(Self.isThorough ? 3000 : 40) {
            let (server, book) = (Self.server(), try Book())
            server.rewrite = { _, bytes in
                var bytes = bytes
                if !bytes.isEmpty, Int.random(in: 0..<3) == 0 { bytes[Int.random(in: 0..<bytes.count)] = .random(in: 0...255) }
                return bytes
            }
            do { try server.pass(book) } catch is IMAPError {}
            server.reconnect()
            try server.pass(book)
            #expect(try book.cursor().map { $0.uidValidity == 7 && $0.nextUID == 9 } == true, "a lie about UIDNEXT or UIDVALIDITY does not last")
            try book.store.setCursor(Store.Cursor(uidValidity: 7, nextUID: 1), of: .init(mailbox: "personal", folder: "INBOX"))
            server.reconnect()
            try server.pass(book)
            let recorded = try book.store.recordedUIDs(of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1)
            #expect(Self.alerts.filter { !recorded.contains($0) } == [])
        }
    }
}
