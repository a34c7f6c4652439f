import IMAP
import Notify
import Processes
import ServiceLifecycle

/// The delivery thread as a service. Ends within a second of a graceful shutdown or of another service's failure:
/// `stop()` interrupts every wait and every request.
struct NotificationService: Service {
    let delivery: Delivery

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await onDedicatedThread { delivery.run() }
        } onCancelOrGracefulShutdown: {
            delivery.wake.stop()
        }
    }
}
