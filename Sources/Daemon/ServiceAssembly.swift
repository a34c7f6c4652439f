import ArgumentParser
import Chronology
import Glibc
import Ingest
import Logging
import Notify
import ServiceLifecycle
import Settings
import Store
import UnixSignals
import Web

extension Assembly {
    /// The services of the requested roles, collected before they run.
    private struct ServiceSet {
        var services: [any Service] = []
        var loops: [any MailboxWatcher] = []
        var certificate: ServerCertificate?
        var delivery: Delivery?
        let states = MailboxStates()
        let systemd = SystemdNotifier()
    }

    /// Runs the roles until a signal stops them.
    func serve(_ roles: Set<Role>) async throws {
        var set = ServiceSet()
        do {
            if roles.contains(.web) { try addWeb(to: &set) }
            if roles.contains(.ingest) { try addIngest(to: &set) }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Self.failure(error)
        }
        await addSupervision(to: &set)
        set.systemd.ready(set.loops.isEmpty ? "serving" : "reading \(set.loops.count) mailboxes")
        try await run(set.services)
        checkpoint()
        logger.info("stopped")
    }

    private func addWeb(to set: inout ServiceSet) throws {
        set.certificate = try settings.web.certificate()
        set.services.append(try webService(set.certificate))
    }

    private func addIngest(to set: inout ServiceSet) throws {
        let delivery = Delivery(sinks: settings.notifications, store: store, logger: logger)
        try delivery.prepare()
        // Also without sinks: a reload may add one.
        set.services.append(NotificationService(delivery: delivery))
        set.delivery = delivery
        set.loops = watchers(states: set.states)
        if set.loops.isEmpty { logger.warning("no mailboxes are configured") }
        if let problem = OpenFiles.problem(mailboxes: set.loops.count, allowed: OpenFiles.allowed) {
            Self.report(problem)
            throw ExitCode(1)
        }
        try TooFewThreads.probe(set.loops.count)
        if !set.loops.isEmpty { set.services.append(MailboxService(loops: set.loops)) }
        set.services.append(
            PendingWorkService(store: store, watchers: set.loops, states: set.states, logger: logger))
        set.services.append(Housekeeping(store: store, settings: settings, logger: logger))
        set.services.append(DriftWatch(store: store, logger: logger))
        set.services.append(
            StatementWatch(store: store, profiles: settings.parsers, configuration: path, logger: logger))
        set.services.append(IntegrityWatch(store: store, logger: logger))
        set.services.append(BalanceWatch(store: store, logger: logger))
        set.services.append(DueWatch(store: store, daysAhead: settings.dueDays, logger: logger))
    }

    private func addSupervision(to set: inout ServiceSet) async {
        set.services.append(AccountWatch(accounts: accounts, loops: set.loops))
        // Trap SIGHUP before READY=1: a reload right after it would end the process.
        let signals = await UnixSignalsSequence(trapping: .sighup)
        let reloadable = ReloadService.Reloadable(
            profiles: profiles, certificate: reloadCertificate(set.certificate), sinks: reloadSinks(set.delivery))
        set.services.append(
            ReloadService(
                signals: signals, settings: settings, reloadable: reloadable, loops: set.loops, systemd: set.systemd,
                logger: logger))
        set.services.append(
            SupervisionService(systemd: set.systemd, states: set.states, loops: set.loops, store: store))
        // Last: services are shut down in reverse order, one after the other, and none may wait for a lock then.
        set.services.append(CheckpointService(store: store, logger: logger))
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
    private func reloadSinks(_ delivery: Delivery?) -> @Sendable () throws -> Void {
        { [path] in
            guard let delivery else { return }
            delivery.replace(sinks: try Settings(path: path).notifications)
        }
    }
}
