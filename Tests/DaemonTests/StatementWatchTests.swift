import Foundation
import InMemoryLogging
import Ledger
import Logging
import Store
import Testing

@testable import Daemon

/// Polls for statements of mails.
@Suite struct StatementWatchTests {
    private let folder = NSTemporaryDirectory() + "statement-watch-" + UUID().uuidString
    private let log = InMemoryLogHandler()

    /// A ledger in which a statement waits, and a configuration without passwords.
    private func watch() throws -> StatementWatch {
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
        return StatementWatch(
            store: store, profiles: [folder + "/parsers"], configuration: folder + "/spendwise.yaml",
            logger: Logger(label: "test") { _ in log })
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

    @Test func aLastingFaultIsLoggedOnce() async throws {
        let watch = try watch()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let earlier = EarlierPolls()
        // The profiles have no words of statements.
        for _ in 0..<3 { await watch.poll(earlier) }
        #expect(warnings().count == 1 && warnings().allSatisfy { $0.contains("_statement-words.yaml") })
        // Another fault is logged, and the first one again after it.
        try configure(mailbox: "[")
        for _ in 0..<2 { await watch.poll(earlier) }
        #expect(warnings().count == 2)
        try configure(mailbox: "personal")
        for _ in 0..<2 { await watch.poll(earlier) }
        #expect(warnings().count == 3 && warnings().last == warnings().first)
    }

    @Test func aFaultThatComesBackIsLoggedAgain() {
        let earlier = EarlierPolls()
        let faults = ["a", "a", nil, nil, "a", "b", "b", nil, "b"]
        #expect(faults.filter { earlier.fault.isNew($0) } == ["a", nil, "a", "b", nil, "b"])
    }
}
