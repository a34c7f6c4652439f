import Foundation
import InMemoryLogging
import Ingest
import Ledger
import Logging
import Profiles
import Settings
import Store
import Testing

@testable import Upkeep

/// Runs over statements of mails.
@Suite struct MailedStatementTaskTests {
    private let folder = NSTemporaryDirectory() + "mailed-statements-" + UUID().uuidString
    private let log = InMemoryLogHandler()

    /// The job for a ledger in which a statement waits, and a configuration without passwords.
    private func job() throws -> UpkeepJob {
        try FileManager.default.createDirectory(atPath: folder + "/parsers", withIntermediateDirectories: true)
        try configure(mailbox: "personal")
        let store = try Store(path: folder + "/ledger.db")
        let statement = Decision(
            .ignored, by: Decision.Source(profile: "hdfc", template: "hdfc/statement", isAuthentic: true),
            reasons: [Reason(IgnoreReason.statement)])
        let location = MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: 1)
        _ = try store.recording.record([
            MailEntry(at: location, statement) { $0.files = [.init(name: "a.csv", bytes: [1, 2, 3])] }
        ])
        let (path, logger) = (folder + "/spendwise.yaml", Logger(label: "test") { _ in log })
        let settings = try Settings(path: path)
        let context = UpkeepContext(
            store: store, settings: settings,
            profiles: ProfilesInForce(try ProfileSet(directories: ProfileFolders(settings))), mailboxes: { [] },
            states: MailboxStates(), logger: logger
        ) { try Settings(path: path).statements }
        return UpkeepJob(MailedStatementTask(context), logger: logger)
    }

    private func configure(mailbox: String) throws {
        try """
        database: ledger.db
        parsers: parsers
        mailboxes:
          - { name: \(mailbox), maildir: Mail, authserv_id: mx.example.com }
        """.write(toFile: folder + "/spendwise.yaml", atomically: true, encoding: .utf8)
    }

    private func warnings() -> [String] {
        log.entries.filter { $0.level == .warning }.map { "\($0.metadata["reason"] ?? "")" }
    }

    @Test func aLastingFaultIsLoggedOnce() throws {
        let job = try job()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func run() { job.run(isStopped: { false }) }
        // The profiles have no words of statements.
        for _ in 0..<3 { run() }
        #expect(warnings().count == 1 && warnings().allSatisfy { $0.contains("_statement-words.yaml") })
        // Another fault is logged, and the first one again after it.
        try configure(mailbox: "[")
        for _ in 0..<2 { run() }
        #expect(warnings().count == 2)
        try configure(mailbox: "personal")
        for _ in 0..<2 { run() }
        #expect(warnings().count == 3 && warnings().last == warnings().first)
    }

    @Test func aFaultThatComesBackIsNewAgain() {
        let fault = PollFault()
        let faults = ["a", "a", nil, nil, "a", "b", "b", nil, "b"]
        #expect(faults.filter { fault.isNew($0) } == ["a", nil, "a", "b", nil, "b"])
    }

    @Test func theSameAttemptIsMadeOnce() {
        let attempts = StatementAttempts()
        #expect(attempts.isNew(at: 1, [], nil) && !attempts.isNew(at: 1, [], nil))
        #expect(attempts.isNew(at: 1, ["a"], nil) && attempts.isNew(at: 1, ["a"], 7) && attempts.isNew(at: 2, [], nil))
    }
}
