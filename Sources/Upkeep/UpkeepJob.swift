public import Chronology
public import Ingest
public import Logging
public import Settings
public import Store

/// What the upkeep of a ledger needs.
public struct UpkeepContext: Sendable {
    let store: Store
    let settings: Settings
    let profiles: ProfilesInForce
    /// Those that this process reads at the moment.
    let mailboxes: @Sendable () -> [any MailboxWatcher]
    let states: MailboxStates
    /// Read for each attempt, so that a new password needs no restart.
    let statementPasswords: @Sendable () throws -> [StatementPassword]
    let logger: Logger

    public init(
        store: Store, settings: Settings, profiles: ProfilesInForce,
        mailboxes: @escaping @Sendable () -> [any MailboxWatcher], states: MailboxStates, logger: Logger,
        statementPasswords: @escaping @Sendable () throws -> [StatementPassword]
    ) {
        (self.store, self.settings, self.profiles, self.logger) = (store, settings, profiles, logger)
        (self.mailboxes, self.states) = (mailboxes, states)
        self.statementPasswords = statementPasswords
    }
}

/// Work on a ledger that is done from time to time, whoever reads its mailboxes.
protocol UpkeepTask: Sendable {
    var schedule: UpkeepSchedule { get }
    /// Logged with the reason if a run fails.
    var failure: String { get }
    /// When a run finds something although the ledger did not change since the last one; `nil` if that is not known.
    var nextDue: Deadline? { get }

    /// - Parameter isStopped: ends long work between two commits.
    func run(isStopped: () -> Bool) throws
}

extension UpkeepTask {
    var nextDue: Deadline? { nil }
}

/// When a task runs.
public struct UpkeepSchedule: Hashable, Sendable {
    /// Seconds between two runs.
    public var interval: Double
    /// False if mailboxes are read first.
    public var beginsAtOnce = true
    /// True if a run finds nothing unless the ledger changed since the last one. Whoever sees every change, such as the
    /// owner of a working copy, need not poll: it runs the task after a change, and at ``UpkeepJob/nextDue``.
    public var followsChanges = false
}

/// A task of one ledger. A fault that lasts is logged once.
public struct UpkeepJob: Sendable {
    private let task: any UpkeepTask
    private let logger: Logger
    private let fault = PollFault()

    public var schedule: UpkeepSchedule { task.schedule }
    /// For a task that follows changes, after a run: when it is due without one.
    public var nextDue: Deadline? { task.nextDue }

    init(_ task: any UpkeepTask, logger: Logger) { (self.task, self.logger) = (task, logger) }

    /// Every task of a ledger. The tasks are independent of one another.
    public static func all(_ context: UpkeepContext) -> [UpkeepJob] {
        let (store, logger) = (context.store, context.logger)
        let tasks: [any UpkeepTask] = [
            PendingWorkTask(context), UploadTask(context), RetentionTask(store: store, settings: context.settings),
            DriftTask(store: store, logger: logger), MailedStatementTask(context),
            BalanceTask(store: store, logger: logger),
            DueTask(store: store, daysAhead: context.settings.dueDays, logger: logger),
        ]
        return tasks.map { UpkeepJob($0, logger: logger) }
    }

    /// Blocks. Not called again before it returns.
    public func run(isStopped: () -> Bool) {
        guard let reason = fault.new(in: Result { try task.run(isStopped: isStopped) }) else { return }
        logger.warning("\(task.failure)", metadata: ["reason": "\(reason)"])
    }
}
