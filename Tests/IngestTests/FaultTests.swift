import Foundation
import IMAP
import Store
import Testing

@testable import Ingest

/// Sessions with every kind of fault at every place, see ``Trials``.
@Suite struct FaultTests {
    @Test func uninterruptedSession() throws {
        let course = try Trials.undisturbed(.once)
        #expect(
            course.facts.suffix(6).map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                #"["duplicate", "recorded"]"#, #"["recorded"]"#, #"["recorded"]"#, #"["recorded"]"#, #"["recorded"]"#,
                "transactions",
            ])
        #expect(course.facts.last == "5 transactions" && course.bytes > 2000)
        #expect(
            course.commands.map { $0.prefix { $0 != "(" && $0 != "\"" } } == [
                "EXAMINE ", "UID SEARCH RETURN ", "UID FETCH 1:2 ", "UID FETCH 4:5 ", "UID FETCH 7:8 ",
                "UID FETCH 1:8 ",
                "LOGOUT",
            ])
        // Copies are booked once.
        #expect(
            try Trials.undisturbed(.gmail).facts.last == "6 transactions"
                && Trials.undisturbed(.old).facts.last == "6 transactions")
    }

    /// `SPENDWISE_FAULTS=all` breaks off at every byte; otherwise at every n-th one, with another beginning in each
    /// run.
    static let isThorough = ProcessInfo.processInfo.environment["SPENDWISE_FAULTS"] == "all"

    private static func places(in world: World) throws -> [Int] {
        let bytes = try Trials.undisturbed(world).bytes
        // A watched folder's session takes ten times as long.
        let step = isThorough ? 1 : world.watches ? 43 : 7
        return Array(stride(from: isThorough ? 0 : Int(Seed.value % UInt64(step)), to: bytes, by: step))
    }

    @Test(arguments: World.all, ["closed", "silent"]) func truncatedAtEveryByte(world: World, how: String) throws {
        let trials = try Trials(in: world)
        for (index, place) in try Self.places(in: world).enumerated() {
            // The ledger is the same either way, so each place is tried in one of them only.
            if !Self.isThorough, index % 2 == (how == "closed" ? 0 : 1) { continue }
            try trials.expectRecovery("\(how) after \(place) bytes", variant: index / 2) { server in
                if how == "closed" { server.cut = place } else { server.stall = place }
            }
        }
    }

    /// In the middle of each mail's text, and at the bytes that announce it.
    @Test(arguments: World.all) func silentWithinALiteral(world: World) throws {
        let trials = try Trials(in: world)
        for number in 1...3 {
            for behind in [-1, 0, 1, 2, 40] {
                try trials.expectRecovery("silent \(behind) bytes behind the brace of literal \(number)") { server in
                    var seen = 0
                    server.rewrite = { _, bytes in
                        for (index, byte) in bytes.enumerated() where byte == 0x7B {
                            seen += 1
                            guard seen == number else { continue }
                            server.stall = server.sent + index + behind
                        }
                        return bytes
                    }
                }
            }
        }
    }

    /// One byte at a time leads to the same result as all at once.
    @Test(arguments: World.all) func aSlowDrip(world: World) throws {
        try Trials(in: world).expectRecovery("a drip") { $0.chunk = 1 }
        let (server, book) = (world.server(), try Book())
        server.chunk = 1
        try world.converse(server, book)
        // Except for the second in Gmail's search.
        let commands = try Trials.undisturbed(world).commands
        #expect(
            server.commands.map { $0.prefix(30) } == commands.map { $0.prefix(30) },
            "no request is repeated, and no message is missing")
    }

    /// Changed responses: none may count for a UID that was not requested, and no message may be lost.
    static let lies: [(name: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
        (
            "unsolicited responses before",
            {
                Array(
                    "* 5 RECENT\r\n* OK [ALERT] hello\r\n* 3 FETCH (FLAGS (\\Seen))\r\n* LIST () \"/\" a\r\n* SEARCH\r\n"
                        .utf8) + $0
            }
        ),
        (
            "unsolicited responses inside",
            {
                Self.inside(
                    $0,
                    "* 5 RECENT\r\n* NO [ALERT] hello {5}\r\n* 3 FETCH (FLAGS (\\Seen))\r\n* X-NEWS (1 {3}\r\n* B)\r\n* BYEBYE now\r\n"
                )
            }
        ),
        (
            "mails that come and go",
            {
                Self.inside(
                    $0,
                    "* 90 EXISTS\r\n* 90 RECENT\r\n* 90 EXPUNGE\r\n* VANISHED 7000:7001\r\n* 1 FETCH (FLAGS (\\Deleted) UID 1)\r\n"
                )
            }
        ),
        ("BYE before", { Array("* BYE go away\r\n".utf8) + $0 }),
        ("BYE inside", { Self.inside($0, "* BYE go away\r\n") }),
        ("a FETCH response that was not requested", { Array("* 3 FETCH (UID 3000 BODY[] {4}\r\nevil)\r\n".utf8) + $0 }),
        ("a FETCH without UID", { Array("* 1 FETCH (FLAGS () BODY[] {4}\r\nevil)\r\n".utf8) + $0 }),
        (
            "every answer twice",
            { $0.starts(with: Array("* 1 FETCH".utf8)) ? Array($0.dropLast(Self.tail($0))) + $0 : $0 }
        ),
        (
            "an OK and no mail",
            { String(decoding: $0.prefix(40), as: UTF8.self).contains(" FETCH (") ? $0.suffix(Self.tail($0)) : $0 }
        ),
        (
            "NIL for the text",
            {
                !String(decoding: $0.prefix(40), as: UTF8.self).contains(" FETCH (")
                    ? $0
                    : Array("* 1 FETCH (UID 1 BODY[] NIL)\r\n* 2 FETCH (UID 2 BODY[] NIL)\r\n".utf8)
                        + $0.suffix(Self.tail($0))
            }
        ),
        ("literals one byte too long", { Self.shift($0, by: 1) }),
        ("literals one byte too short", { Self.shift($0, by: -1) }),
        ("literals of nothing", { Self.shift($0, by: -100_000) }), ("upside down", { Array($0.reversed()) }),
        ("nothing at all", { _ in [] }),
    ]

    /// The length of the last line.
    private static func tail(_ bytes: [UInt8]) -> Int {
        bytes.count - ((bytes.dropLast(2).lastIndex(of: 0x0A) ?? -1) + 1)
    }

    /// Before the last line, which is the tagged one as a rule.
    private static func inside(_ bytes: [UInt8], _ text: String) -> [UInt8] {
        Array(bytes.dropLast(tail(bytes))) + Array(text.utf8) + bytes.suffix(tail(bytes))
    }

    /// Changes every literal's announced length.
    private static func shift(_ bytes: [UInt8], by delta: Int) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.replacing(#/\{(\d+)\}/#) { "{\(max(0, (Int($0.output.1) ?? 0) + delta))}" }.utf8)
    }

    @Test(arguments: World.all, lies.map(\.name)) func handlesEveryResponse(world: World, name: String) throws {
        let lie = try #require(Self.lies.first { $0.name == name })
        let trials = try Trials(in: world)
        for place in try CommandTests.places(in: world) {
            try trials.expectRecovery("\(name) in the answer to \(place.command)", variant: place.index) { server in
                server.rewrite = { asked, bytes in server.commands.count == place.index + 1 ? lie.change(bytes) : bytes
                }
            }
        }
    }

    @Test(arguments: World.all) func outOfOrder(world: World) throws {
        try Trials(in: world).expectRecovery("reversed") { $0.reversesFetch = true }
    }

    /// Random bytes changed in the whole session. A garbled response may be valid, which TLS prevents in practice. Here
    /// it must only do no lasting harm: read again from the beginning, every message has its row.
    @Test func damagedBytes() throws {
        var random = Seed.numbers(for: "damaged bytes")
        let book = try Book()
        for _ in 0..<(Self.isThorough ? 3000 : 60) {
            let server = World.once.server()
            try book.clear()
            server.rewrite = { _, bytes in
                var bytes = bytes
                if !bytes.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                return bytes
            }
            do { try server.pass(book) } catch is IMAPError {}
            server.reconnect()
            try server.pass(book)
            #expect(
                try book.cursor().map { $0.uidValidity == 7 && $0.nextUID == 9 } == true,
                "a lie about UIDNEXT or UIDVALIDITY does not last")
            try book.store.mailboxes.setCursor(
                FolderCursor(uidValidity: 7, nextUID: 1), of: .init(mailbox: "personal", folder: "INBOX"))
            server.reconnect()
            try server.pass(book)
            let recorded = try book.store.mailboxes.recordedUIDs(
                of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1)
            #expect([1, 2, 4, 5, 7, 8].filter { !recorded.contains($0) } == [])
        }
    }
}
