import Chronology
import ChronologyFixture
import Foundation
import IMAP
import InternetMessage
import Ledger
import Settings
import Store
import Testing

@testable import Ingest

/// A message at which the server's responses are wrong must not block those before and after it.
@Suite struct PoisonTests {
    struct Poison: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// It ends the connection, so that it is not identified at once.
        var isEnd = true
        /// A part of the recorded reason.
        let reason: String
        /// Changes the response that contains message 4, from that message on, and may end the responses of this
        /// connection.
        var spoil:
            (@Sendable (FakeServer, _ before: String, _ mail: String, _ behind: String) -> (text: String, isEnd: Bool))?
        /// The tagged response to every FETCH of message 4.
        var refusal: String?
    }

    static let ends = "the connection ends whenever this mail is fetched"

    static let poisons: [Poison] = [
        Poison(testDescription: "the connection is closed in the middle of it", reason: ends) {
            server, before, mail, _ in
            server.close()
            return (before + mail.prefix(90), true)
        },
        Poison(testDescription: "silence in the middle of it", reason: "did not answer in time") { _, before, mail, _ in
            (before + mail.prefix(90), true)
        },
        Poison(testDescription: "silence in front of it", reason: ends) { _, before, _, _ in (before, true) },
        Poison(testDescription: "a response that violates the grammar", reason: ends) { _, before, mail, behind in
            (before + mail.replacing("(UID 4", with: "(UID (4") + behind, true)
        },
        Poison(testDescription: "a literal that is too short", reason: ends) { _, before, mail, behind in
            (before + mail.replacing(#/\{(\d+)\}/#) { "{\((Int($0.output.1) ?? 0) - 30)}" } + behind, true)
        },
        Poison(testDescription: "a literal that never ends", reason: ends) { _, before, mail, behind in
            (before + mail.replacing(#/\{(\d+)\}/#) { "{\((Int($0.output.1) ?? 0) + 5_000_000)}" } + behind, true)
        },
        Poison(testDescription: "a literal beyond all bounds", reason: "announced a literal of") {
            _, before, mail, behind in
            (before + mail.replacing(#/\{\d+\}/#) { _ in "{99999999999}" } + behind, true)
        },
        Poison(testDescription: "BYE", reason: "ended the session") { _, before, _, _ in
            (before + "* BYE Internal error\r\n", true)
        },
        Poison(testDescription: "NIL for its text", isEnd: false, reason: "has no text") { _, before, mail, behind in
            (before + mail.prefix { $0 != "(" } + "(UID 4 BODY[] NIL)\r\n" + behind, false)
        },
        Poison(testDescription: "OK without it", isEnd: false, reason: "lists this mail and does not hand it out") {
            _, before, _, behind in (before + behind, false)
        },
        Poison(
            testDescription: "NO", isEnd: false, reason: "refused to hand out the mail with UID 4",
            refusal: "NO cannot read it"),
        Poison(
            testDescription: "NO [SERVERBUG]", isEnd: false, reason: "[SERVERBUG]",
            refusal: "NO [SERVERBUG] Internal error"),
        Poison(
            testDescription: "BAD", isEnd: false, reason: "to hand out the mail with UID 4",
            refusal: "BAD Command Error"),
    ]

    /// Poisons a mail on this connection.
    private static func apply(_ poison: Poison, to server: FakeServer, uid: Int = 4) {
        if let refusal = poison.refusal {
            server.intercept = { server, command in
                let words = command.split(separator: " ")
                guard command.hasPrefix("UID FETCH"),
                    UIDSet(String(words[2]))?.contains(UID(exactly: 4) ?? .max) ?? false
                else { return nil }
                return ["% \(refusal)"]
            }
        }
        guard let spoil = poison.spoil else { return }
        var isOver = false
        server.rewrite = { command, bytes in
            if isOver { return [] }
            let text = String(decoding: bytes, as: UTF8.self)
            guard command.hasPrefix("UID FETCH"), let from = text.range(of: "* \(uid) FETCH") else { return bytes }
            // It ends at the next message or at the tagged response.
            let rest = from.upperBound..<text.endIndex
            let next = text.range(of: "\r\n)\r\n* ", range: rest) ?? text.range(of: "\r\n)\r\nS", range: rest)
            let end = next.flatMap { text.range(of: ")\r\n", range: $0) }?.upperBound ?? text.endIndex
            let spoilt = spoil(
                server, String(text[..<from.lowerBound]), String(text[from.lowerBound..<end]), String(text[end...]))
            isOver = spoilt.isEnd
            return Array(spoilt.text.utf8)
        }
    }

    @Test(arguments: poisons, [2, 64]) func poisonMessageIsRecordedAsFailedAndRetried(poison: Poison, batch: Int) throws
    {
        let (server, book, caution) = (FakeServer(), try Book(), FetchCaution())
        for number in 1...10 { server.folders["INBOX"]?.add(Sample.alert(number)) }
        func pass(poisoned: Bool = true) throws {
            server.reconnect()
            if poisoned { Self.apply(poison, to: server) }
            try server.pass(book, batch: batch, caution: caution)
        }
        // Two connections show that it is one of a batch, and two more that it is this one.
        func untilItIsRecorded(_ attempts: Int) throws {
            for _ in 0..<(poison.isEnd ? 4 : 1) where try book.store.mails.failed().first?.mail.attempts != attempts {
                if poison.isEnd { #expect(throws: IMAPError.self) { try pass() } } else { try pass() }
            }
        }
        try untilItIsRecorded(1)
        let first = try #require(try book.store.mails.failed().first)
        #expect(
            first.mail.uid == 4 && first.mail.attempts == 1 && first.mail.reason?.contains(poison.reason) == true,
            "\(first.mail.reason ?? "")")
        // The others are read in the same connection, or in the next.
        if poison.isEnd { try pass() }
        let all = (1...10).map { $0 == 4 ? "7:4 failed" : "7:\($0) recorded" }
        #expect(try book.outcomes() == all.sorted() && book.cursor()?.nextUID == 11)

        // It is not fetched before it is due.
        server.folders["INBOX"]?.add(Sample.alert(11))
        try pass()
        let bodies = server.commands.filter { $0.hasPrefix("UID FETCH") && $0.contains("BODY.PEEK[]") }
        #expect(bodies.map { $0.split(separator: " ")[2] } == ["11"])
        #expect(try book.store.mails.failed().map(\.mail.attempts) == [1])

        // It fails again, with a longer pause. A later message is read nevertheless.
        try book.sql("UPDATE processed_emails SET next_attempt_at = '2000-01-01T00:00:00Z' WHERE status = 'failed'")
        server.folders["INBOX"]?.add(Sample.alert(12))
        try untilItIsRecorded(2)
        if poison.isEnd { try pass() }
        let second = try #require(try book.store.mails.failed().first)
        #expect(second.mail.attempts == 2 && second.nextAttemptAt.map { $0 > first.nextAttemptAt ?? $0 } == true)
        #expect(try book.outcomes().contains("7:12 recorded"))

        // The server is repaired.
        #expect(try book.store.mailboxes.retryNow(nil) == 1)
        try pass(poisoned: false)
        #expect(try book.outcomes() == (1...12).map { "7:\($0) recorded" }.sorted())
    }

    /// A bad connection, on which messages are fetched one by one already, breaks once at another message.
    @Test func messageThatEndedOneConnectionIsNotFailed() throws {
        let (server, book, caution) = (FakeServer(), try Book(), FetchCaution())
        for number in 1...10 { server.folders["INBOX"]?.add(Sample.alert(number)) }
        for uid in [3, 3, 6, 8] {
            server.reconnect()
            Self.apply(Self.poisons[0], to: server, uid: uid)
            #expect(throws: IMAPError.self) { try server.pass(book, batch: 64, caution: caution) }
        }
        #expect(try book.store.mails.failed().isEmpty)
        server.reconnect()
        #expect(try server.pass(book, caution: caution).map(\.done) == [3])
    }

    private static func refuseAll(_ server: FakeServer, besides uid: UInt32 = 0, _ answer: String) {
        server.intercept = { _, command in
            let words = command.split(separator: " ")
            guard command.hasPrefix("UID FETCH"), command.contains("BODY.PEEK[]"), words[2] != "\(uid)" else {
                return nil
            }
            return ["% \(answer)"]
        }
    }

    /// A refusal of everything is a fault of the server: nothing is recorded, and the next connection reads all.
    @Test(arguments: [1, 3, 10], ["NO cannot read it", "NO [SERVERBUG] Internal error", "BAD what"])
    func aServerThatRefusesEveryMessage(count: Int, answer: String) throws {
        let (server, book) = (FakeServer(), try Book())
        for number in 0..<count { server.folders["INBOX"]?.add(Sample.alert(number)) }
        Self.refuseAll(server, answer)
        let error = try #require(throws: IMAPError.self) { try server.pass(book) }
        #expect(error.scope == .mailbox && error.retry == .later)
        #expect(error.description.contains(answer.split(separator: " ").last.map(String.init) ?? "?"), "\(error)")
        #expect(try book.outcomes() == [] && book.cursor() == nil)
        server.reconnect()
        try server.pass(book)
        #expect(try book.transactions() == count)
    }

    /// More refusals than the limit end the pass early.
    @Test func manyRefusals() throws {
        let (server, book) = (FakeServer(), try Book())
        for number in 0..<400 { server.folders["INBOX"]?.add(Sample.alert(number)) }
        Self.refuseAll(server, "NO cannot read it")
        #expect(throws: IMAPError.self) { try server.pass(book, batch: 64) }
        #expect(try book.outcomes() == [] && server.commands.count < 700)
    }

    /// The only new message is refused, but an older one is delivered: the message is at fault.
    @Test func oneRefusedMessage() throws {
        let (server, book) = (FakeServer(), try Book())
        server.folders["INBOX"]?.add(Sample.alert(1))
        try server.pass(book)
        server.reconnect()
        server.folders["INBOX"]?.add(Sample.alert(2))
        Self.refuseAll(server, besides: 1, "NO cannot read it")
        try server.pass(book)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 failed"])
        // Its next attempt is refused as well, and is no fault of the mailbox.
        server.reconnect()
        try book.sql("UPDATE processed_emails SET next_attempt_at = '2000-01-01T00:00:00Z' WHERE status = 'failed'")
        Self.refuseAll(server, "NO cannot read it")
        try server.pass(book)
        #expect(try book.store.mails.failed().map(\.mail.attempts) == [2])
    }
}

/// Mail whose signing key is not looked up in time.
@Suite struct LateKeyTests {
    struct FixedFinding: SignatureChecker {
        let finding: SignatureFinding

        func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding { finding }
    }

    /// The cursor passes the mail, and it is fetched again when it is due.
    @Test(arguments: [
        (SignatureFinding.pass, "recorded"), (.fail(reason: .bodyAltered), "quarantined"), (.undecided, "failed"),
        (.unverifiable(reason: .keyMissing), "review"),
    ])
    func lateKeyDelaysTheMailAlone(later: SignatureFinding, outcome: String) throws {
        let (server, book) = (FakeServer(), try Book())
        for number in 1...3 { server.folders["INBOX"]?.add(Sample.alert(number)) }
        var intake = try Sample.intake()
        intake.authentication = .verified(authservID: nil)
        intake.signatures = FixedFinding(finding: .undecided)
        try server.pass(book, intake: intake)
        #expect(try book.outcomes() == (1...3).map { "7:\($0) failed" } && book.cursor()?.nextUID == 4)
        #expect(try book.store.mails.failed().allSatisfy { $0.nextAttemptAt != nil })
        #expect(try book.store.mails.failed().first?.mail.reason?.contains("DNS") == true)

        intake.signatures = FixedFinding(finding: later)
        server.reconnect()
        try server.pass(book, intake: intake)
        #expect(try book.outcomes() == (1...3).map { "7:\($0) failed" }, "not before it is due")
        #expect(try book.store.mailboxes.retryNow(nil) == 3)
        server.reconnect()
        try server.pass(book, intake: intake)
        #expect(try book.outcomes() == (1...3).map { "7:\($0) \(outcome)" })
    }

    /// A key disappears, and the kept text of a settled mail has no signature.
    @Test func provenMailStaysProven() throws {
        let (server, book) = (FakeServer(), try Book())
        for number in 1...2 { server.folders["INBOX"]?.add(Sample.alert(number)) }
        var intake = try Sample.intake()
        intake.authentication = .verified(authservID: nil)
        intake.decisions.keepsRaw = true
        intake.decisions.keepsSettled = .text
        intake.signatures = FixedFinding(finding: .pass)
        try server.pass(book, intake: intake)
        #expect(try book.outcomes() == ["7:1 recorded", "7:2 recorded"])

        intake.signatures = FixedFinding(finding: .unsigned)
        #expect(try Self.redecided(intake, in: book) == [.recorded, .recorded])
        try book.sql("UPDATE transactions SET provenance = json_set(provenance, '$.authentication', 'unverified: x')")
        #expect(try Self.redecided(intake, in: book) == [.quarantined, .quarantined])
    }

    private static func redecided(_ intake: Intake, in book: Book) throws -> [Outcome] {
        let retained = RetainedMails(
            store: book.store, intake: intake, policies: ["personal": .verified(authservID: nil)])
        var outcomes: [Outcome] = []
        _ = try retained.eachEntry([.recorded], of: .init(), isStopped: { false }) { entries in
            outcomes += entries.map(\.entry.decision.outcome)
        }
        return outcomes
    }
}
