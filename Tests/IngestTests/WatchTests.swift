import Chronology
import ChronologyFixture
import CurlTransport
import Settings
import Store
import Synchronization
import Testing
import YAMLSource

@testable import IMAP
@testable import Ingest

/// One connection of a mailbox loop with a server in memory, whose waits take no time.
@Suite struct WatchTests {
    private struct NoLogin: LoginSource {
        func credential(wake: Wake) throws -> Credential { Credential(user: "asha", password: "x") }
    }

    private struct Setup {
        let server = FakeServer()
        let book: Book
        let loop: MailboxLoop
        let states: MailboxStates
        var attempt = MailboxLoop.Attempt(renewal: IdleRenewal(longest: .seconds(240)))

        init(
            folders: String = "[INBOX]", statusInterval: Duration = .zero, reopenInterval: Duration? = nil,
            states: MailboxStates = MailboxStates()
        ) throws {
            self.states = states
            let book = try Book()
            self.book = book
            let yaml = """
                database: x
                parsers: x
                mailboxes:
                  - { name: personal, host: h, user: u, password_file: p, folders: \(folders), authentication: trust-delivery }
                """
            let settings = try Settings(YAMLFile(path: "test.yaml", bytes: Array(yaml.utf8)))
            loop = MailboxLoop(
                settings: settings.mailboxes[0], login: NoLogin(), context: try Sample.context(book, states),
                statusInterval: statusInterval, reopenInterval: reopenInterval)
        }

        /// Watches until all `steps` are done: one each time the client waits.
        mutating func watch(_ steps: [(FakeServer) -> ReadOutcome]) throws {
            var left = steps[...]
            let wake = loop.wake
            server.onIdle = { (server: FakeServer) throws(IMAPError) -> ReadOutcome in
                guard let step = left.popFirst() else {
                    wake.stop()
                    return .woken
                }
                return step(server)
            }
            var session = try loop.open(FakeStream(server: server), attempt)
            try loop.read(&session, watching: true, &attempt)
        }
    }

    @Test func mailUnderIdle() throws {
        var setup = try Setup()
        try setup.watch([
            { server in
                server.folders["INBOX"]?.add(Sample.alert(1))
                return .timedOut
            },
            { _ in .timedOut },
            { server in
                server.folders["INBOX"]?.add(Sample.newsletter(2))
                server.folders["INBOX"]?.add(Sample.alert(3))
                return .timedOut
            },
        ])
        #expect(try setup.book.outcomes() == ["7:1 recorded", "7:3 recorded"])
        #expect(setup.server.commands.filter { $0.hasPrefix("EXAMINE") }.count == 1, "the folder stays open")
    }

