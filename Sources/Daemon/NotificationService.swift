import IMAP
import Notify
import ServiceLifecycle

/// The delivering thread as a service: ends within a second of a graceful shutdown, because every wait and every request of the thread is woken.
struct NotificationService: Service {
    let delivery: Delivery

    func run() async throws {
        await withGracefulShutdownHandler {
            await onThread { delivery.run() }
        } onGracefulShutdown: {
            delivery.wake.stop()
        }
    }
}
