import Logging
import Processes
import Review
import ServiceLifecycle
import Settings
import Statements
import Store
import Synchronization

/// Reads the statements of mails, after the commit of the mail: at once if no password is needed or it is known, and
/// otherwise when it becomes known.
struct StatementWatch: Service {
    let store: Store
    /// The profile folders in force.
    let profiles: [String]
    /// Path of the configuration, whose `statements:` is read before each attempt: a new password needs no restart.
    let configuration: String
    let logger: Logger

    /// Seconds between two polls for waiting files. A poll is one query on an index.
    private static let interval = 10.0
    /// Files per poll: each takes up to half a minute, and a stop must not wait longer for the rest.
    private static let mostFiles = 4

    func run() async throws {
        let earlier = EarlierPolls()
        for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() { await poll(earlier) }
    }

    /// Reads the files that wait. A fault that lasts is logged once, not at each poll.
    func poll(_ earlier: EarlierPolls) async {
        let result = await onThread { Result { try pass(earlier) } }
        guard let fault = earlier.fault.new(in: result) else { return }
        logger.warning("statements of mails not read", metadata: ["reason": "\(fault)"])
    }

    private func pass(_ earlier: EarlierPolls) throws {
        let files = try store.statements.files(in: [.waiting, .needsPassword, .needsAccount])
        guard !files.isEmpty else { return }
        let known = try Settings(path: configuration).statements
        let statements = MailedStatements(store, try StatementReader(profiles: profiles), by: Actor(.rule))
        var count = 0
        for file in files where count < Self.mostFiles {
            let (passwords, errors) = known.passwords(bank: file.profile, numbers: file.accountNumbers)
            guard earlier.isNew(attemptAt: file.id, passwords, file.account) else { continue }
            count += 1
            for error in errors {
                logger.warning("a statement password cannot be read", metadata: ["reason": "\(error.message)"])
            }
            let after = try statements.read(file.id, passwords: passwords)
            logger.info(
                after.state == .read ? "statement of a mail read" : "statement of a mail waits",
                metadata: [
                    "statement.bank": "\(file.profile)", "statement.state": "\(after.state.rawValue)",
                    "statement.file": "\(file.id)",
                ])
        }
    }
}

/// What earlier polls tried and met: the passwords and account with which each file was last tried, because the same
/// attempt would fail again, and the fault of the last poll. Holds hashes, no password.
final class EarlierPolls: Sendable {
    private struct Attempt: Hashable {
        var passwords: Int
        var account: Int64?
    }

    private let attempts = Mutex<[Int64: Attempt]>([:])
    let fault = PollFault()

    /// Notes the attempt; true if it differs from the last one.
    func isNew(attemptAt file: Int64, _ passwords: [String], _ account: Int64?) -> Bool {
        let attempt = Attempt(passwords: passwords.hashValue, account: account)
        return attempts.withLock { $0.updateValue(attempt, forKey: file) != attempt }
    }
}
