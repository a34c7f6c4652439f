import IMAP
import Notify
import ServiceLifecycle

/// The delivering thread as a service: ends within a second of a graceful shutdown, or of another service's end by a fault, because every wait and every request of the thread is woken.
struct NotificationService: Service {
    let delivery: Delivery

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await onThreadOfItsOwn { delivery.run() }
        } onCancelOrGracefulShutdown: {
            delivery.wake.stop()
        }
    }
}
