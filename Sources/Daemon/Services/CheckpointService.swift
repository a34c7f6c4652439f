import Logging
import Processes
import ServiceLifecycle
import Store

/// Empties the write-ahead log while the ledger is idle, so that a copy of the database file alone is complete.
///
/// Ends waits for another process's lock at shutdown: otherwise each write of the other services would wait for
/// ``Store/busyTimeout`` seconds. What cannot be written then is read again at the next start.
struct CheckpointService: Service {
    let store: Store
    let logger: Logger

    /// Seconds between two checks.
    private static let interval = 60.0

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
                do { try await onThread { Result { try store.checkpointIfIdle() } }.get() } catch {
                    logger.debug("write-ahead log not emptied", metadata: ["reason": "\(error)"])
                }
            }
        } onCancelOrGracefulShutdown: {
            store.interrupt()
        }
    }
}
