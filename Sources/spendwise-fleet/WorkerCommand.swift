import ArgumentParser
import Fleet
import Logging
import Processes
import Settings
import UnixSignals

struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Read the mailboxes of households until SIGTERM.",
        discussion: "SIGTERM and SIGINT give every household back first. Any number of workers may run.")
    @OptionGroup var file: FleetFile

    func run() async throws {
        let role = try RoleStart(file)
        let worker = try FleetWorker(role.fleet, profiles: role.profiles, logger: role.logger)
        let unit = "spendwise-fleet@.service"
        if let problem = OpenFiles.problem(mailboxes: worker.capacity, unit: unit, allowed: OpenFiles.allowed) {
            throw FleetError(problem)
        }
        // Households with several mailboxes have fewer copies.
        if let problem = OpenFiles.problem(
            mailboxes: worker.capacity, copies: worker.capacity, unit: unit, allowed: OpenFiles.allowed)
        {
            role.logger.warning("households with one mailbox each may be too many", metadata: ["reason": "\(problem)"])
        }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let stop = Task { for await _ in signals { worker.stop() } }
        defer { stop.cancel() }
        try await Self.run(worker, with: role.fleet.listen.map { MonitoringServer($0, worker.monitor) })
    }

    /// Runs until the worker has ended. A server that cannot listen ends the worker, too.
    private static func run(_ worker: FleetWorker, with server: MonitoringServer?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let server {
                group.addTask {
                    defer { worker.stop() }
                    do { try await server.run() } catch  where !Task.isCancelled {
                        throw FleetError(
                            "\(server.address.host):\(server.address.port): the server of health and metrics has ended: \(error)"
                        )
                    } catch {}
                }
            }
            try await onDedicatedThread { Result { try worker.run() } }.get()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
