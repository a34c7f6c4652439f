import ArgumentParser
import Fleet
import FleetWeb
import Glibc
import Ingest
import Logging
import Processes
import Profiles
import ServiceLifecycle
import Settings
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the page and the API of the households until SIGTERM.",
        discussion: """
            Each household has its own host name below 'serve: domain:'. Any number of replicas may run.
            SIGTERM and SIGINT answer the open requests first; SIGHUP reads the certificate again.
            """)
    @OptionGroup var file: FleetFile

    func run() async throws {
        let fleet = try file.read()
        ProcessMemory.prepare()
        SecretMemory.protect()
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        // A client that disconnects must not end the replica.
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.raise()
        FleetServer.prepareThreads()
        let logger = Logger(label: "spendwise-fleet")
        let server = try await onThread {
            Result {
                let folders = ProfileFolders(fleet.parsers, activated: nil)
                let profiles = try ProfileSet(deferring: folders, proofs: Program.proofs)
                return try FleetServer(fleet, profiles: profiles, logger: logger)
            }
        }.get()
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        let reload = Task {
            for await _ in reloads {
                do { try server.reloadCertificate() } catch {
                    logger.error("certificate not read, the old one stays", metadata: ["reason": "\(error)"])
                }
            }
        }
        defer { reload.cancel() }
        var quiet = logger
        quiet.logLevel = .warning
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
        try await group.run()
    }
}
