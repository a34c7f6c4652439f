import ArgumentParser
import Glibc
import Ingest
import Logging
import Notify
import Profiles
import ServiceLifecycle
import Settings
import Store
import UnixSignals
import Web

/// Reads the configuration, opens everything, and runs the roles asked for.
struct Assembly {
    enum Role { case ingest, web, once }

    /// The configuration's file.
    let path: String
    let settings: Settings
    let store: Store
    let profiles: ProfilesInForce
    let accounts: AccountsInForce
    let logger: Logger

    /// Prints what is wrong to standard error and exits with 1 where something cannot be opened.
    static func start(config: String, roles: Set<Role>) async throws {
        ProcessMemory.prepare()
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        // A client that goes away must not end the daemon.
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.raise()
        ProcessMemory.release()
        let assembly: Assembly
        do {
            assembly = try await Assembly(config: config)
        } catch {
            StandardError.write("spendwised: \(error)\n")
            throw ExitCode(1)
        }
        ProcessMemory.release()
        if roles.contains(.once) {
            try await assembly.runOnce()
        } else {
            try await assembly.serve(roles)
        }
    }

    init(config: String) async throws {
        path = config
        let settings = try Settings(path: config)
        self.settings = settings
        // Beside the other: neither needs anything of the other, and both take some time.
        async let opened = onThread {
            Result {
                let store = try Store(path: settings.database)
                try store.seed(from: settings.categories)
                return store
            }
        }
        let read = Result { try ProfileSet(deferring: settings) }
        // What is wrong with the profiles is told first, whatever is wrong with the database.
        let found = await opened
        profiles = ProfilesInForce(try read.get())
        store = try found.get()
        logger = Logger(label: "spendwised")
        accounts = AccountsInForce(store: store, profiles: profiles, logger: logger)
        accounts.refresh()
    }

    private func watchers(states: MailboxStates) -> [any MailboxWatcher] {
        let line = ProgressLine()
        var context = MailboxContext(
            store: store, profiles: profiles, states: states, logger: logger, autoConfirmAt: settings.autoConfirmAt)
        (context.keepsRaw, context.keepsSettled) = (settings.keepRawDays > 0, settings.keepsSettled)
        context.progress = line.show
        let servers = settings.mailboxes.map { [context] mailbox in
            MailboxLoop(settings: mailbox, login: mailbox.loginSource(logger: logger), context: context)
        }
        let maildirs = settings.maildirs.map { [context] in MaildirLoop(settings: $0, context: context) }
        return servers + maildirs
    }

    private struct Failure: Sendable {
        var mailbox: String
        var reason: String
    }

    /// One pass over every mailbox, all at the same time. Exits with 1 where one could not be read to its end.
    private func runOnce() async throws {
        let delivery = Delivery(sinks: settings.notifications, store: store, logger: logger)
        try delivery.prepare(releasing: false)
        let loops = watchers(states: MailboxStates())
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
        for failure in failures { StandardError.write("spendwised: mailbox \(failure.mailbox): \(failure.reason)\n") }
        if !delivery.sinks.isEmpty {
            // What does not arrive now waits for the next run.
            do { try await onThread { Result { try delivery.runOnce() } }.get() } catch {
                logger.warning("notifications wait", metadata: ["reason": "\(error)"])
            }
        }
        checkpoint()
        if !failures.isEmpty { throw ExitCode(1) }
    }

    /// At a clean stop: a copy of the database file alone is whole then.
    private func checkpoint() {
        do { try store.checkpoint() } catch {
            logger.warning("write-ahead log not emptied", metadata: ["reason": "\(error)"])
        }
    }

