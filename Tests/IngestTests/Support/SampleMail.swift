import Chronology
import ChronologyFixture
import Foundation
import GRDB
import Glibc
import IMAP
import InternetMessage
import Ledger
import Logging
import Profiles
import Settings
import Store
import Testing
import YAMLSource

@testable import Ingest

/// A fictitious bank, its messages, and a separate ledger for each test.
enum Sample {
    /// The arrival of its messages, recent enough for the first pass.
    static let arrival = UnixTime.now - 5 * 86_400

    static func alert(_ number: Int, from sender: String = "alerts@bank.example", padding: Int = 0) -> [UInt8] {
        let hour = number % 24
        return Array(
            """
            From: Bank <\(sender)>\r
            To: asha@example.com\r
            Subject: Card alert\r
            Message-ID: <\(number)@bank.example>\r
            Date: Mon, 5 Jan 2026 \(hour < 10 ? "0" : "")\(hour):10:00 +0530\r
            \r
            Rs.\(number + 1).00 spent on card ending 4321 at COFFEE \(number) on 05-01-2026 at \(hour < 10 ? "0" : "")\(hour):09:00. \(String(repeating: "x", count: padding))\r

            """.utf8)
    }

    /// True if the bank sent it.
    static func isAlert(_ mail: [UInt8]) -> Bool { mail.starts(with: "From: Bank <alerts@".utf8) }

    static func newsletter(_ number: Int) -> [UInt8] { alert(number, from: "news@shop.example") }

    /// Loaded once, which is slow in a debug build.
    static let profiles: Result<ProfileSet, any Error> = Result {
        let folder = NSTemporaryDirectory() + "ingest-tests-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/test", withIntermediateDirectories: true)
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        try FileManager.default.copyItem(atPath: root + "/parsers/_common.yaml", toPath: folder + "/_common.yaml")
        try """
        name: Test Bank
        domains: [bank.example, card.example]
        addresses: [alerts@bank.example]
        timezone: Asia/Kolkata
        currency: INR
        """.write(toFile: folder + "/test/_bank.yaml", atomically: true, encoding: .utf8)
        try """
        template: test/card
        kind: transaction
        extract:
          body_pattern: |-
            ^Rs\\.(?<amount>\\d+\\.\\d\\d)\\sspent\\son\\scard\\sending\\s(?<account>\\d{4})\\sat\\s(?<merchant>.{1,40}?)\\son\\s(?<date>\\d\\d-\\d\\d-\\d{4})\\sat\\s(?<time>\\d\\d:\\d\\d:\\d\\d)\\.
          type: expense
          channel: card
        """.write(toFile: folder + "/test/card.yaml", atomically: true, encoding: .utf8)
        try """
        template: test/statement
        kind: ignore
        reason: statement
        match:
          body_pattern: ^Your\\sstatement\\sis\\sattached\\.
        """.write(toFile: folder + "/test/statement.yaml", atomically: true, encoding: .utf8)
        return try ProfileSet(directories: [folder], samples: false)
    }

    private static let decisions = DecisionSettings(autoConfirmAt: 0.5, keepsRaw: false, keepsSettled: .nothing)

    static func context(_ book: Book, _ states: MailboxStates = MailboxStates()) throws -> MailboxContext {
        MailboxContext(
            store: book.store, profiles: ProfilesInForce(try profiles.get()), states: states,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, decisions: decisions)
    }

    static func intake() throws -> Intake {
        Intake(
            profiles: try profiles.get(), rules: .none, authentication: .trustDelivery,
            decisions: decisions)
    }
}

/// A database in memory, removed after the test. Copied from an empty one: creating a new one takes twenty times as
/// long.
final class Book {
    let path: String
    let store: Store
    private static let blank: Result<String, any Error> = Result {
        let path = Book.freshPath()
        _ = try Store(path: path)
        return path
    }

    init() throws {
        path = Self.freshPath()
        try FileManager.default.copyItem(atPath: Self.blank.get(), toPath: path)
        store = try Store(path: path)
    }

    deinit { LedgerFiles.remove(path) }

    /// A second connection, for changes that the store does not make.
    private lazy var connection = Result<DatabaseQueue, any Error> {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    func sql(_ text: String) throws { try connection.get().write { try $0.execute(sql: text) } }

    /// Empties the ledger, which is faster than opening another.
    func clear() throws {
        let connection = try connection.get()
        let tables = try Self.empty.get()
        try connection.write { db in
            // Triggers fill tables while others are emptied.
            for table in tables + tables { try db.cachedStatement(sql: "DELETE FROM \(table)").execute() }
        }
    }

    /// The tables that have no row in a new ledger.
    private static let empty: Result<[String], any Error> = Result {
        try DatabaseQueue(path: blank.get()).read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).filter {
                try Int.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \($0))") == 0
            }
        }
    }

    private static func freshPath() -> String {
        let shared = "/dev/shm"
        return (access(shared, W_OK) == 0 ? shared + "/" : NSTemporaryDirectory()) + "spendwise-" + UUID().uuidString
            + ".db"
    }

    /// The content of the ledger, without times and attempts.
    func facts() throws -> [String] {
        let mails = try store.mails.latest(Set(Outcome.allCases), limit: 10_000).map {
            "\($0.mailbox)/\($0.folder) \($0.uidValidity):\($0.uid) \($0.outcome) \($0.messageID ?? "")"
        }
        return mails.sorted() + ["\(try transactions()) transactions"]
    }

    func transactions() throws -> Int { try store.monitoring.status().transactions.values.reduce(0, +) }

    func outcomes(_ folder: String = "INBOX") throws -> [String] {
        try store.mails.latest(Set(Outcome.allCases), limit: 10_000).filter { $0.folder == folder }.map {
            "\($0.uidValidity):\($0.uid) \($0.outcome)"
        }.sorted()
    }

    func cursor(_ folder: String = "INBOX") throws -> FolderCursor? {
        try store.mailboxes.cursor(of: .init(mailbox: "personal", folder: folder))
    }
}

extension FakeServer {
    /// One connection that reads folders once, as the daemon does.
    @discardableResult
    func pass(
        _ book: Book, folders names: [String] = ["INBOX"], batch: Int = 2, sinceDays: Int = 90,
        downloadLimit: UInt64? = nil, pipelined: Int = 16,
        mailbox: String = "personal", caution: FetchCaution = FetchCaution(), intake: Intake? = nil
    ) throws -> [PassSummary] {
        var session = try Session(over: FakeStream(server: self), maximumMessageBytes: 1 << 20)
        var summaries: [PassSummary] = []
        for name in names {
            var pass = FolderPass(
                store: book.store, intake: try intake ?? Sample.intake(),
                key: FolderKey(mailbox: mailbox, folder: name), sinceDays: sinceDays)
            (pass.hasOtherFolders, pass.caution) = (names.count > 1, caution)
            (pass.batch, pass.parallelThreshold) = (batch, pipelined)
            pass.downloadLimit = downloadLimit
            summaries.append(try pass.run(&session))
        }
        session.logout()
        return summaries
    }
}
