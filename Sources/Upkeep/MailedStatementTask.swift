import Logging
import Review
import Settings
import Statements
import Store
import Synchronization

/// Reads the statements of mails, after the commit of the mail: at once if no password is needed or it is known, and
/// otherwise when it becomes known.
struct MailedStatementTask: UpkeepTask {
    private let context: UpkeepContext
    private let attempts = StatementAttempts()

    let schedule = UpkeepSchedule(interval: 10, followsChanges: true)
    let failure = "statements of mails not read"

    /// Files per run: each takes up to half a minute, and a stop must not wait longer for the rest.
    private static let mostFiles = 4

    init(_ context: UpkeepContext) { self.context = context }

    func run(isStopped: () -> Bool) throws {
        let (store, logger) = (context.store, context.logger)
        let files = try store.statements.files(in: [.waiting, .needsPassword, .needsAccount])
        guard !files.isEmpty else { return }
        let known = try context.statementPasswords()
        let reader = try StatementReader(profiles: context.settings.parsers)
        let statements = MailedStatements(store, reader, by: Actor(.rule))
        var count = 0
        for file in files where count < Self.mostFiles {
            if isStopped() { return }
            let (passwords, errors) = known.passwords(bank: file.profile, numbers: file.accountNumbers)
            guard attempts.isNew(at: file.id, passwords, file.account) else { continue }
            count += 1
            for error in errors {
                logger.warning("a statement password cannot be read", metadata: ["reason": "\(error.message)"])
            }
            let after = try statements.read(file.id, passwords: passwords, missing: errors.map(\.message))
            logger.info(
                after.state == .read ? "statement of a mail read" : "statement of a mail waits",
                metadata: [
                    "statement.bank": "\(file.profile)", "statement.state": "\(after.state.rawValue)",
                    "statement.file": "\(file.id)",
                ])
        }
    }
}

/// The passwords and account with which each file was last tried: the same attempt would fail again. Holds hashes, no
/// password.
final class StatementAttempts: Sendable {
    private struct Attempt: Hashable {
        var passwords: Int
        var account: Int64?
    }

    private let last = Mutex<[Int64: Attempt]>([:])

    /// Notes the attempt; true if it differs from the last one.
    func isNew(at file: Int64, _ passwords: [String], _ account: Int64?) -> Bool {
        let attempt = Attempt(passwords: passwords.hashValue, account: account)
        return last.withLock { $0.updateValue(attempt, forKey: file) != attempt }
    }
}
