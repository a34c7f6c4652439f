import ArgumentParser
import Fleet
import Glibc
import Ingest
import Logging
import Processes
import Profiles
import Settings
import UnixSignals

struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Read the mailboxes of households until SIGTERM.",
        discussion: "SIGTERM and SIGINT give every household back first. Any number of workers may run.")
    @OptionGroup var file: FleetFile

    func run() async throws {
        let fleet = try file.read()
        ProcessMemory.prepare()
        SecretMemory.protect()
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        // A server that disconnects must not end the worker.
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.raise()
        if let problem = OpenFiles.problem(mailboxes: fleet.mailboxes, allowed: OpenFiles.allowed) {
            throw FleetError(problem)
        }
        let folders = ProfileFolders(fleet.parsers, activated: nil)
        let worker = FleetWorker(
            fleet, profiles: try ProfileSet(deferring: folders, proofs: Program.proofs),
            logger: Logger(label: "spendwise-fleet"))
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let stop = Task { for await _ in signals { worker.stop() } }
        defer { stop.cancel() }
        try await Self.run(worker, with: fleet.listen.map { MonitoringServer($0, worker.monitor) })
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
