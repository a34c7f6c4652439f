import ArgumentParser
import Chronology
import Glibc
import Ingest
import Logging
import Notify
import Processes
import ServiceLifecycle
import Settings
import Store
import UnixSignals
import Upkeep
import Web

extension Assembly {
    /// The services of the requested roles, collected before they run.
    private struct ServiceSet {
        var services: [any Service] = []
        var mailboxes: WatchedMailboxes
        var certificate: ServerCertificate?
        var delivery: Delivery?
        var sinkAdoption: SinkAdoption?
        let context: MailboxContext
        let systemd = SystemdNotifier()
    }

    /// Runs the roles until a signal stops them.
    func serve(_ roles: Set<Role>) async throws {
        let context = context(states: MailboxStates())
        var set = ServiceSet(mailboxes: watched([], in: context), context: context)
        do {
            if roles.contains(.web) { try addWeb(to: &set) }
            if roles.contains(.ingest) { try addIngest(to: &set) }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Self.failure(error)
        }
        await addSupervision(roles, to: &set)
        // The web role is ready when it listens.
        if !roles.contains(.web) { set.systemd.ready("reading \(set.mailboxes.all.count) mailboxes") }
        try await run(set.services)
        checkpoint()
        logger.info("stopped")
    }

    private func addWeb(to set: inout ServiceSet) throws {
        set.certificate = try settings.web.certificate()
        set.services.append(try webService(set.certificate, set.systemd))
    }

    private func addIngest(to set: inout ServiceSet) throws {
        let delivery = Delivery(sinks: sinks(beside: settings.notifications), store: store, logger: logger)
        try delivery.prepare()
        // Also without sinks: a reload may add one.
        set.services.append(NotificationService(delivery: delivery))
        set.delivery = delivery
        let adoption = adoption()
        let loops = watchers(in: set.context)
        if loops.isEmpty { logger.warning("no mailboxes are configured") }
        if let problem = OpenFiles.problem(mailboxes: loops.count, allowed: OpenFiles.allowed) {
            Self.report(problem)
            throw ExitCode(1)
        }
        try TooFewThreads.probe(loops.count)
        set.mailboxes = watched(loops, in: set.context)
        // Also without mailboxes: the page may add one.
        set.services.append(MailboxService(mailboxes: set.mailboxes))
        if let adoption {
            set.sinkAdoption = try sinkAdoption(delivery)
            set.services.append(
                AdoptionService(mailboxes: adoption, watched: set.mailboxes, sinks: set.sinkAdoption))
        }
        set.services.append(IntegrityWatch(store: store, logger: logger))
        // The configuration is read again for each statement: a new password needs no restart.
        let upkeep = UpkeepContext(
            store: store, settings: settings, profiles: profiles,
            mailboxes: { [mailboxes = set.mailboxes] in mailboxes.all },
            states: set.context.states, logger: logger
        ) { [path] in try Settings(path: path).statements }
        for job in UpkeepJob.all(upkeep) { set.services.append(UpkeepService(job: job)) }
    }

    private func watched(_ loops: [any MailboxWatcher], in context: MailboxContext) -> WatchedMailboxes {
        WatchedMailboxes(loops, states: context.states) { [self] in watcher(of: $0, in: context) }
    }

    /// `nil` if the page may not add mailboxes, or if their files cannot be kept.
    private func adoption() -> MailboxAdoption? {
        do {
            if settings.web.addsMailboxes {
                if let place = AddedMailboxes(ledger: settings.database) {
                    return try MailboxAdoption(
                        place, settings: settings, store: store, profiles: profiles, logger: logger)
                }
                logger.notice("the page cannot add mailboxes: neither STATE_DIRECTORY nor HOME names a folder")
            }
        } catch {
            logger.warning("the page cannot add mailboxes", metadata: ["reason": "\(error)"])
        }
        do { try store.mailboxSetups.setSealingKey(nil, at: .now) } catch {
            logger.warning("key for mailboxes of the page not removed", metadata: ["reason": "\(error)"])
        }
        return nil
    }

    /// After the mailboxes' one, which makes the key.
    private func sinkAdoption(_ delivery: Delivery) throws -> SinkAdoption? {
        try AddedSinks(ledger: settings.database).flatMap {
            try SinkAdoption(
                $0, configured: settings.notifications, store: store, delivery: delivery, logger: logger)
        }
    }

    private func addSupervision(_ roles: Set<Role>, to set: inout ServiceSet) async {
        set.services.append(AccountWatch(accounts: accounts, mailboxes: set.mailboxes))
        // Trap SIGHUP before READY=1: a reload right after it would end the process.
        let signals = await UnixSignalsSequence(trapping: .sighup)
        let reload = profileReload(roles)
        reload.report(profiles.current)
        let reloadable = ReloadService.Reloadable(
            profiles: reload, certificate: reloadCertificate(set.certificate),
            sinks: reloadSinks(set.delivery, set.sinkAdoption))
        set.services.append(
            ReloadService(
                signals: signals, reloadable: reloadable, mailboxes: set.mailboxes,
                systemd: set.systemd, logger: logger))
        let activator =
            roles.contains(.ingest) ? TemplateActivator(store: store, settings: settings, logger: logger) : nil
        set.services.append(ActivationWatch(store: store, activator: activator, reload: reload))
        set.services.append(
            SupervisionService(systemd: set.systemd, mailboxes: set.mailboxes, context: set.context))
        // Last: services are shut down in reverse order, one after the other, and none may wait for a lock then.
        set.services.append(CheckpointService(store: store, logger: logger))
    }

    func profileReload(_ roles: Set<Role>) -> ProfileReload {
        ProfileReload(
            settings: settings, profiles: profiles, store: store, logger: logger,
            storesFaults: roles != [.web])
    }

    private func run(_ services: [any Service]) async throws {
        // ServiceLifecycle logs every step. Only its warnings matter.
        var quietLogger = logger
        quietLogger.logLevel = .warning
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: quietLogger))
        do { try await group.run() } catch let error as TooFewThreads {
            throw Self.failure(error)
        } catch {
            // The only other failure of a service: the web server cannot listen.
            Self.report(
                """
                cannot serve \(settings.web.host):\(settings.web.port): \(error)
                Another program may use that port: choose one with 'web: { listen: 127.0.0.1:PORT }', or find it with 'ss -ltnp'.

                """)
            throw ExitCode(1)
        }
    }

    /// Also records the new fingerprint for 'parserctl pair'.
    private func reloadCertificate(_ certificate: ServerCertificate?) -> @Sendable () throws -> Void {
        { [store, url = settings.web.url] in
            guard let certificate else { return }
            try certificate.reload()
            try store.access.setWebServer(
                WebServer(url: url, certificate: certificate.fingerprint), at: .now)
        }
    }

    /// Reads the sinks from the current configuration file. Other changes in that file take effect at the next start.
    private func reloadSinks(
        _ delivery: Delivery?, _ adoption: SinkAdoption?
    ) -> @Sendable () throws -> Void {
        { [self] in
            guard let delivery else { return }
            let configured = try Settings(path: path).notifications
            adoption?.replace(configured: configured)
            delivery.replace(sinks: sinks(beside: configured))
        }
    }
}
