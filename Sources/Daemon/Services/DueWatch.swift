import Logging
import Processes
import Review
import ServiceLifecycle
import Store

/// Books posted recurring items when they are due, and announces payments to come and budgets that are nearly spent.
struct DueWatch: Service {
    let store: Store
    /// Days before its day on which a payment is announced.
    let daysAhead: Int
    let logger: Logger

    /// Seconds between two checks: a day that begins in UTC is noticed within a quarter of an hour.
    private static let interval = 900.0

    func run() async throws {
        var isFirst = true
        for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
            // Not at the start: the mailboxes are still being read, and a payment in them is not missing.
            let announces = !isFirst
            isFirst = false
            do {
                let booked = try await onThread { [store, daysAhead] in
                    Result {
                        let booked = try store.recurring.post()
                        if announces {
                            try store.dues.announce(daysAhead: daysAhead, details: \.sentence)
                            try store.budgets.announce(details: \.sentence)
                        }
                        return booked
                    }
                }.get()
                if booked > 0 { logger.info("recurring items booked", metadata: ["transactions": "\(booked)"]) }
            } catch {
                logger.warning("dues not checked", metadata: ["reason": "\(error)"])
            }
        }
    }
}
