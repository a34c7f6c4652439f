import Foundation
import Glibc
import InternetMessage
import Ledger
import Profiles
import Store
import Testing

@testable import IMAP
@testable import Ingest

/// A mail at which the server's answers end must not keep those behind it from being read.
@Suite struct PoisonTests {
    /// Answers EXAMINE, SEARCH and FETCH for ten mails, and closes the connection in the middle of the poisonous one.
    struct PoisonServer: ByteStream {
        var poison: UInt32?
        private var answer: [UInt8] = []
        private var isClosed = false

        init(poison: UInt32?) { self.poison = poison }

        var capabilities: Capabilities? { Capabilities() }

        mutating func read(into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool) throws(IMAPError) -> ReadOutcome {
            if answer.isEmpty { return isClosed ? .closed : .timedOut }
            let count = min(buffer.count, answer.count)
            buffer.copyBytes(from: answer[..<count])
            answer.removeFirst(count)
            return .bytes(count)
        }

        mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {
            for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) where !isClosed {
                let words = line.split(separator: " ")
                switch words.dropFirst().prefix(2).joined(separator: " ") {
                case let command where command.hasPrefix("EXAMINE"): say("* 10 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 11] x\r\n")
                case "UID SEARCH": say("* SEARCH 1 2 3 4 5 6 7 8 9 10\r\n")
                case "UID FETCH": fetch(words[3])
                default: break
                }
                say("\(words[0]) OK done\r\n")
            }
        }

        private mutating func fetch(_ set: Substring) {
            for range in set.split(separator: ",") {
                let ends = range.split(separator: ":").compactMap { UInt32($0) }
                for uid in (ends.first ?? 1)...(ends.last ?? 1) {
                    let mail = "From: alerts@acme.example\r\nMessage-ID: <\(uid)@acme.example>\r\n\r\nmail \(uid)\r\n"
                    say("* \(uid) FETCH (UID \(uid) RFC822.SIZE \(mail.utf8.count) BODY[]<0> {\(mail.utf8.count)}\r\n" + (uid == poison ? "From" : mail + ")\r\n"))
                    if uid == poison {
                        isClosed = true
                        return
                    }
                }
            }
        }

        private mutating func say(_ text: String) { if !isClosed || text.contains("{") { answer += Array(text.utf8) } }
    }

    /// A ledger, and connections to servers one after the other.
    private final class World {
        private let folder: TemporaryFolder
        let store: Store
        private let intake: Intake
        private let caution = FetchCaution()

        init() throws {
            folder = try TemporaryFolder()
            try folder.write("name: Acme\ndomains: [acme.example]\naddresses: [alerts@acme.example]\ntimezone: Asia/Kolkata\ncurrency: INR\n", to: "acme/_bank.yaml")
            store = try Store(path: folder.path + "/ledger.db")
            intake = Intake(
                profiles: try ProfileSet(directories: [folder.path]), categories: .empty, authentication: .trustDelivery, autoConfirmAt: 0.85, keepsRaw: false)
        }

        func pass(_ server: PoisonServer) throws -> PassSummary {
            var session = try Session(over: server)
            return try FolderPass(
                store: store, intake: intake, mailbox: "m", folder: "INBOX", sinceDays: 100_000, progress: { _ in }, caution: caution
            ).run(&session)
        }
    }

    /// A bad line, which is careful already, breaks once at another mail.
    @Test func aMailThatBrokeOneConnectionIsNotBlamedForThoseOfAnother() throws {
        let world = try World()
        for poison in [3, 3, 6, 8] as [UInt32] { #expect(throws: IMAPError.self) { try world.pass(PoisonServer(poison: poison)) } }
        #expect(try world.store.failedMails().isEmpty)
        #expect(try world.pass(PoisonServer(poison: nil)).done == 3)
    }

    @Test func itIsPutAsideAfterTwoConnectionsByItselfAndTriedAgainLater() throws {
        let world = try World()
        let store = world.store
        func pass(_ server: PoisonServer) throws -> PassSummary { try world.pass(server) }
        // The first two show that it is one of ten.
        for _ in 0..<4 {
            #expect(try store.failedMails().isEmpty)
            #expect(throws: IMAPError.self) { try pass(PoisonServer(poison: 4)) }
        }
        #expect(try store.failedMails().map(\.mail.uid) == [4])
        #expect(try store.failedMails().first?.mail.reason?.contains("the connection ends whenever this mail is fetched") ?? false)
        #expect(try store.failedMails().first?.nextAttemptAt != nil)
        let rest = try pass(PoisonServer(poison: 4))
        #expect(rest.done == 6)
        let key = Store.FolderKey(mailbox: "m", folder: "INBOX")
        #expect(try store.recordedUIDs(of: key, uidValidity: 7, from: 1) == Array(1...10))
        #expect(try store.cursor(of: key)?.nextUID == 11)
        // Later the server is mended.
        #expect(try store.retryNow(nil) == 1)
        #expect(try pass(PoisonServer(poison: nil)).done == 1)
        #expect(try store.failedMails().isEmpty)
    }
}

/// A folder that goes with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/spendwise-ingest-XXXXXX".utf8CString)
        path = try #require(template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } })
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws {
        if let slash = name.lastIndex(of: "/") { mkdir(path + "/" + name[..<slash], 0o700) }
        let file = try #require(fopen(path + "/" + name, "we"))
        fputs(text, file)
        fclose(file)
    }
}
