import ArgumentParser
import Chronology
import Glibc
import Ingest
import Logging
import Notify
import Processes
import Profiles
import Settings
import Store

/// Composition root: reads the configuration, opens the ledger and the profiles, and runs the requested roles.
struct Assembly {
    enum Role { case ingest, web, once }

    /// Path of the configuration file.
    let path: String
    let settings: Settings
    let store: Store
    let profiles: ProfilesInForce
    let accounts: AccountsInForce
    let logger: Logger

    /// Runs until the daemon stops. Prints the reason to standard error and throws `ExitCode(1)` if something cannot be
    /// opened.
    static func start(config: String, roles: Set<Role>) async throws {
        LongRunningProcess.prepare()
        let assembly: Assembly
        do {
            assembly = try await Assembly(config: config)
            // In one process with the mail reader there is one connection, which needs every table.
            if roles == [.web] { try assembly.store.restrictWrites(to: .web) }
        } catch {
            throw failure(error)
        }
        if roles.contains(.once) {
            try await assembly.runOnce()
            // Nothing is freed, and no exit handler of a library runs: both would take time and memory.
            fflush(nil)
            _exit(EXIT_SUCCESS)
        } else {
            // What only the start needed. A single pass returns it as soon as it finds much mail.
            ProcessMemory.release()
            try await assembly.serve(roles)
        }
    }

    init(config: String) async throws {
        path = config
        let settings = try Settings(path: config)
        self.settings = settings
        // In parallel: the database and the profiles are independent, and both take time.
        async let opened = onThread {
            Result {
                let store = try Store(
                    path: settings.database, timeZone: settings.timeZone, homeCurrency: settings.homeCurrency)
                store.expectBackups(within: settings.backupDays)
                try store.seed(from: settings.categories)
                return store
            }
        }
        let read = Result { try ProfileSet(deferring: settings) }
        // Errors of the profiles are reported before those of the database.
        let found = await opened
        profiles = ProfilesInForce(try read.get())
        store = try found.get()
        logger = Logger(label: "spendwised")
        accounts = AccountsInForce(store: store, profiles: profiles, logger: logger)
        accounts.refresh()
    }

    /// What the mailboxes of this process share.
    func context(states: MailboxStates) -> MailboxContext {
        let line = ProgressLine()
        var context = MailboxContext(
            store: store, profiles: profiles, states: states, logger: logger, decisions: settings.decisions)
        context.progress = line.show
        return context
    }

    func watchers(in context: MailboxContext) -> [any MailboxWatcher] {
        let added =
            AddedMailboxes(ledger: settings.database)?.load(beside: settings, into: store, logger: logger) ?? []
        let servers = (settings.mailboxes + added).map { watcher(of: $0, in: context) }
        let maildirs = settings.maildirs.map { MaildirLoop(settings: $0, context: context) }
        return servers + maildirs
    }

    /// The receivers of notifications: those of the configuration, and those that were added on the page.
    func sinks(beside configured: [SinkSettings]) -> [SinkSettings] {
        configured
            + (AddedSinks(ledger: settings.database)?.load(beside: configured, into: store, logger: logger) ?? [])
    }

    /// The watcher of a mailbox on a server.
    func watcher(of mailbox: MailboxSettings, in context: MailboxContext) -> any MailboxWatcher {
        MailboxLoop(settings: mailbox, login: mailbox.loginSource(logger: logger), context: context)
    }

    /// Writes a message to standard error.
    static func report(_ message: String) { StandardError.write("spendwised: \(message)\n") }

    /// Reports an error that ends the program and returns the error to throw.
    static func failure(_ error: some Error) -> ExitCode {
        report("\(error)")
        return ExitCode(1)
    }

    private struct Failure: Sendable {
        var mailbox: String
        var reason: String
    }

    /// Makes one pass over all mailboxes in parallel. Throws `ExitCode(1)` if a mailbox could not be read completely.
    private func runOnce() async throws {
        profileReload([.once]).report(profiles.current)
        let delivery = Delivery(sinks: sinks(beside: settings.notifications), store: store, logger: logger)
        try delivery.prepare(releasing: false)
        let loops = watchers(in: context(states: MailboxStates()))
        if loops.isEmpty { logger.warning("no mailboxes are configured") }
        let failures = await withTaskGroup(of: Failure?.self, returning: [Failure].self) { group in
            for loop in loops {
                group.addTask {
                    await onThread { () -> Failure? in
                        do {
                            try loop.runOnce()
                            return nil
                        } catch {
                            return Failure(mailbox: loop.name, reason: String(describing: error))
                        }
                    }
                }
            }
            return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
        }
        for failure in failures { Self.report("mailbox \(failure.mailbox): \(failure.reason)") }
        if !delivery.sinks.isEmpty {
            // Notifications that cannot be delivered now wait for the next run.
            do { try await onThread { Result { try delivery.runOnce() } }.get() } catch {
                logger.warning(
                    "notifications not delivered, the next run tries again", metadata: ["reason": "\(error)"])
            }
        }
        checkpoint()
        if !failures.isEmpty { throw ExitCode(1) }
    }

    /// Empties the write-ahead log at a clean stop, so that a copy of the database file alone is complete.
    func checkpoint() {
        do { try store.checkpoint() } catch {
            logger.warning("write-ahead log not emptied", metadata: ["reason": "\(error)"])
        }
    }
}