    /// STATUS finds mail in a folder that is not open; reopening the watched folder finds what arrived there in
    /// between.
    @Test func mailInTheSecondFolder() throws {
        var setup = try Setup(folders: "[INBOX, Bank, Cards]")
        setup.server.folders["Bank"] = FakeServer.Folder(validity: 3)
        setup.server.folders["Cards"] = FakeServer.Folder(validity: 4)
        setup.server.intercept = { server, command in
            // A message arrives in the first folder while the second is open: no EXISTS announces it.
            if command == "EXAMINE \"Bank\"", server.folders["Bank"]?.mails.count == 1,
                server.folders["INBOX"]?.mails.isEmpty == true
            {
                server.folders["INBOX"]?.add(Sample.alert(5))
            }
            return nil
        }
        try setup.watch([
            { server in
                server.folders["Bank"]?.add(Sample.alert(1))
                return .timedOut
            },
            { _ in .timedOut },
        ])
        #expect(try setup.book.outcomes("Bank") == ["3:1 recorded"])
        #expect(try setup.book.outcomes() == ["7:1 recorded"])
        let examined = setup.server.commands.filter { $0.hasPrefix("EXAMINE") }.map {
            $0.dropFirst(9).prefix { $0 != "\"" }
        }
        #expect(
            examined == ["INBOX", "Bank", "Cards", "INBOX", "Bank", "INBOX"], "a folder without news is not opened")
        #expect(setup.server.commands.filter { $0.hasPrefix("STATUS") }.count >= 4)
    }

    /// A busy first folder does not delay the others.
    @Test func aBusyFirstFolderDoesNotHideTheSecond() throws {
        var setup = try Setup(folders: "[INBOX, Bank]")
        setup.server.folders["Bank"] = FakeServer.Folder(validity: 3)
        try setup.watch([
            { server in
                server.folders["INBOX"]?.add(Sample.alert(1))
                server.folders["Bank"]?.add(Sample.alert(2))
                return .timedOut
            }
        ])
        #expect(try setup.book.outcomes("Bank") == ["3:1 recorded"])
    }

    @Test func aFolderDisappearsAndReturns() throws {
        var setup = try Setup(folders: "[INBOX, Bank]")
        setup.server.folders["Bank"] = FakeServer.Folder(validity: 3)
        let states = setup.states
        var reasons: [String?] = []
        try setup.watch([
            { server in
                server.folders["Bank"] = nil
                return .timedOut
            },
            { server in
                reasons.append(states.all.first?.reason)
                server.folders["Bank"] = FakeServer.Folder(validity: 4)
                server.folders["Bank"]?.add(Sample.alert(2))
                return .timedOut
            },
            { _ in
                reasons.append(states.all.first?.reason)
                return .timedOut
            },
        ])
        #expect(reasons.first??.contains("Bank") == true && reasons.last == .some(nil))
        #expect(try setup.book.outcomes("Bank") == ["4:1 recorded"])
    }

    /// The first folder is gone: the next is watched.
    @Test func theFirstReadableFolderIsWatched() throws {
        var setup = try Setup(folders: "[Gone, INBOX]")
        try setup.watch([
            { server in
                server.folders["INBOX"]?.add(Sample.alert(1))
                return .timedOut
            }
        ])
        #expect(try setup.book.outcomes() == ["7:1 recorded"])
    }

    @Test func mailboxWithoutAnyFolderFailsWithTheReason() throws {
        var setup = try Setup(folders: "[Gone]")
        let error = #expect(throws: IMAPError.self) { try setup.watch([]) }
        #expect(error?.retry == .afterReconfiguration)
    }

    /// The probe is not answered: the connection was dead, and the next one is probed more often.
    @Test func aConnectionThatDiedSilently() throws {
        var setup = try Setup()
        setup.server.rewrite = { command, bytes in command == "DONE" ? [] : bytes }
        let error = #expect(throws: IMAPError.self) { try setup.watch([{ _ in .timedOut }]) }
        #expect(error?.kind == .timedOut && error?.retry == .now)
        #expect(setup.attempt.renewal.interval == .seconds(120))
        #expect(setup.attempt.hasReadAll)
    }

    /// With several folders each IDLE is short, and the interval still recovers.
    @Test func theIntervalRecoversWithSeveralFolders() throws {
        var setup = try Setup(folders: "[INBOX, Bank]")
        setup.server.folders["Bank"] = FakeServer.Folder(validity: 3)
        for _ in 0..<9 { setup.attempt.renewal.died() }
        try setup.watch(Array(repeating: { _ in .timedOut }, count: IdleRenewal.trust))
        #expect(setup.attempt.renewal.interval == .milliseconds(37_500))
    }

    /// One folder ends every connection: the next connection reads the others first.
    @Test(arguments: [["* BYE too hard"], ["% NO [UNAVAILABLE] later"], []]) func aFolderAtWhichConnectionsEnd(
        answer: [String]
    ) throws {
        var setup = try Setup(folders: "[INBOX, Bank, Cards]")
        for name in ["Bank", "Cards"] { setup.server.folders[name] = FakeServer.Folder(validity: 3) }
        for (number, name) in ["INBOX", "Bank", "Cards"].enumerated() {
            setup.server.folders[name]?.add(Sample.alert(number))
        }
        for _ in 0..<2 {
            setup.server.reconnect()
            var isOpen = false
            setup.server.intercept = { _, command in
                if command.hasPrefix("EXAMINE") { isOpen = command.contains("INBOX") }
                return isOpen && command.hasPrefix("UID FETCH") ? answer : nil
            }
            #expect(throws: IMAPError.self) { try setup.watch([]) }
        }
        #expect(try setup.book.outcomes("Bank") == ["3:1 recorded"])
        #expect(try setup.book.outcomes("Cards") == ["3:1 recorded"])
        #expect(try setup.book.outcomes() == [])
        // After the fault it is read as before.
        setup.server.reconnect()
        try setup.watch([])
        #expect(try setup.book.outcomes() == ["7:1 recorded"])
        #expect(setup.attempt.endedAt == nil)
    }

    /// Replaces the folder by another with as many messages, without an announcement.
    private static func replace(_ server: FakeServer) {
        server.folders["INBOX"] = FakeServer.Folder(validity: 8)
        server.folders["INBOX"]?.add(Sample.alert(6))
    }

    @Test func theOpenFolderIsExaminedAgain() throws {
        var setup = try Setup(reopenInterval: .zero)
        setup.server.folders["INBOX"]?.add(Sample.alert(1))
        try setup.watch([
            { server in
                Self.replace(server)
                return .timedOut
            }
        ])
        #expect(try setup.book.outcomes() == ["7:1 recorded", "8:1 recorded"])
    }

    @Test func aServerThatAnnouncesNothing() throws {
        var setup = try Setup(reopenInterval: .zero)
        setup.server.isSilent = true
        let states = setup.states
        try setup.watch([
            { server in
                server.folders["INBOX"]?.add(Sample.alert(1))
                return .timedOut
            },
            { _ in .timedOut },
        ])
        #expect(try setup.book.outcomes() == ["7:1 recorded"])
        #expect(states.all.first?.lastMail == nil, "it announced none")
    }

    /// A server that announces nothing and answers STATUS as if nothing had arrived: the other folders are examined
    /// again after `poll`, too.
    @Test func staleStatusDoesNotDelayMail() throws {
        var setup = try Setup(folders: "[INBOX, Bank]", reopenInterval: .zero)
        setup.server.folders["Bank"] = FakeServer.Folder(validity: 3)
        setup.server.isSilent = true
        setup.server.intercept = { _, command in
            command.hasPrefix("STATUS")
                ? ["* STATUS \"Bank\" (MESSAGES 0 UIDVALIDITY 3 UIDNEXT 1)", "% OK done"] : nil
        }
        try setup.watch([
            { server in
                server.folders["Bank"]?.add(Sample.alert(1))
                return .timedOut
            },
            { _ in .timedOut },
        ])
        #expect(try setup.book.outcomes("Bank") == ["3:1 recorded"])
    }

    /// A server that announces new mail only in the response to NOOP.
    @Test func mailThatIDLEDoesNotAnnounce() throws {
        var setup = try Setup()
        setup.server.announcesInIdle = false
        try setup.watch([
            { server in
                server.folders["INBOX"]?.add(Sample.alert(1))
                return .timedOut
            },
            { _ in .timedOut },
        ])
        #expect(try setup.book.outcomes() == ["7:1 recorded"])
        #expect(setup.server.commands.filter { $0.hasPrefix("EXAMINE") }.count == 1, "NOOP is enough")
    }

    /// A server that announces nothing at all: the folder is opened again after `poll`.
    @Test func noMailWaitsLongerThanPoll() throws {
        let setup = try Setup()
        #expect(setup.loop.reopenInterval == .seconds(setup.loop.settings.pollSeconds))
    }

    @Test func anIdleThatEndsWithARefusal() throws {
        var setup = try Setup()
        setup.server.folders["INBOX"]?.add(Sample.alert(1))
        setup.server.rewrite = { command, bytes in
            command == "DONE"
                ? Array(String(decoding: bytes, as: UTF8.self).replacing(" OK ", with: " NO ").utf8) : bytes
        }
        try setup.watch([
            { server in
                Self.replace(server)
                return .timedOut
            },
            { _ in .timedOut },
        ])
        #expect(try setup.book.outcomes() == ["7:1 recorded", "8:1 recorded"])
        #expect(setup.server.commands.suffix(1) == ["NOOP"], "a refused command is not repeated at once")
    }

    /// A server that is slow with everything, but keeps sending.
    @Test func aSlowServerIsAlive() throws {
        let time = Mutex<Int64>(0)
        let states = MailboxStates { time.withLock { $0 } }
        var setup = try Setup(states: states)
        setup.server.capabilities = ["IMAP4REV1", "ID"]
        setup.server.sendsCapabilities = false
        for number in 0..<20 { setup.server.folders["INBOX"]?.add(Sample.alert(number, padding: 100_000)) }
        var moments: [Bool] = []
        func pass(_ seconds: Int64) {
            time.withLock { $0 += seconds }
            moments.append(states.areAlive)
        }
        setup.server.intercept = { _, command in
            let isSearch = command.hasPrefix("UID SEARCH")
            // Two are in flight at a time.
            pass(isSearch ? 180 : 55)
            return isSearch && command.contains(" OR ") ? ["% BAD too many"] : nil
        }
        setup.server.onRead = { pass(55) }
        try setup.loop.health.report(.connecting)
        try setup.watch([])
        #expect(moments.count > 25 && moments.allSatisfy { $0 })
        #expect(try setup.book.outcomes().count == 20)
    }

    @Test(arguments: ["CAPABILITY", "UID SEARCH", "UID FETCH", "IDLE"]) func hangingServerIsNotAlive(
        command: String
    ) throws {
        let time = Mutex<Int64>(0)
        let states = MailboxStates { time.withLock { $0 } }
        var setup = try Setup(states: states)
        setup.server.sendsCapabilities = false
        setup.server.folders["INBOX"]?.add(Sample.alert(1))
        var wasAlive: Bool?
        setup.server.intercept = { _, said in
            if said.hasPrefix(command) {
                // Every wait has a shorter deadline: a thread that still waits hangs.
                time.withLock { $0 += 460 }
                wasAlive = states.areAlive
            }
            return nil
        }
        try setup.loop.health.report(.connecting)
        try setup.watch([])
        #expect(wasAlive == false)
        #expect(states.areAlive, "it has come back")
    }

    /// A BYE, or an immediate close, is not a dead connection.
    @Test func serverEndsTheSession() throws {
        var setup = try Setup()
        #expect(throws: IMAPError.self) {
            try setup.watch([
                { server in
                    server.send("* BYE Autologout")
                    return .timedOut
                }
            ])
        }
        #expect(setup.attempt.renewal.interval == .seconds(240))
    }

    @Test func healthIsReported() throws {
        var setup = try Setup()
        let (states, book) = (setup.states, setup.book)
        var seen: [MailboxHealth] = []
        try setup.watch([
            { server in
                seen += states.all
                server.folders["INBOX"]?.add(Sample.alert(1))
                return .timedOut
            },
            { _ in
                seen += states.all
                return .timedOut
            },
        ])
        #expect(seen.map(\.state) == [.watching, .watching])
        #expect(seen.allSatisfy { $0.reason == nil && $0.lastProbe != nil && $0.due.map { $0 > .epoch } == true })
        #expect(seen.first?.lastMail == nil && seen.last?.lastMail != nil)
        #expect(seen.first?.since == seen.last?.since, "reading a mail does not change the state")
        let written = try #require(try book.store.mailboxes.health().first)
        #expect(written.state == .watching && written.lastBankMail == Sample.arrival)
        #expect(states.areAlive)
    }
}