    private func serve(_ roles: Set<Role>) async throws {
        let manager = ServiceManager()
        let states = MailboxStates()
        var services: [any Service] = []
        var certificate: ServerCertificate?
        if roles.contains(.web) {
            do {
                certificate = try settings.web.certificate()
                services.append(try webService(certificate))
            } catch {
                StandardError.write("spendwised: \(error)\n")
                throw ExitCode(1)
            }
        }
        var loops: [any MailboxWatcher] = []
        var delivery: Delivery?
        if roles.contains(.ingest) {
            let teller = Delivery(sinks: settings.notifications, store: store, logger: logger)
            try teller.prepare()
            // Also where nobody is told: a reload may name somebody.
            services.append(NotificationService(delivery: teller))
            delivery = teller
            loops = watchers(states: states)
            if loops.isEmpty { logger.warning("no mailboxes are configured") }
            if let problem = OpenFiles.problem(mailboxes: loops.count, allowed: OpenFiles.allowed) {
                StandardError.write("spendwised: \(problem)\n")
                throw ExitCode(1)
            }
            do { try NoThread.probe(loops.count) } catch {
                StandardError.write("spendwised: \(error)\n")
                throw ExitCode(1)
            }
            if !loops.isEmpty { services.append(MailboxService(loops: loops)) }
            services.append(ErrandService(store: store, watchers: loops, states: states, logger: logger))
            services.append(Housekeeping(store: store, keepRawDays: settings.keepRawDays, logger: logger))
            services.append(DriftWatch(store: store, logger: logger))
        }
        services.append(AccountWatch(accounts: accounts, loops: loops))
        // Before READY=1: a reload that follows at once would otherwise end the process.
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        services.append(
            ReloadService(
                signals: reloads, settings: settings, profiles: profiles,
                reloadCertificate: reloadCertificate(certificate), reloadSinks: reloadSinks(delivery), loops: loops,
                manager: manager,
                logger: logger))
        services.append(SupervisionService(manager: manager, states: states, loops: loops, store: store))
        services.append(CheckpointService(store: store, logger: logger))
        manager.ready(loops.isEmpty ? "serving" : "reading \(loops.count) mailboxes")
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: quietLogger))
        do { try await group.run() } catch let error as NoThread {
            StandardError.write("spendwised: \(error)\n")
            throw ExitCode(1)
        } catch {
            // Otherwise the services end by themselves only where the web role could not listen.
            StandardError.write(
                """
                spendwised: cannot serve \(settings.web.host):\(settings.web.port): \(error)
                Another program may use that port: choose one with 'web: { listen: 127.0.0.1:PORT }', or find it with 'ss -ltnp'.

                """)
            throw ExitCode(1)
        }
        checkpoint()
        logger.info("stopped")
    }

    /// Its fingerprint is told to 'parserctl pair', too.
    private func reloadCertificate(_ certificate: ServerCertificate?) -> @Sendable () throws -> Void {
        { [store, url = settings.web.url] in
            guard let certificate else { return }
            try certificate.reload()
            try store.access.setWebServer(
                WebServer(url: url, certificate: certificate.fingerprint), at: Int64(time(nil)))
        }
    }

    /// Of the configuration's file as it is now; whatever else was changed there waits for the next start.
    private func reloadSinks(_ delivery: Delivery?) -> @Sendable () throws -> Void {
        { [path] in
            guard let delivery else { return }
            delivery.replace(sinks: try Settings(path: path).notifications)
        }
    }

    private func webService(_ certificate: ServerCertificate?) throws -> any Service {
        let server = WebServer(url: settings.web.url, certificate: certificate?.fingerprint)
        var services = WebServices(
            store: store, profiles: { [profiles] in profiles.current },
            mailboxes: settings.mailboxes.map(\.name) + settings.maildirs.map(\.name),
            version: SpendWiseDaemon.version, logger: logger, access: settings.web.policy)
        services.profileFolders = settings.parsers
        services.accountsChanged = { [accounts] in accounts.refresh() }
        return try WebApplication.make(
            host: settings.web.host, port: settings.web.port, services: services, certificate: certificate,
            onServerRunning: { [store, logger, asksForLogin = settings.web.asksForLogin] _ in
                logger.info(
                    "serving",
                    metadata: ["url": "\(server.url)"].merging(
                        server.certificate.map { ["certificate.sha256": "\($0)"] } ?? [:]
                    ) { $1 })
                // For 'parserctl pair' and 'parserctl status'; serving does not depend on it.
                do {
                    let canLogIn = try await onThread {
                        Result {
                            try store.access.setWebServer(server, at: Int64(time(nil)))
                            return try store.access.loginSecret() != nil
                        }
                    }.get()
                    if !canLogIn, asksForLogin {
                        logger.notice("nobody can log in to the page yet: run 'parserctl passphrase set'")
                    }
                } catch {
                    logger.warning("the address is not noted for parserctl", metadata: ["reason": "\(error)"])
                }
            })
    }

    /// ServiceLifecycle tells of every step; only what goes wrong there is worth a line.
    private var quietLogger: Logger {
        var quiet = logger
        quiet.logLevel = .warning
        return quiet
    }
}
