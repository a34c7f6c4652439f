import Chronology
import Glibc
import Logging
import ServiceLifecycle
import Store

/// Deletes retained mail after its retention period, once a day.
struct Housekeeping: Service {
    let store: Store
    let keepRawDays: Int
    let logger: Logger

    func run() async throws {
        for await _ in Ticks(seconds: 86_400).cancelOnGracefulShutdown() {
            do {
                _ = try await onThread {
                    Result {
                        try store.mails.pruneRaw(rawOlderThan: UnixTime.now - Int64(keepRawDays) * 86_400)
                    }
                }.get()
            } catch {
                logger.warning("old mail not deleted", metadata: ["reason": "\(error)"])
            }
        }
    }
}