@Suite struct FolderMarksTests {
    private static func selected(_ validity: UInt32, _ next: UInt32?) throws -> Selected {
        Selected(uidValidity: try #require(UIDValidity(validity)), uidNext: next.flatMap { UID($0) }, exists: 3)
    }

    private static func status(_ validity: UInt32?, _ next: UInt32?) -> FolderStatus {
        FolderStatus(uidValidity: validity.flatMap { UIDValidity($0) }, uidNext: next.flatMap { UID($0) }, messages: 3)
    }

    @Test func needsReading() throws {
        var marks = FolderMarks()
        #expect(marks.needsReading("a", Self.status(1, 5)), "never read")
        marks.wasRead("a", try Self.selected(1, 5))
        #expect(!marks.needsReading("a", Self.status(1, 5)))
        #expect(marks.needsReading("a", Self.status(1, 6)))
        #expect(marks.needsReading("a", Self.status(2, 5)))
        #expect(!marks.needsReading("a", Self.status(nil, 5)))
        #expect(marks.needsReading("a", Self.status(1, nil)), "who cannot tell is asked")
        #expect(marks.needsReading("a", nil), "missing: opening it gives the reason")
        marks.failed("a", IMAPError(.refused, retry: .later, what: ""))
        #expect(!marks.needsReading("a", nil))
        #expect(marks.needsReading("a", Self.status(1, 5)))
    }
}
