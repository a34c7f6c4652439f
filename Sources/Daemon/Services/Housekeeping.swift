import Chronology
import Glibc
import Logging
import Processes
import ServiceLifecycle
import Settings
import Store

/// Deletes retained mail after its retention period or beyond its size, and compresses the rest, once a day.
struct Housekeeping: Service {
    let store: Store
    let settings: Settings
    let logger: Logger

    func run() async throws {
        let isStopped = StopFlag()
        await withGracefulShutdownHandler {
            for await _ in Ticks(seconds: 86_400).cancelOnGracefulShutdown() {
                do {
                    _ = try await onThread { Result { try pass(isStopped) } }.get()
                } catch {
                    logger.warning("retained mail not tidied", metadata: ["reason": "\(error)"])
                }
            }
        } onGracefulShutdown: {
            isStopped.raise()
        }
    }

    private func pass(_ isStopped: StopFlag) throws {
        let day: Int64 = 86_400
        try store.archive.prune(storedBefore: UnixTime.now - Int64(settings.keepRawDays) * day)
        try store.statements.expireFiles(storedBefore: UnixTime.now - Int64(settings.keepRawDays) * day)
        if let limit = settings.keepRawBytes { try store.archive.prune(toBytes: Int64(clamping: limit)) }
        try store.archive.compress(isStopped: { isStopped.isRaised })
    }
}
