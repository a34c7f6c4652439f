import ArgumentParser
import Fleet
import FleetWeb
import Logging
import Processes
import ServiceLifecycle
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
        let role = try RoleStart(file)
        let households = try role.fleet.serving.get().households
        if let problem = OpenFiles.problem(
            copies: households, sockets: FleetServer.sockets, unit: "spendwise-fleet-serve@.service",
            allowed: OpenFiles.allowed)
        {
            throw FleetError(problem)
        }
        FleetServer.prepareThreads()
        let server = try await onThread {
            Result { try FleetServer(role.fleet, profiles: role.profiles, logger: role.logger) }
        }.get()
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        let reload = Task {
            for await _ in reloads {
                do { try server.reloadCertificate() } catch {
                    role.logger.error("certificate not read, the old one stays", metadata: ["reason": "\(error)"])
                }
            }
        }
        defer { reload.cancel() }
        var quiet = role.logger
        quiet.logLevel = .warning
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
        try await group.run()
    }
}
