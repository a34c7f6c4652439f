import Fleet
import HTTPTypes
import Hummingbird
import Logging
import Processes
import Settings

/// Serves `/health`, `/health/live` and `/metrics` of a worker, which name no household and no mailbox.
struct MonitoringServer {
    let address: ListenAddress
    let monitor: WorkerMonitor

    init(_ address: ListenAddress, _ monitor: WorkerMonitor) { (self.address, self.monitor) = (address, monitor) }

    /// Serves until the task is cancelled.
    func run() async throws {
        let router = Router()
        router.get("/health") { [monitor] _, _ -> EditedResponse<String> in
            let (health, body) = monitor.health()
            return Self.answer(body, "application/json", health == .failing ? .serviceUnavailable : .ok)
        }
        router.get("/health/live") { [monitor] _, _ -> EditedResponse<String> in
            monitor.isAlive
                ? Self.answer("alive\n", "text/plain", .ok)
                : Self.answer("a thread hangs\n", "text/plain", .serviceUnavailable)
        }
        router.get("/metrics") { [monitor] _, _ -> EditedResponse<String> in
            Self.answer(await onThread { monitor.metrics() }, WorkerMonitor.contentType, .ok)
        }
        var logger = Logger(label: "spendwise-fleet.web")
        // The end of the worker cancels the server, which reports that as an error.
        logger.logLevel = .critical
        let server = Application(
            router: router, configuration: .init(address: .hostname(address.host, port: address.port)),
            logger: logger)
        try await server.run()
    }

    private static func answer(
        _ body: String, _ type: String, _ status: HTTPResponse.Status
    ) -> EditedResponse<String> {
        EditedResponse(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"], response: body)
    }
}
